/** Sends an assistant's earlier thoughts back: https://platform.openai.com/docs/guides/reasoning#encrypted-reasoning-items */
import { type ReasoningBlock, UNKNOWN_REASONING } from '../../../chat/request.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { FOREIGN_THOUGHTS, NOT_TAKEN_BACK } from '../../kit/answer/left-out-thoughts.ts';
import type { Quirks } from '../quirks.ts';

/** Whether the provider made it, and can read it. */
export function isOwnThought({ origin }: ReasoningBlock, { thoughtOrigin }: Quirks): boolean {
  return origin === thoughtOrigin;
}

/**
 * The items of thoughts that stand next to each other: the blocks of one item (its summaries, its text, its opaque value) become one again.
 * What the provider cannot read is left out with a warning.
 */
export function writeThoughts(
  blocks: readonly ReasoningBlock[],
  { quirks, warnings }: { readonly quirks: Quirks; readonly warnings: Set<string> },
): readonly JsonObject[] {
  const items: JsonObject[] = [];
  for (const item of itemsOf(blocks)) {
    const written = writeItem(item, quirks);
    if (written !== null) items.push(written);
    else warnings.add(item.some((block) => isForeign(block, quirks)) ? FOREIGN_THOUGHTS : NOT_TAKEN_BACK);
  }
  return items;
}

/** Blocks of the same item have the same id; an opaque value ends its item. */
function itemsOf(blocks: readonly ReasoningBlock[]): readonly (readonly ReasoningBlock[])[] {
  const items: ReasoningBlock[][] = [];
  let open: ReasoningBlock[] | null = null;
  for (const block of blocks) {
    const first: ReasoningBlock | undefined = open?.[0];
    if (open !== null && first !== undefined && first.id === block.id && first.origin === block.origin)
      open.push(block);
    else {
      open = [block];
      items.push(open);
    }
    if (opaqueOf(block) !== null) open = null;
  }
  return items;
}

function isForeign(block: ReasoningBlock, quirks: Quirks): boolean {
  return !isOwnThought(block, quirks) && (opaqueOf(block) !== null || block.origin !== UNKNOWN_REASONING);
}

function writeItem(blocks: readonly ReasoningBlock[], quirks: Quirks): JsonObject | null {
  const [first] = blocks;
  if (first === undefined || !blocks.every((block) => isOwnThought(block, quirks))) return null;
  const encrypted = blocks.map(opaqueOf).find((value) => value !== null) ?? null;
  const summary = blocks.filter((block) => block.text !== '' && block.summary === true);
  const content = quirks.rawThoughts ? blocks.filter((block) => block.text !== '' && block.summary !== true) : [];
  if (encrypted === null && content.length === 0) return null;
  return {
    type: 'reasoning',
    id: first.id,
    summary: summary.map(({ text }) => ({ type: 'summary_text', text })),
    content: content.length === 0 ? undefined : content.map(({ text }) => ({ type: 'reasoning_text', text })),
    encrypted_content: encrypted ?? undefined,
  };
}

/** A format with one field for opaque values has it as a signature. */
function opaqueOf({ encrypted, signature }: ReasoningBlock): string | null {
  return encrypted ?? signature;
}
