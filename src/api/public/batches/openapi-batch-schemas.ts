/** The schemas of batches, in the OpenAPI document. */
import { BATCH_STATUSES } from '../../../batches/ports.ts';
import { count, countOrNull, list, open, text, textOrNull, yesOrNo } from '../openapi-schema-parts.ts';

const metadata = { type: ['object', 'null'], additionalProperties: text };

const error = open({ code: text, message: text, param: textOrNull, line: countOrNull });

const batch = open({
  id: text,
  object: { const: 'batch' },
  endpoint: text,
  errors: { anyOf: [open({ object: { const: 'list' }, data: list(error) }), { type: 'null' }] },
  input_file_id: text,
  completion_window: { const: '24h' },
  status: { type: 'string', enum: [...BATCH_STATUSES] },
  output_file_id: textOrNull,
  error_file_id: textOrNull,
  created_at: count,
  in_progress_at: countOrNull,
  expires_at: count,
  finalizing_at: countOrNull,
  completed_at: countOrNull,
  failed_at: countOrNull,
  expired_at: countOrNull,
  cancelling_at: countOrNull,
  cancelled_at: countOrNull,
  model: textOrNull,
  usage: {
    anyOf: [
      open({
        input_tokens: count,
        input_tokens_details: open({ cached_tokens: count }),
        output_tokens: count,
        output_tokens_details: open({ reasoning_tokens: count }),
        total_tokens: count,
      }),
      { type: 'null' },
    ],
  },
  request_counts: open({ total: count, completed: count, failed: count }),
  metadata,
});

export const batchSchemas = {
  BatchRequest: open(
    {
      input_file_id: text,
      endpoint: { type: 'string', description: 'A path of calls, such as `/v1/chat/completions`.' },
      completion_window: { const: '24h' },
      metadata,
      output_expires_after: open({
        anchor: { const: 'created_at' },
        seconds: { type: 'integer', minimum: 3_600, maximum: 2_592_000 },
      }),
    },
    ['input_file_id', 'endpoint', 'completion_window'],
  ),
  Batch: batch,
  BatchList: open({
    object: { const: 'list' },
    data: list(batch),
    first_id: textOrNull,
    last_id: textOrNull,
    has_more: yesOrNo,
  }),
};
