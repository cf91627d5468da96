/** Reads single fields of a form's document, in which each is a text; see `request-fields.ts`. */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import { invalid } from '../errors/request-errors.ts';
import { type RequestFields, requestFields } from './request-fields.ts';

export const formFields: Pick<RequestFields<string>, 'readFlag' | 'readWholeNumber'> = { readFlag, readWholeNumber };

/** A field as a text; null if it is absent, or a file. */
export function readText(document: JsonDocument, name: string): string | null {
  const field = requestFields.present(document, name);
  return field === null || field.type !== 'string' ? null : readString(document, field);
}

function readFlag(document: JsonDocument, name: string): boolean {
  const text = readText(document, name)?.toLowerCase() ?? 'false';
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0' || text === '') return false;
  throw invalid(name, `"${name}" must be true or false.`);
}

function readWholeNumber(document: JsonDocument, name: string, max: number): number | null {
  const text = readText(document, name);
  if (text === null) return null;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw invalid(name, `"${name}" must be a whole number from 1 to ${max}.`);
  return value;
}
