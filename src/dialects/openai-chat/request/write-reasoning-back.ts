/** Sends an assistant's earlier thoughts back to a provider, in the form that it reads. */
import { type AssistantBlock, type ReasoningBlock, UNKNOWN_REASONING } from '../../../chat/request.ts';
import { FOREIGN_THOUGHTS, NOT_TAKEN_BACK } from '../../kit/answer/left-out-thoughts.ts';
import type { Quirks } from '../quirks.ts';
import type { Written } from './cache-marks.ts';

/**
 * Fields of an assistant's message, or null if there is nothing to send back.
 *
 * OpenRouter passes an opaque value to the vendor in `format`, so the origin must be sent too:
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks. DeepSeek and similar vendors expect the text in tool
 * loops, whatever its origin: https://api-docs.deepseek.com/guides/thinking_mode. Providers that accept none get none. Whatever is left out
 * is reported.
 */
export function writeReasoningBack(
  blocks: readonly AssistantBlock[],
  way: Quirks['reasoningBack'],
  warnings: Set<string>,
): Written | null {
  const thoughts = blocks.filter((block) => block.type === 'reasoning');
  if (way !== 'reasoning_details') {
    if (thoughts.some((thought) => isForeign(thought, way))) warnings.add(FOREIGN_THOUGHTS);
    else if (way === 'none' && thoughts.length > 0) warnings.add(NOT_TAKEN_BACK);
  }
  if (way === 'none') return null;
  if (way === 'reasoning_details') {
    return thoughts.length === 0 ? null : { reasoning_details: thoughts.map(writeDetail) };
  }
  const text = thoughts
    .map((thought) => thought.text)
    .filter((it) => it !== '')
    .join('\n\n');
  return text === '' ? null : { reasoning_content: text };
}

/** An opaque value shows that another vendor made the thought, since these providers return none. Text alone may still be of use. */
function isForeign({ text, signature, encrypted, origin }: ReasoningBlock, way: Quirks['reasoningBack']): boolean {
  if (encrypted !== null || text === '') return true;
  return way === 'none' && (signature !== null || origin !== UNKNOWN_REASONING);
}

function writeDetail({ text, signature, encrypted, origin, id, summary }: ReasoningBlock, index: number): Written {
  if (encrypted !== null) return { type: 'reasoning.encrypted', data: encrypted, id, format: origin, index };
  if (summary === true && signature === null) {
    return { type: 'reasoning.summary', summary: text, id, format: origin, index };
  }
  return { type: 'reasoning.text', text, signature: signature ?? undefined, id, format: origin, index };
}
