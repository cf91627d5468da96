/** Examples of batches in the OpenAPI document, by the route's operation id. */
import type { RouteExample } from '../openapi-call-examples.ts';

const BATCH = {
  id: 'batch_01kb5m4w8r3g9d5e7j0k2p1q4s',
  object: 'batch',
  endpoint: '/v1/chat/completions',
  errors: null,
  input_file_id: 'file-01kb5m3v7q2f8c4d6h9j1n0p3r',
  completion_window: '24h',
  status: 'validating',
  output_file_id: null,
  error_file_id: null,
  created_at: 1_795_415_140,
  in_progress_at: null,
  expires_at: 1_795_501_540,
  finalizing_at: null,
  completed_at: null,
  failed_at: null,
  expired_at: null,
  cancelling_at: null,
  cancelled_at: null,
  model: null,
  usage: null,
  request_counts: { total: 0, completed: 0, failed: 0 },
  metadata: null,
};

export const batchExamples: Readonly<Record<string, RouteExample>> = {
  createBatch: {
    request: {
      input_file_id: BATCH.input_file_id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    },
    answer: BATCH,
  },
  listBatches: { answer: { object: 'list', data: [BATCH], first_id: BATCH.id, last_id: BATCH.id, has_more: false } },
  getBatch: { answer: BATCH },
  cancelBatch: { answer: { ...BATCH, status: 'cancelling', cancelling_at: 1_795_415_200 } },
};
