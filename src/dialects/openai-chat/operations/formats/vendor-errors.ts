/** Reads the refusals of a vendor whose errors have a form of their own: they are put into OpenAI's, which is read as usual. */
import { type JsonObject, parseObject } from '../../../../core/json-object.ts';
import type { OperationFormat } from '../../../interface/operation-format.ts';
import { readOpenaiError } from '../../../kit/errors/openai-error.ts';

export interface VendorError {
  readonly message: string;
  /** The vendor's word for it, or OpenAI's where the same is meant. */
  readonly code: string | null;
}

/** `find` returns null for what is not the vendor's own form. */
export function vendorErrors(find: (body: JsonObject) => VendorError | null): OperationFormat['readError'] {
  return (status, headers, body) => {
    const parsed = body.length > BODY_BYTES_MAX ? null : parseObject(body.toString('utf8'));
    const error = parsed === null ? null : find(parsed);
    return readOpenaiError(status, headers, error === null ? body : Buffer.from(JSON.stringify({ error })));
  };
}

/** An error has a few hundred bytes; anything longer is a proxy's page. */
const BODY_BYTES_MAX = 64 * 1024;
