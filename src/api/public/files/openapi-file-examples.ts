/** Examples of files in the OpenAPI document, by the route's operation id. */
import type { RouteExample } from '../openapi-call-examples.ts';

const FILE = {
  id: 'file-01kb5m3v7q2f8c4d6h9j1n0p3r',
  object: 'file',
  bytes: 34_000,
  created_at: 1_795_415_133,
  expires_at: 1_798_007_133,
  filename: 'lines.jsonl',
  purpose: 'batch',
  status: 'processed',
};

export const fileExamples: Readonly<Record<string, RouteExample>> = {
  createFile: { request: { purpose: 'batch', file: 'lines.jsonl' }, answer: FILE },
  listFiles: {
    answer: { object: 'list', data: [FILE], first_id: FILE.id, last_id: FILE.id, has_more: false },
  },
  getFile: { answer: FILE },
  getFileContent: {
    answer:
      '{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"demo/echo","messages":[{"role":"user","content":"Hello"}]}}\n',
  },
  deleteFile: { answer: { id: FILE.id, object: 'file', deleted: true } },
};
