/**
 * The output cap of a relayed request, under a name that the provider respects. A provider that does not know the name ignores the cap and
 * generates more than was held, or refuses the request.
 */
import { assert } from '../../../core/assert.ts';
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { type Edit, insertField, renameField, replaceValue } from '../../../wire/json-splice.ts';
import type { RequestEdits } from '../../interface/request-edits.ts';
import { present, readWholeNumber } from '../peek/peeked-fields.ts';
import type { OutputCapField, OutputCapFields, Quirks } from '../quirks.ts';

export interface CapEdits {
  readonly edits: readonly Edit[];
  /** The field to remove, or null. */
  readonly removed: JsonField | null;
}

/**
 * `own` is the caller's cap from the peek. A cap under a respected name stays; under another it is renamed; of two only the smaller one is
 * sent. The gateway's own is written under the first of the respected names. `null` counts as absent, and is removed if there is a cap.
 */
export function capEdits(
  document: JsonDocument,
  own: number | null,
  { outputCap, quirks: { outputCapFields } }: Pick<RequestEdits<Quirks>, 'outputCap' | 'quirks'>,
): CapEdits {
  const cap = outputCap ?? own;
  if (cap === null) return NO_EDITS;
  const given = NAMES.filter((name) => present(document, name) !== null);
  const [only] = given;
  if (only !== undefined && given.length === 1 && outputCapFields.includes(only)) {
    const removed = otherThan(document, only);
    return { edits: outputCap === null ? [] : [replace(document, only, cap)], removed };
  }
  return moved(document, cap, given, outputCapFields);
}

const NAMES: readonly OutputCapField[] = ['max_completion_tokens', 'max_tokens'];
const NO_EDITS: CapEdits = { edits: [], removed: null };

function moved(
  document: JsonDocument,
  cap: number,
  given: readonly OutputCapField[],
  [name]: OutputCapFields,
): CapEdits {
  const other = given.find((one) => one !== name);
  const field = other === undefined ? undefined : document.fields.get(other);
  if (!document.fields.has(name)) {
    if (field === undefined)
      return { edits: [insertField(document, name, String(cap))], removed: otherThan(document, name) };
    const renamed = renameField(document, field, name);
    const isKept = other === undefined || isWritten(document, other, cap);
    return { edits: isKept ? [renamed] : [renamed, replace(document, other, cap)], removed: null };
  }
  const edits = isWritten(document, name, cap) ? [] : [replace(document, name, cap)];
  return { edits, removed: otherThan(document, name) };
}

/** In addition to the cap that is sent, even a `null` is removed: a strict provider refuses a request with both names. */
function otherThan(document: JsonDocument, kept: OutputCapField): JsonField | null {
  const other = NAMES.find((name) => name !== kept);
  return other === undefined ? null : (document.fields.get(other) ?? null);
}

function replace(document: JsonDocument, name: OutputCapField, cap: number): Edit {
  const field = document.fields.get(name);
  assert(field !== undefined, 'only a field that is there is replaced');
  return replaceValue(field, String(cap));
}

function isWritten(document: JsonDocument, name: OutputCapField, cap: number): boolean {
  return readWholeNumber(document, name, Number.MAX_SAFE_INTEGER) === cap;
}
