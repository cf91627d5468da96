/** Edits to bytes that leave every other byte unchanged. */
import { assert } from '../core/assert.ts';
import type { Body } from '../core/body.ts';
import type { JsonDocument, JsonField } from './json-document.ts';
import { isSpace, skipString } from './json-grammar.ts';

/** Replaces `bytes[start, end)` by `insert`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly insert: Buffer;
}

/** The bytes with the edits applied; the same buffer when there are none. Edits are sorted and do not overlap. */
export function splice(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes;
  const spliced = Buffer.allocUnsafe(splicedLength(bytes, edits));
  let from = 0;
  let to = 0;
  for (const { start, end, insert } of edits) {
    to += bytes.copy(spliced, to, from, start);
    to += insert.copy(spliced, to);
    from = end;
  }
  bytes.copy(spliced, to, from);
  return spliced;
}

/**
 * The same for large bodies: above `COPIED_BYTES_MAX` bytes are not copied, but returned as slices of the original with the inserts between
 * them. Touching fresh memory for a body of 32 MiB blocks the event loop for tens of milliseconds.
 */
export function spliceParts(bytes: Buffer, edits: readonly Edit[]): Body {
  if (bytes.length <= COPIED_BYTES_MAX || edits.length === 0) return splice(bytes, edits);
  splicedLength(bytes, edits);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, insert } of edits) {
    if (start > from) parts.push(bytes.subarray(from, start));
    if (insert.length > 0) parts.push(insert);
    from = end;
  }
  if (from < bytes.length) parts.push(bytes.subarray(from));
  return parts;
}

/** Replaces a field's value by `json`, the text of a value. */
export function replaceValue(field: JsonField, json: string | Buffer): Edit {
  return { start: field.valueStart, end: field.valueEnd, insert: typeof json === 'string' ? Buffer.from(json) : json };
}

/** Renames a field; its value stays. */
export function renameField({ bytes }: JsonDocument, { keyStart }: JsonField, name: string): Edit {
  return { start: keyStart, end: skipString(bytes, keyStart + 1), insert: Buffer.from(JSON.stringify(name)) };
}

/**
 * Adds a field as the first of a document's object; for an object inside, pass its `scanInside`. `json` is the text of the value. The
 * object must not have a field of that name, and if a field is removed from it in the same splice, another must stay: whether a comma is
 * needed depends on what is in it now.
 */
export function insertField(document: JsonDocument, name: string, json: string | Buffer): Edit {
  assert(!document.fields.has(name), 'a field is added once');
  const start = document.objectStart + 1;
  const comma = document.fields.size === 0 ? '' : ',';
  if (typeof json === 'string')
    return { start, end: start, insert: Buffer.from(`${JSON.stringify(name)}:${json}${comma}`) };
  const insert = Buffer.concat([Buffer.from(`${JSON.stringify(name)}:`), json, Buffer.from(comma)]);
  return { start, end: start, insert };
}

/** Removes fields of one object with their commas; sorted. In a splice, remove all fields of one object with one call. */
export function removeFields(document: JsonDocument, fields: readonly JsonField[]): readonly Edit[] {
  const [only] = fields;
  if (only === undefined) return [];
  if (fields.length === 1) return [removeField(document, only)];
  const edits: Edit[] = [];
  for (const field of [...fields].sort((left, right) => left.keyStart - right.keyStart)) {
    const edit = removeField(document, field);
    const before = edits.at(-1);
    // The comma before the last field of an object was removed with its neighbour.
    if (before === undefined || before.end < edit.start) edits.push(edit);
    else edits[edits.length - 1] = joined(document, before, edit);
  }
  return edits;
}

/** Joins adjacent removals; if they end the object, the comma before the first is removed. */
function joined({ bytes }: JsonDocument, { start }: Edit, { start: next, end }: Edit): Edit {
  if (bytes[next] !== COMMA) return { start, end, insert: NOTHING };
  let before = start - 1;
  while (isSpace(bytes[before] as number)) before--;
  return { start: bytes[before] === COMMA ? before : start, end, insert: NOTHING };
}

/** Removes a field with its comma. At most one field per object in a splice: see `removeFields`. */
export function removeField(document: JsonDocument, field: JsonField): Edit {
  const { bytes } = document;
  const after = skipSpace(bytes, field.valueEnd);
  if (bytes[after] === COMMA) return { start: field.keyStart, end: skipSpace(bytes, after + 1), insert: NOTHING };
  let before = field.keyStart - 1;
  while (isSpace(bytes[before] as number)) before--;
  const start = bytes[before] === COMMA ? before : field.keyStart;
  return { start, end: field.valueEnd, insert: NOTHING };
}

/** Below this a copy is cheaper than several writes. */
const COPIED_BYTES_MAX = 64 * 1024;
const COMMA = 0x2c;
const NOTHING = Buffer.alloc(0);

/** The length of the edited bytes; also checks the edits. */
function splicedLength(bytes: Buffer, edits: readonly Edit[]): number {
  let length = bytes.length;
  let kept = 0;
  for (const { start, end, insert } of edits) {
    assert(start >= kept && end >= start && end <= bytes.length, 'edits are sorted, apart and inside the bytes');
    length += insert.length - (end - start);
    kept = end;
  }
  return length;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at] as number)) at++;
  return at;
}
