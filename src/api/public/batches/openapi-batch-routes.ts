/** The routes of batches, in the OpenAPI document. */
import { CALL_ERRORS, KEYED_ERRORS, type Parameter, type Route } from '../openapi-route.ts';
import { text } from '../openapi-schema-parts.ts';

const BATCH_ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: '`batch_…`, as the answer to its creation gave it.',
  schema: text,
};

const LIST_PARAMETERS: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Batches of a page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
  { name: 'after', in: 'query', description: 'The last id of the page before.', schema: text },
];

const OF_ONE = { ...KEYED_ERRORS, '404': 'There is no such batch, or not for this project.' };

export const batchRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/api/v1/batches',
    operationId: 'createBatch',
    summary: 'Runs the requests of a file within a day',
    needsKey: true,
    request: 'BatchRequest',
    answer: { description: 'The batch.', schema: 'Batch' },
    errors: {
      ...KEYED_ERRORS,
      '404': 'There is no such file, or not for this project.',
      '408': CALL_ERRORS['408'],
      '413': 'The body is too large, or files take all the space of the account, so that results would have none.',
      '415': 'The body is no uncompressed JSON.',
    },
  },
  {
    method: 'get',
    path: '/api/v1/batches',
    operationId: 'listBatches',
    summary: 'The batches of the project of this key, newest first',
    needsKey: true,
    parameters: LIST_PARAMETERS,
    answer: { description: 'A page of batches.', schema: 'BatchList' },
    errors: KEYED_ERRORS,
  },
  {
    method: 'get',
    path: '/api/v1/batches/{id}',
    operationId: 'getBatch',
    summary: 'One batch: how far it is, and where its results are',
    needsKey: true,
    parameters: [BATCH_ID],
    answer: { description: 'The batch.', schema: 'Batch' },
    errors: OF_ONE,
  },
  {
    method: 'post',
    path: '/api/v1/batches/{id}/cancel',
    operationId: 'cancelBatch',
    summary: 'Begins no more lines of a batch; those that run end, the others get an error',
    needsKey: true,
    parameters: [BATCH_ID],
    answer: { description: 'The batch.', schema: 'Batch' },
    errors: { ...OF_ONE, '409': 'The batch has ended.' },
  },
];
