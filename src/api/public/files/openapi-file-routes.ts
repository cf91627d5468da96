/** The routes of files, in the OpenAPI document. */
import { CALL_ERRORS, KEYED_ERRORS, type Parameter, type Route } from '../openapi-route.ts';
import { text } from '../openapi-schema-parts.ts';

const FILE_ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: '`file-…`, as the upload or the batch gave it.',
  schema: text,
};

const LIST_PARAMETERS: readonly Parameter[] = [
  {
    name: 'purpose',
    in: 'query',
    description: 'Only files of this purpose.',
    schema: { type: 'string', enum: ['batch', 'batch_output'] },
  },
  {
    name: 'limit',
    in: 'query',
    description: 'Files of a page; a page has 1,000 at most, whatever is asked for.',
    schema: { type: 'integer', minimum: 1, maximum: 10_000, default: 10_000 },
  },
  {
    name: 'order',
    in: 'query',
    description: 'By time of creation.',
    schema: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
  },
  { name: 'after', in: 'query', description: 'The last id of the page before.', schema: text },
];

const OF_ONE = { ...KEYED_ERRORS, '404': 'There is no such file, or not for this project.' };

export const fileRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/api/v1/files',
    operationId: 'createFile',
    summary: 'Uploads a file of requests for a batch',
    needsKey: true,
    request: 'FileUpload',
    isForm: true,
    answer: { description: 'The file.', schema: 'File' },
    errors: {
      ...KEYED_ERRORS,
      '408': CALL_ERRORS['408'],
      '413': 'The file is too large, or the files of the account take all its space.',
      '415': 'The body is no uncompressed form.',
    },
  },
  {
    method: 'get',
    path: '/api/v1/files',
    operationId: 'listFiles',
    summary: 'The files of the project of this key',
    needsKey: true,
    parameters: LIST_PARAMETERS,
    answer: { description: 'A page of files.', schema: 'FileList' },
    errors: KEYED_ERRORS,
  },
  {
    method: 'get',
    path: '/api/v1/files/{id}',
    operationId: 'getFile',
    summary: 'One file: its name, its length, when it expires',
    needsKey: true,
    parameters: [FILE_ID],
    answer: { description: 'The file.', schema: 'File' },
    errors: OF_ONE,
  },
  {
    method: 'get',
    path: '/api/v1/files/{id}/content',
    operationId: 'getFileContent',
    summary: 'What is in a file',
    needsKey: true,
    parameters: [FILE_ID],
    answer: { description: 'The bytes.', contentType: 'application/octet-stream' },
    errors: OF_ONE,
  },
  {
    method: 'delete',
    path: '/api/v1/files/{id}',
    operationId: 'deleteFile',
    summary: 'Deletes a file; refused while a running batch reads it',
    needsKey: true,
    parameters: [FILE_ID],
    answer: { description: 'That it was deleted.', schema: 'FileDeleted' },
    errors: { ...OF_ONE, '409': 'A running batch reads the file.' },
  },
];
