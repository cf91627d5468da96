/** How the fields are declared that choose a model, a price, an upstream or stored data, in OpenAI's formats. */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import type { GovernedName } from './governed-names.ts';

export interface GovernedField extends GovernedName {
  readonly remedy: string;
  /** JSON values that go through although the field is governed; an array's items are judged one by one. */
  readonly passes: readonly (string | boolean)[];
}

/** A field of which no value is accepted. */
export function refused(name: string, reason: string, remedy: string): GovernedField {
  return { name, passes: [], reason, remedy };
}

/** A field of which these values are accepted. */
export function permitted(name: string, values: readonly (string | boolean)[], reason: string): GovernedField {
  const list = values.map((value) => JSON.stringify(value)).join(' or ');
  return { name, passes: values, reason, remedy: `Send ${list}, or leave this field out.` };
}

/** Whether this value goes through. `null` and `[]` always do. */
export function passes(document: JsonDocument, field: JsonField, governed: GovernedField): boolean {
  if (field.type === 'null') return true;
  if (field.valueEnd - field.valueStart > PASSING_BYTES_MAX) return false;
  const value = readValue(document, field);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.every((item) => (governed.passes as readonly unknown[]).includes(item));
}

/** No accepted value is longer than this, so a longer one is not read. */
const PASSING_BYTES_MAX = 128;
