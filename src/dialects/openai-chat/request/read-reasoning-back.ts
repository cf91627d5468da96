/**
 * An assistant's earlier thoughts as a caller sends them back: OpenRouter's `reasoning_details`, or only the text in `reasoning` or
 * `reasoning_content`. If there are details, the text repeats them.
 *
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
import { type ReasoningBlock, type ReasoningOrigin, UNKNOWN_REASONING } from '../../../chat/request.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { isBlank, readListOrEmpty, readName, readObject, readTextOrNull } from '../../kit/request/request-values.ts';
import { warnOfUnknown } from './unknown-fields.ts';
import { unrepeated } from './unrepeated.ts';

export function readReasoningBack(message: JsonObject, path: string, warnings: Set<string>): readonly ReasoningBlock[] {
  const details = readListOrEmpty(message['reasoning_details'], `${path}.reasoning_details`);
  if (details.length > 0) return readDetails(details, `${path}.reasoning_details`, warnings);
  const text =
    readTextOrNull(message['reasoning'], `${path}.reasoning`) ??
    readTextOrNull(message['reasoning_content'], `${path}.reasoning_content`) ??
    '';
  return isBlank(text) ? [] : [reasoningBlock(text, null, null, UNKNOWN_REASONING)];
}

/**
 * Entries of one `index` are pieces of one thought if a client has kept the pieces of a stream separate; the first names the vendor. What a
 * stream repeated at its end (`StreamedThoughts`) counts once.
 */
function readDetails(details: readonly unknown[], path: string, warnings: Set<string>): readonly ReasoningBlock[] {
  const blocks: ReasoningBlock[] = [];
  const origins = new Map<unknown, ReasoningOrigin>();
  const places = new Map<string, number>();
  let openIndex: unknown = null;
  for (const [position, value] of details.entries()) {
    const at = `${path}[${position}]`;
    const entry = readObject(value, at);
    const index = entry['index'] ?? null;
    const block = readDetail(entry, at, origins.get(index) ?? UNKNOWN_REASONING, warnings);
    if (block === null) continue;
    origins.set(index, block.origin);
    const proof = block.signature ?? block.encrypted;
    const known = proof === null ? undefined : places.get(proof);
    const last = blocks.at(-1);
    if (known !== undefined) {
      complete(blocks, known, block);
      continue;
    }
    if (last !== undefined && openIndex === index && continues(last, block)) {
      blocks[blocks.length - 1] = { ...last, ...block, text: last.text + block.text };
    } else {
      blocks.push(block);
    }
    if (proof !== null) places.set(proof, blocks.length - 1);
    openIndex = index;
  }
  return blocks.filter(({ text, signature, encrypted }) => text !== '' || signature !== null || encrypted !== null);
}

/** The same thought twice: its text, and its vendor, may be in either (pydantic-ai drops a format that is not on every piece). */
function complete(blocks: ReasoningBlock[], place: number, { text, origin, id }: ReasoningBlock): void {
  const known = blocks[place];
  if (known === undefined) return;
  blocks[place] = {
    ...known,
    ...(id !== undefined && known.id === undefined && { id }),
    text: known.text === '' ? text : known.text,
    origin: known.origin === UNKNOWN_REASONING ? origin : known.origin,
  };
}

function continues(last: ReasoningBlock, next: ReasoningBlock): boolean {
  if (last.signature !== null || last.encrypted !== null || next.encrypted !== null) return false;
  if (last.summary !== next.summary && next.signature === null) return false;
  return last.origin === next.origin && (next.id === undefined || last.id === undefined || next.id === last.id);
}

function readDetail(
  entry: JsonObject,
  path: string,
  openOrigin: ReasoningOrigin,
  warnings: Set<string>,
): ReasoningBlock | null {
  const { origin, id } = readNames(entry, path, openOrigin);
  const known = KNOWN_FIELDS.get(entry['type']);
  if (known !== undefined) warnOfUnknown(entry, known, 'messages[].reasoning_details[].', warnings);
  switch (entry['type']) {
    case 'reasoning.text': {
      const text = readTextOrNull(entry['text'], `${path}.text`) ?? '';
      // Joined by index, a summary and its signature have become one entry.
      const summary = readTextOrNull(entry['summary'], `${path}.summary`) ?? '';
      return reasoningBlock(
        text === '' ? summary : text,
        readTextOrNull(entry['signature'], `${path}.signature`) || null,
        null,
        origin,
        id,
      );
    }
    case 'reasoning.summary':
      return {
        ...reasoningBlock(readTextOrNull(entry['summary'], `${path}.summary`) ?? '', null, null, origin, id),
        summary: true,
      };
    case 'reasoning.encrypted':
      return reasoningBlock('', null, readName(entry['data'], `${path}.data`), origin, id);
    default:
      readName(entry['type'], `${path}.type`);
      warnings.add('messages[].reasoning_details holds entries of a type that is not known here; they were left out');
      return null;
  }
}

const KNOWN_FIELDS: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['reasoning.text', new Set(['type', 'id', 'index', 'format', 'text', 'summary', 'signature'])],
  ['reasoning.summary', new Set(['type', 'id', 'index', 'format', 'summary'])],
  ['reasoning.encrypted', new Set(['type', 'id', 'index', 'format', 'data'])],
]);

/** Clients that concatenate the strings of a stream have both as often as they were in the stream. */
function readNames(entry: JsonObject, path: string, openOrigin: ReasoningOrigin) {
  const { unit: origin, times } = unrepeated(readTextOrNull(entry['format'], `${path}.format`) || openOrigin);
  const id = readTextOrNull(entry['id'], `${path}.id`) || null;
  const named = id === null ? null : unrepeated(id);
  return { origin, id: named !== null && named.times === times ? named.unit : id };
}

function reasoningBlock(
  text: string,
  signature: string | null,
  encrypted: string | null,
  origin: string,
  id: string | null = null,
): ReasoningBlock {
  return { type: 'reasoning', text, signature, encrypted, origin, ...(id !== null && { id }) };
}
