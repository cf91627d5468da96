/**
 * What a request names of what a provider keeps: an earlier answer, or items by their ids. The gateway accepts only what calls of the same
 * project stored. https://platform.openai.com/docs/guides/conversation-state
 */
import { GatewayError } from '../../../core/errors.ts';
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { JsonDocument, JsonField, WatchedField } from '../../../wire/json-document.ts';
import { readString } from '../../../wire/json-read.ts';
import type { StoredReference } from '../../interface/peek.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { refuseManyValues } from '../../kit/peek/walked-values.ts';
import { present } from './peeked-fields.ts';

/** Throws 400 for an id that is not a string, or too many of them. */
export function readReferences(document: JsonDocument): readonly StoredReference[] {
  const previous = present(document, 'previous_response_id');
  const found: StoredReference[] = [];
  if (previous !== null) found.push(referenceTo(document, previous, 'previous_response_id', true));
  const cursor = new FieldCursor();
  let lastStart = -1;
  for (const field of document.watched) {
    if (field.type === 'null') continue;
    const { path } = field;
    let kind: ReturnType<typeof kindOf> = 'hollow';
    if (path === ITEM_ID) {
      if (field.objectStart === lastStart) throw unclear('is there twice');
      lastStart = field.objectStart;
      refuseManyValues(document, ITEM_ID);
      kind = kindOf(document.bytes, cursor, field);
      if (kind === 'content') continue;
    } else if (!CONTAINERS.has(path)) continue;
    if (found.length >= REFERENCES_MAX)
      throw invalid('input', `"input" may refer to at most ${REFERENCES_MAX} stored items.`);
    const reference = referenceTo(document, field, path, kind === 'reference');
    found.push(kind === 'thought' ? { ...reference, isThought: true } : reference);
  }
  return found.length === 0 ? NONE : found;
}

const ITEM_ID = 'input[].id';
/**
 * The container in which an earlier tool ran, with its files. A tool with a container of its own choice goes on in the one that the
 * conversation names: https://platform.openai.com/docs/guides/tools-code-interpreter#containers
 */
const CONTAINERS: ReadonlySet<string> = new Set(['input[].container_id', 'input[].environment.container_id']);
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
 * some providers look in what they keep; `thought`: the same of a thought. Whatever is unclear is a reference. Throws 400 where two providers could read two items: a name
 * with an escape, or one of these twice.
 */
function kindOf(
  bytes: Buffer,
  cursor: FieldCursor,
  { objectStart }: Pick<WatchedField, 'objectStart'>,
): 'reference' | 'hollow' | 'thought' | 'content' {
  cursor.open(bytes, objectStart, bytes.length);
  let isKnown = false;
  let isReference = false;
  let isThought = false;
  let content: Buffer | null = null;
  const seen: Buffer[] = [];
  const filled: Buffer[] = [];
  while (cursor.next()) {
    if (bytes.subarray(cursor.keyStart, cursor.keyEnd).includes(BACKSLASH)) throw unclear('has an escape');
    const name = NAMES.find((each) => cursor.keyIs(each));
    if (name === undefined) continue;
    if (seen.includes(name)) throw unclear('is there twice');
    seen.push(name);
    const value = bytes.subarray(cursor.valueStart, cursor.valueEnd);
    if (value.equals(NULL)) continue;
    if (name === TYPE || name === ROLE) isKnown = true;
    if (name === TYPE) {
      isReference = value.equals(REFERENCE) || value.includes(BACKSLASH);
      isThought = value.equals(THOUGHT);
      content = CONTENT_OF.find(([type]) => value.equals(type))?.[1] ?? null;
    }
    if (value[0] === QUOTE && value.length > 2) filled.push(name);
  }
  if (cursor.broken || !isKnown || isReference) return 'reference';
  if (content === null || filled.includes(content)) return 'content';
  return isThought ? 'thought' : 'hollow';
}

function unclear(how: string): GatewayError {
  return new GatewayError('duplicate_key', {
    message: `A name in an item of "input" ${how}, so it is not clear which item is meant. Send each name once, without escapes.`,
    param: 'input',
  });
}

const TYPE = Buffer.from('"type"');
const ROLE = Buffer.from('"role"');
const REFERENCE = Buffer.from('"item_reference"');
const NULL = Buffer.from('null');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const THOUGHT = Buffer.from('"reasoning"');
const ENCRYPTED = Buffer.from('"encrypted_content"');
const RESULT = Buffer.from('"result"');
/** The types of items that OpenAI completes from what it keeps, and the field that has the content. */
const CONTENT_OF: readonly (readonly [type: Buffer, name: Buffer])[] = [
  [THOUGHT, ENCRYPTED],
  [Buffer.from('"compaction"'), ENCRYPTED],
  [Buffer.from('"image_generation_call"'), RESULT],
];
/** All that decide what an item is. */
const NAMES: readonly Buffer[] = [TYPE, ROLE, ENCRYPTED, RESULT];
