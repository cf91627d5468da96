/** The schemas of files, in the OpenAPI document. */
import { count, list, open, text, textOrNull, yesOrNo } from '../openapi-schema-parts.ts';

const file = open({
  id: text,
  object: { const: 'file' },
  bytes: count,
  created_at: count,
  expires_at: count,
  filename: text,
  purpose: { type: 'string', enum: ['batch', 'batch_output'] },
  status: { const: 'processed' },
});

export const fileSchemas = {
  FileUpload: open(
    {
      purpose: { const: 'batch' },
      file: { type: 'string', contentMediaType: 'application/octet-stream' },
      'expires_after[anchor]': { const: 'created_at' },
      'expires_after[seconds]': { type: 'integer', minimum: 3_600, maximum: 2_592_000 },
    },
    ['purpose', 'file'],
  ),
  File: file,
  FileList: open({
    object: { const: 'list' },
    data: list(file),
    first_id: textOrNull,
    last_id: textOrNull,
    has_more: yesOrNo,
  }),
  FileDeleted: open({ id: text, object: { const: 'file' }, deleted: { const: true } }),
};
