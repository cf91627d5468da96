/**
 * The fields of a request that is written in another format. What the format has no place for is refused, so that nothing of it is lost silently; what
 * only says how exactly something is done is left out, with a warning.
 */
import type { JsonDocument, JsonField } from '../../../../wire/json-document.ts';
import { readString } from '../../../../wire/json-read.ts';
import { invalid, unsupported } from '../../../kit/errors/request-errors.ts';
import { requestFields } from '../../../kit/peek/request-fields.ts';
import { ROUTING_FIELDS } from '../../../kit/relay/routing-fields.ts';

export interface FieldsOfFormat {
  /** Those that are written, read here, or that the gateway obeys itself. */
  readonly known: readonly string[];
  /** Those that are left out with a warning. */
  readonly leftOut: readonly string[];
  /** Which provider it is, for errors. */
  readonly vendor: string;
}

/** Returns the warnings. Throws `GatewayError` 400 for a field that the format cannot express; one that is empty says nothing. */
export function checkFields(document: JsonDocument, { known, leftOut, vendor }: FieldsOfFormat): readonly string[] {
  const warnings: string[] = [];
  for (const [name, field] of document.fields) {
    if (known.includes(name) || GENERAL.has(name) || isEmpty(document, field)) continue;
    if (!leftOut.includes(name)) throw cannotPass(name, vendor);
    warnings.push(`${name} cannot be passed on to this provider and was left out`);
  }
  return warnings;
}

/** For a field or one of its values. */
export function cannotPass(name: string, vendor: string, what = `"${name}"`): Error {
  const shown = PLAIN_NAME.test(name) ? what : 'A field of the request';
  return unsupported(
    name,
    `${shown} cannot be passed on: the provider of this model is asked in ${vendor}'s own format.`,
  );
}

/** A field that is a text, or null if it is absent. Throws 400 for anything else. */
export function readText(document: JsonDocument, name: string): string | null {
  const field = requestFields.present(document, name);
  if (field === null) return null;
  if (field.type !== 'string') throw invalid(name, `"${name}" must be a text.`);
  return readString(document, field);
}

/** Of every request. Which user is served is nothing that other vendors need. */
const GENERAL: ReadonlySet<string> = new Set(['model', 'user', ...ROUTING_FIELDS]);
const PLAIN_NAME = /^[\w[\]-]{1,64}$/;

function isEmpty({ bytes }: JsonDocument, field: JsonField): boolean {
  const { type, valueStart, valueEnd } = field;
  return type === 'null' || (type === 'string' && valueEnd - valueStart === 2 && bytes[valueStart] === QUOTE);
}

const QUOTE = 0x22;
