/** The fields that every chat request must have, read in place. */
import { GatewayError } from '../../../core/errors.ts';
import { internName } from '../../../wire/intern-name.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { arrayIsEmpty, readString } from '../../../wire/json-read.ts';
import { invalid } from '../errors/request-errors.ts';
import { requestFields } from './request-fields.ts';
import { firstModel } from './routing/first-model.ts';

/**
 * The model's name, which is the first of `models` in a request without `model`. Throws a `GatewayError` 400, with the message `wrong` if it
 * is not a name.
 */
export function readModel(document: JsonDocument, wrong: string): string {
  const field = requestFields.present(document, 'model');
  if (field === null) return firstModel(document) ?? noModel();
  if (field.type !== 'string' || field.valueEnd - field.valueStart > MODEL_BYTES_MAX) throw invalid('model', wrong);
  // The same few names come with every call.
  const known = internName(document.bytes, field.valueStart + 1, field.valueEnd - 1);
  const model = known ?? readString(document, field);
  if (model.trim() === '') throw invalid('model', '"model" must not be empty.');
  return model;
}

function noModel(): never {
  throw new GatewayError('missing_field', {
    message: 'The field "model" is required: name the model, or several to try in "models".',
    param: 'model',
  });
}

/** Throws a `GatewayError` 400 if there are none. */
export function requireMessages(document: JsonDocument): void {
  const field = requestFields.required(document, 'messages');
  if (field.type !== 'array') throw invalid('messages', '"messages" must be an array.');
  if (arrayIsEmpty(document, field)) throw invalid('messages', '"messages" must contain at least one message.');
}

const MODEL_BYTES_MAX = 512;
