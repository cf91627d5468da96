/** What the model reads in a request with an `input`: a text, or a list of what the operation takes. */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { arrayIsEmpty } from '../../../wire/json-read.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';

/** Throws `GatewayError` 400 without one; `what` it must be, as the end of a sentence. */
export function requireInput(document: JsonDocument, what: string): void {
  const input = requestFields.required(document, 'input');
  if (input.type !== 'string' && input.type !== 'array' && input.type !== 'object')
    throw invalid('input', `"input" must be ${what}.`);
  if (input.type === 'array' && arrayIsEmpty(document, input)) throw invalid('input', '"input" must not be empty.');
}

/** Images and sounds have keys that the scan of a body watches for; their tokens have no bound that is known here. */
export function hasMedia({ watched }: JsonDocument): boolean {
  return watched.some(({ path, type }) => path.startsWith('input') && type !== 'null');
}
