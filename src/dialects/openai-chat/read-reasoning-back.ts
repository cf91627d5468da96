/**
 * An assistant's earlier thoughts as a caller sends them back: OpenRouter's `reasoning_details`, or the text alone
 * in `reasoning` or `reasoning_content`. Where details are given the text repeats them.
 *
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
import { type ReasoningBlock, UNKNOWN_REASONING } from '../../chat/request.ts';
import type { JsonObject } from './json-value.ts';
import { isBlank, listAt, nameAt, objectAt, optionalString } from './read-values.ts';

export function readReasoningBack(message: JsonObject, path: string, warnings: Set<string>): readonly ReasoningBlock[] {
  const details = listAt(message['reasoning_details'], `${path}.reasoning_details`);
  if (details.length > 0) return readDetails(details, `${path}.reasoning_details`, warnings);
  const text =
    optionalString(message['reasoning'], `${path}.reasoning`) ??
    optionalString(message['reasoning_content'], `${path}.reasoning_content`) ??
    '';
  return isBlank(text) ? [] : [reasoningBlock(text, null, null, UNKNOWN_REASONING)];
}

/** Entries of one `index` are pieces of one thought when a client has kept the pieces of a stream apart. */
function readDetails(details: readonly unknown[], path: string, warnings: Set<string>): readonly ReasoningBlock[] {
  const blocks: ReasoningBlock[] = [];
  let openIndex: unknown = null;
  details.forEach((value, position) => {
    const at = `${path}[${position}]`;
    const entry = objectAt(value, at);
    const block = readDetail(entry, at, warnings);
    if (block === null) return;
    const last = blocks.at(-1);
    if (last !== undefined && openIndex === (entry['index'] ?? null) && continues(last, block)) {
      blocks[blocks.length - 1] = { ...last, ...block, text: last.text + block.text };
    } else {
      blocks.push(block);
    }
    openIndex = entry['index'] ?? null;
  });
  return blocks.filter(({ text, signature, encrypted }) => text !== '' || signature !== null || encrypted !== null);
}

function continues(last: ReasoningBlock, next: ReasoningBlock): boolean {
  if (last.signature !== null || last.encrypted !== null || next.encrypted !== null) return false;
  if (last.summary !== next.summary && next.signature === null) return false;
  return last.origin === next.origin && (next.id === undefined || last.id === undefined || next.id === last.id);
}

function readDetail(entry: JsonObject, path: string, warnings: Set<string>): ReasoningBlock | null {
  const origin = optionalString(entry['format'], `${path}.format`) || UNKNOWN_REASONING;
  const id = optionalString(entry['id'], `${path}.id`) || null;
  switch (entry['type']) {
    case 'reasoning.text': {
      const text = optionalString(entry['text'], `${path}.text`) ?? '';
      return reasoningBlock(text, optionalString(entry['signature'], `${path}.signature`) || null, null, origin, id);
    }
    case 'reasoning.summary':
      return {
        ...reasoningBlock(optionalString(entry['summary'], `${path}.summary`) ?? '', null, null, origin, id),
        summary: true,
      };
    case 'reasoning.encrypted':
      return reasoningBlock('', null, nameAt(entry['data'], `${path}.data`), origin, id);
    default:
      nameAt(entry['type'], `${path}.type`);
      warnings.add('messages[].reasoning_details holds entries of a type that is not known here; they were left out');
      return null;
  }
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
