/**
 * Thoughts of other vendors among the items of a relayed request. A caller that changes the model mid-conversation sends them to a provider
 * that refuses what it has not encrypted itself: so they are removed, each with its comma. Of those that the provider encrypted itself, the
 * gateway's mark is removed (`tagged-thoughts.ts`). Without a mark, an encrypted thought is OpenAI's.
 */
import { OPENAI_REASONING, type ReasoningOrigin } from '../../../chat/request.ts';
import { removeItems } from '../../../wire/array-items.ts';
import { type ArrayObject, objectsOf } from '../../../wire/array-objects.ts';
import type { JsonDocument, Mark } from '../../../wire/json-document.ts';
import type { Edit } from '../../../wire/json-splice.ts';
import { placesOf } from '../../../wire/mark-search.ts';
import { refuseManyValues } from '../../kit/peek/walked-values.ts';
import { isValueOf } from '../../kit/relay/is-value-of.ts';
import { TAG, tagOf } from '../answer/thought-seal.ts';

/** Where an opaque value with the gateway's tag may begin. */
/** No conversation has a tenth of this. */
const PLACES_MAX = 16 * 1024;
export const MARK: Mark = { text: Buffer.from(`"${TAG}`), max: PLACES_MAX };

export interface ThoughtEdits {
  /** In order of position. */
  readonly edits: readonly Edit[];
  /** Whether one of them removes a thought. */
  readonly hasRemoved: boolean;
}

/**
 * `origin`: whose thoughts the provider reads. `leftOut`: the ids of those that are removed although nothing in them says whose they are.
 * Nearly every body for OpenAI has no edit, which a single search shows. Throws `GatewayError` 400 for too many values.
 */
export function foreignThoughts(
  document: Pick<JsonDocument, 'bytes' | 'fields' | 'marks' | 'values'>,
  origin: ReasoningOrigin,
  leftOut: ReadonlySet<string> = NO_IDS,
): ThoughtEdits {
  const { bytes, fields } = document;
  const input = fields.get('input');
  if (input?.type !== 'array') return NO_EDITS;
  const isOpenai = origin === OPENAI_REASONING;
  const hasThoughts = isOpenai
    ? placesOf(MARK, document).some((mark) => isValueOf(bytes, mark, VALUES))
    : bytes.includes(ENCRYPTED);
  if (!hasThoughts && leftOut.size === 0) return NO_EDITS;
  refuseManyValues(document, 'input');
  const ownMark = Buffer.from(`"${tagOf(origin)}`);
  const unmarked: Edit[] = [];
  const removals = removeItems(objectsOf(bytes, input, NAMES), (item) => {
    const [value] = item.values;
    // Compactions have such values as well.
    const isOwn = !isOpenai && value != null && isAt(bytes, value.start, ownMark);
    if (isOwn) unmarked.push({ start: value.start + 1, end: value.start + ownMark.length, insert: NOTHING });
    return !isOwn && isForeign(bytes, item, origin, leftOut);
  });
  const edits = [...removals, ...unmarked].sort((left, right) => left.start - right.start);
  return { edits, hasRemoved: removals.length > 0 };
}

/** Of an item without a mark of the provider's. */
function isForeign(
  bytes: Buffer,
  { values: [value, type, id] }: ArrayObject,
  origin: ReasoningOrigin,
  leftOut: ReadonlySet<string>,
): boolean {
  if (type == null || bytes.toString('latin1', type.start, type.end) !== '"reasoning"') return false;
  if (value != null && bytes[value.start] === QUOTE && value.end - value.start > EMPTY_LENGTH)
    return origin !== OPENAI_REASONING || isAt(bytes, value.start, MARK.text);
  if (leftOut.size === 0) return false;
  return id != null && leftOut.has(String(JSON.parse(bytes.toString('utf8', id.start, id.end))));
}

function isAt(bytes: Buffer, at: number, word: Buffer): boolean {
  for (let index = 0; index < word.length; index += 1) if (bytes[at + index] !== word[index]) return false;
  return true;
}

const TYPE = Buffer.from('"type"');
const ENCRYPTED = Buffer.from('"encrypted_content"');
const VALUES = [ENCRYPTED];
const ID = Buffer.from('"id"');
const NAMES = [ENCRYPTED, TYPE, ID];
const NOTHING = Buffer.alloc(0);
const NO_IDS: ReadonlySet<string> = new Set();
const NO_EDITS: ThoughtEdits = { edits: [], hasRemoved: false };
/** Of a text without characters. */
const EMPTY_LENGTH = 2;
const QUOTE = 0x22;
