/**
 * A tool loop whose last call came from another vendor: its thoughts are removed from a relayed request (`foreign-thoughts.ts`). A model that
 * thinks by a budget refuses to think without them, so thinking is switched off for this turn.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks
 */
import { type ArrayItem, itemsOf, removeItems } from '../../../wire/array-items.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { scanInside } from '../../../wire/json-scan.ts';
import { type Edit, replaceValue } from '../../../wire/json-splice.ts';
import { refuseManyValues } from '../../kit/peek/walked-values.ts';
import { lastValue } from '../../kit/relay/last-value.ts';

/** In no order; none if the model may think. `removals`: those of the thoughts, not empty. Throws `GatewayError` 400 for too many values. */
export function thoughtlessLoopEdits(document: JsonDocument, removals: readonly Edit[]): readonly Edit[] {
  const { bytes, fields } = document;
  const thinking = fields.get('thinking');
  if (thinking?.type !== 'object') return [];
  if (wordAt(bytes, { start: thinking.valueStart, end: thinking.valueEnd }, TYPE) !== '"enabled"') return [];
  if (!endsWithoutThought(document, removals)) return [];
  return [replaceValue(thinking, '{"type":"disabled"}'), ...clearedThoughts(document)];
}

/** Whether the last turn of the assistant has calls, and does not begin with a thought. */
function endsWithoutThought(document: JsonDocument, removals: readonly Edit[]): boolean {
  const { bytes, fields } = document;
  const messages = fields.get('messages');
  if (messages?.type !== 'array') return false;
  refuseManyValues(document, 'messages');
  const last = itemsOf(bytes, messages).findLast((message) => wordAt(bytes, message, ROLE) === '"assistant"');
  const content = last === undefined ? null : lastValue(bytes, last.start, last.end, CONTENT);
  if (content === null || bytes[content.start] !== OPEN_BRACKET) return false;
  const types = itemsOf(bytes, { valueStart: content.start, valueEnd: content.end })
    .filter((block) => !removals.some(({ start, end }) => start <= block.start && block.end <= end))
    .map((block) => wordAt(bytes, block, TYPE) ?? '');
  return types.includes('"tool_use"') && !THOUGHTS.has(types[0] ?? '');
}

/** What clears old thoughts is refused of a model that does not think: https://docs.anthropic.com/en/docs/build-with-claude/context-editing */
function clearedThoughts(document: JsonDocument): readonly Edit[] {
  const management = document.fields.get('context_management');
  if (management?.type !== 'object') return [];
  const edits = scanInside(document, management).fields.get('edits');
  if (edits?.type !== 'array') return [];
  const { bytes } = document;
  return removeItems(
    itemsOf(bytes, edits),
    (edit) => wordAt(bytes, edit, TYPE)?.startsWith('"clear_thinking') === true,
  );
}

/** The value of a field in the object, as it is written; null if it is not there. */
function wordAt(bytes: Buffer, { start, end }: ArrayItem, name: Buffer): string | null {
  const place = bytes[start] === OPEN_BRACE ? lastValue(bytes, start, end, name) : null;
  return place === null ? null : bytes.toString('latin1', place.start, Math.min(place.end, place.start + WORD_MAX));
}

const TYPE = Buffer.from('"type"');
const ROLE = Buffer.from('"role"');
const CONTENT = Buffer.from('"content"');
const THOUGHTS: ReadonlySet<string> = new Set(['"thinking"', '"redacted_thinking"']);
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
/** Longer than any word that is compared. */
const WORD_MAX = 64;
