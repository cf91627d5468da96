/**
 * What a request names of what a provider keeps: an earlier answer, or items by their ids. The gateway accepts only what calls of the same
 * project stored. https://platform.openai.com/docs/guides/conversation-state
 */
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { JsonDocument, JsonField, WatchedField } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import type { StoredReference } from '../../interface/peek.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { present } from './peeked-fields.ts';

/** Throws 400 for an id that is not a string, or too many of them. */
export function readReferences(document: JsonDocument): readonly StoredReference[] {
  const previous = present(document, 'previous_response_id');
  const found: StoredReference[] = [];
  if (previous !== null) found.push(referenceTo(document, previous, 'previous_response_id', true));
  const cursor = new FieldCursor();
  let lastStart = -1;
  for (const field of document.watched) {
    // A duplicate name would make the same object be walked again.
    if (field.path !== ITEM_ID || field.objectStart === lastStart || field.type === 'null') continue;
    lastStart = field.objectStart;
    const kind = kindOf(document.bytes, cursor, field);
    if (kind === 'content') continue;
    if (found.length >= REFERENCES_MAX)
      throw invalid('input', `"input" may refer to at most ${REFERENCES_MAX} stored items.`);
    found.push(referenceTo(document, field, ITEM_ID, kind === 'reference'));
  }
  return found.length === 0 ? NONE : found;
}

const ITEM_ID = 'input[].id';
const NONE: readonly StoredReference[] = [];
/** Each is looked up before the call is admitted. */
const REFERENCES_MAX = 1000;
/** No id is longer. */
const ID_BYTES_MAX = 512;

function referenceTo(document: JsonDocument, field: JsonField, param: string, isCertain: boolean): StoredReference {
  if (field.type !== 'string' || field.valueEnd - field.valueStart > ID_BYTES_MAX)
    throw invalid(param, `"${param}" must be an id, as a string.`);
  return { id: readString(document, field), param, isCertain };
}

/**
 * `reference`: `{type: "item_reference", id}`; the type may be absent. `hollow`: an item without the field that has its content, for which
 * some providers look in what they keep. Whatever is unclear is a reference.
 */
function kindOf(
  bytes: Buffer,
  cursor: FieldCursor,
  { objectStart }: Pick<WatchedField, 'objectStart'>,
): 'reference' | 'hollow' | 'content' {
  cursor.open(bytes, objectStart, bytes.length);
  let isKnown = false;
  let content: Buffer | null = null;
  const filled: Buffer[] = [];
  while (cursor.next()) {
    const value = bytes.subarray(cursor.valueStart, cursor.valueEnd);
    if (value.equals(NULL)) continue;
    if (cursor.keyIs(TYPE)) {
      if (value.equals(REFERENCE) || value.includes(BACKSLASH)) return 'reference';
      content = CONTENT_OF.find(([type]) => value.equals(type))?.[1] ?? null;
      isKnown = true;
    } else if (cursor.keyIs(ROLE)) isKnown = true;
    for (const [, name] of CONTENT_OF)
      if (cursor.keyIs(name) && value[0] === QUOTE && value.length > 2) filled.push(name);
  }
  if (cursor.broken || !isKnown) return 'reference';
  return content !== null && !filled.includes(content) ? 'hollow' : 'content';
}

const TYPE = Buffer.from('"type"');
const ROLE = Buffer.from('"role"');
const REFERENCE = Buffer.from('"item_reference"');
const NULL = Buffer.from('null');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ENCRYPTED = Buffer.from('"encrypted_content"');
/** The types of items that OpenAI completes from what it keeps, and the field that has the content. */
const CONTENT_OF: readonly (readonly [type: Buffer, name: Buffer])[] = [
  [Buffer.from('"reasoning"'), ENCRYPTED],
  [Buffer.from('"compaction"'), ENCRYPTED],
  [Buffer.from('"image_generation_call"'), Buffer.from('"result"')],
];
