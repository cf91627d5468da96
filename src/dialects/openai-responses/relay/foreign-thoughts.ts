/**
 * Thoughts of other vendors that this gateway returned as reasoning items, with its own tag before the opaque value. A caller that changes the
 * model mid-conversation sends them to the provider, which refuses what it has not encrypted: so they are removed from a relayed request,
 * each with its comma.
 */
import { type ArrayItem, itemsOf, removeItems } from '../../../wire/array-items.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import type { Edit } from '../../../wire/json-splice.ts';
import { MarkSearch } from '../../../wire/mark-search.ts';
import { refuseManyValues } from '../../kit/peek/walked-values.ts';
import { lastValue } from '../../kit/relay/last-value.ts';
import { TAG } from '../answer/thought-seal.ts';

/** Where an opaque value with the gateway's tag may begin. */
export const MARK = Buffer.from(`"${TAG}`);
/** No conversation has a tenth of this. */
export const MARKS_MAX = 16 * 1024;

/** The removals, in order of position; throws `GatewayError` 400 for too many values. Nearly every body has none, which a single search shows. */
export function foreignThoughts(document: Pick<JsonDocument, 'bytes' | 'fields' | 'marks' | 'values'>): Edit[] {
  const { bytes, fields, marks } = document;
  const input = fields.get('input');
  if (input?.type !== 'array') return [];
  const found = marks ?? searched(bytes);
  if (found.length === 0) return [];
  refuseManyValues(document, 'input');
  let at = 0;
  return removeItems(itemsOf(bytes, input), (item) => {
    while (at < found.length && (found[at] as number) < item.start) at += 1;
    return at < found.length && (found[at] as number) < item.end && isForeign(bytes, item);
  });
}

function isForeign(bytes: Buffer, { start, end }: ArrayItem): boolean {
  const type = lastValue(bytes, start, end, TYPE);
  const value = type === null ? null : lastValue(bytes, start, end, ENCRYPTED);
  if (type === null || value === null || !isAt(bytes, value.start, MARK)) return false;
  return bytes.toString('latin1', type.start, type.end) === '"reasoning"';
}

function searched(bytes: Buffer): readonly number[] {
  const search = new MarkSearch(MARK, MARKS_MAX);
  search.feed(bytes, bytes.length);
  return search.found;
}

function isAt(bytes: Buffer, at: number, word: Buffer): boolean {
  for (let index = 0; index < word.length; index += 1) if (bytes[at + index] !== word[index]) return false;
  return true;
}

const TYPE = Buffer.from('"type"');
const ENCRYPTED = Buffer.from('"encrypted_content"');
