/** Reads single fields of a request; what has the wrong type is a 400 that names the field. */
import { GatewayError } from '../../../core/errors.ts';
import { arrayIsEmpty, type JsonDocument, type JsonField } from '../../../wire/json-scan.ts';
import type { PeekedField } from '../../openai-chat/peek/peeked-fields.ts';

/** The field, or null where it is absent or `null`: vendors take both for the same. */
export function present(document: JsonDocument, name: PeekedField): JsonField | null {
  const field = document.fields.get(name);
  return field === undefined || field.type === 'null' ? null : field;
}

/** The field; throws `missing_field` where it is absent or `null`. */
export function required(document: JsonDocument, name: PeekedField): JsonField {
  const field = present(document, name);
  if (field !== null) return field;
  throw new GatewayError('missing_field', { message: `The field "${name}" is required.`, param: name });
}

/** The field, or null where it is absent, `null` or `[]`. */
export function listOf(document: JsonDocument, name: PeekedField): JsonField | null {
  const field = present(document, name);
  return field === null || (field.type === 'array' && arrayIsEmpty(document, field)) ? null : field;
}

/** A boolean, false where it is absent; `path` is what an error calls it. */
export function readFlag(document: JsonDocument, name: PeekedField, path: string = name): boolean {
  const field = present(document, name);
  if (field === null) return false;
  if (field.type !== 'true' && field.type !== 'false') throw invalid(path, `"${path}" must be true or false.`);
  return field.type === 'true';
}

/** A whole number from 1 to `max`, or null where it is absent. */
export function readWholeNumber(document: JsonDocument, name: PeekedField, max: number): number | null {
  return readNumber(document, name, 1, max);
}

/** A whole number from 0 to `max`, or null where it is absent. */
export function readCount(document: JsonDocument, name: PeekedField, max: number): number | null {
  return readNumber(document, name, 0, max);
}

function readNumber(document: JsonDocument, name: PeekedField, min: number, max: number): number | null {
  const field = present(document, name);
  if (field === null) return null;
  const value = field.type === 'number' ? numberOf(document, field) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw invalid(name, `"${name}" must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

export function invalid(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param });
}

/** Longer than any spelling of a number that passes. */
const NUMBER_BYTES_MAX = 32;
/** So many digits make a number that is exact. */
const DIGITS_MAX = 15;

/** Nearly all numbers are a few digits, read without making a text of them; not a number where it is too long to pass. */
function numberOf({ bytes }: JsonDocument, { valueStart, valueEnd }: JsonField): number {
  let value = 0;
  let at = valueStart;
  for (const end = Math.min(valueEnd, valueStart + DIGITS_MAX); at < end; at += 1) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (at === valueEnd) return value;
  return valueEnd - valueStart > NUMBER_BYTES_MAX ? Number.NaN : Number(bytes.toString('latin1', valueStart, valueEnd));
}
