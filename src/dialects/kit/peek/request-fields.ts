/**
 * Reads single fields of a request in place, without parsing the body; a wrong type throws a `GatewayError` 400 that names the field. A
 * dialect narrows these functions to its list of names (`peeked-fields.ts`): it can read no others, so that the spelling of each is
 * checked.
 */

import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { arrayIsEmpty } from '../../../wire/json-read.ts';
import { invalid, missing } from '../errors/request-errors.ts';

export interface RequestFields<Name extends string> {
  /** The field, or null if it is absent or `null`: vendors treat both the same. */
  readonly present: (document: JsonDocument, name: Name) => JsonField | null;
  /** The field; throws `missing_field` if it is absent or `null`. */
  readonly required: (document: JsonDocument, name: Name) => JsonField;
  /** The field, or null if it is absent, `null` or `[]`. */
  readonly listOf: (document: JsonDocument, name: Name) => JsonField | null;
  /** A boolean, false if it is absent; `path` is its name in errors. */
  readonly readFlag: (document: JsonDocument, name: Name, path?: string) => boolean;
  /** A whole number from 1 to `max`, or null if it is absent. */
  readonly readWholeNumber: (document: JsonDocument, name: Name, max: number) => number | null;
  /** A whole number from 0 to `max`, or null if it is absent. */
  readonly readCount: (document: JsonDocument, name: Name, max: number) => number | null;
}

export const requestFields: RequestFields<string> = { present, required, listOf, readFlag, readWholeNumber, readCount };

function present(document: JsonDocument, name: string): JsonField | null {
  const field = document.fields.get(name);
  return field === undefined || field.type === 'null' ? null : field;
}

function required(document: JsonDocument, name: string): JsonField {
  const field = present(document, name);
  if (field !== null) return field;
  throw missing(name);
}

function listOf(document: JsonDocument, name: string): JsonField | null {
  const field = present(document, name);
  return field === null || (field.type === 'array' && arrayIsEmpty(document, field)) ? null : field;
}

function readFlag(document: JsonDocument, name: string, path: string = name): boolean {
  const field = present(document, name);
  if (field === null) return false;
  if (field.type !== 'true' && field.type !== 'false') throw invalid(path, `"${path}" must be true or false.`);
  return field.type === 'true';
}

function readWholeNumber(document: JsonDocument, name: string, max: number): number | null {
  return readNumber(document, name, 1, max);
}

function readCount(document: JsonDocument, name: string, max: number): number | null {
  return readNumber(document, name, 0, max);
}

function readNumber(document: JsonDocument, name: string, min: number, max: number): number | null {
  const field = present(document, name);
  if (field === null) return null;
  const value = field.type === 'number' ? exactNumber(document, field) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw invalid(name, `"${name}" must be a whole number from ${min} to ${max}.`);
  }
  // `-0` is read as 0.
  return value === 0 ? 0 : value;
}

/** Longer than any accepted number is written. */
const NUMBER_BYTES_MAX = 32;
/** NaN if it is too long to be accepted. */
function exactNumber({ bytes }: JsonDocument, { valueStart, valueEnd }: JsonField): number {
  return valueEnd - valueStart > NUMBER_BYTES_MAX ? Number.NaN : Number(bytes.toString('latin1', valueStart, valueEnd));
}
