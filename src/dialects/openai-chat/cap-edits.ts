/**
 * The output cap of a relayed request, under a name that the provider obeys. A provider that does not know the name
 * reads past the cap, and generates more than was held for, or refuses the request.
 */
import { assert } from '../../core/assert.ts';
import type { JsonDocument } from '../../wire/json-scan.ts';
import { type Edit, insertField, removeField, renameField, replaceValue } from '../../wire/json-splice.ts';
import type { OutputCapField, OutputCapFields, RequestEdits } from '../dialect.ts';
import { present, readWholeNumber } from './request-fields.ts';

/**
 * `own` is the caller's cap as it was peeked. A cap under an obeyed name stays; under another it is renamed; of two the smaller one
 * goes out, once. The gateway's own is written under the first of the obeyed names. `null` counts as absent, and is taken out
 * beside a cap.
 */
export function capEdits(
  document: JsonDocument,
  own: number | null,
  { outputCap, outputCapFields }: Pick<RequestEdits, 'outputCap' | 'outputCapFields'>,
): readonly Edit[] {
  const cap = outputCap ?? own;
  if (cap === null) return NO_EDITS;
  const given = NAMES.filter((name) => present(document, name) !== null);
  const [only] = given;
  if (only !== undefined && given.length === 1 && outputCapFields.includes(only)) {
    const nulled = withoutOther(document, only);
    return outputCap === null ? nulled : [replace(document, only, cap), ...nulled];
  }
  return moved(document, cap, given, outputCapFields);
}

const NAMES: readonly OutputCapField[] = ['max_completion_tokens', 'max_tokens'];
const NO_EDITS: readonly Edit[] = [];

function moved(
  document: JsonDocument,
  cap: number,
  given: readonly OutputCapField[],
  [name]: OutputCapFields,
): readonly Edit[] {
  const other = given.find((one) => one !== name);
  const field = other === undefined ? undefined : document.fields.get(other);
  if (!document.fields.has(name)) {
    if (field === undefined) return [insertField(document, name, String(cap)), ...withoutOther(document, name)];
    const renamed = renameField(document, field, name);
    return other === undefined || isWritten(document, other, cap)
      ? [renamed]
      : [renamed, replace(document, other, cap)];
  }
  const edits = isWritten(document, name, cap) ? [] : [replace(document, name, cap)];
  return [...edits, ...withoutOther(document, name)];
}

/** Beside the cap that goes out, also a `null` is taken out: a strict provider refuses a request with both names. */
function withoutOther(document: JsonDocument, kept: OutputCapField): readonly Edit[] {
  const other = NAMES.find((name) => name !== kept);
  const field = other === undefined ? undefined : document.fields.get(other);
  return field === undefined ? NO_EDITS : [removeField(document, field)];
}

function replace(document: JsonDocument, name: OutputCapField, cap: number): Edit {
  const field = document.fields.get(name);
  assert(field !== undefined, 'only a field that is there is replaced');
  return replaceValue(field, String(cap));
}

function isWritten(document: JsonDocument, name: OutputCapField, cap: number): boolean {
  return readWholeNumber(document, name, Number.MAX_SAFE_INTEGER) === cap;
}
