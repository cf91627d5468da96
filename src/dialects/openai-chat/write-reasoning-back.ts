/** Gives an assistant's earlier thoughts back to a provider, in the way it reads them. */
import { type AssistantBlock, type ReasoningBlock, UNKNOWN_REASONING } from '../../chat/request.ts';
import type { Habits } from '../dialect.ts';
import type { Written } from './write-parts.ts';

/**
 * Fields of an assistant's message, or null where nothing is to be given back.
 *
 * OpenRouter hands an opaque value on to whoever `format` says made it, so the origin must go with it:
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks. DeepSeek and its like want the text in
 * tool loops, whoever wrote it: https://api-docs.deepseek.com/guides/thinking_mode. Who takes none back is sent none. Of its own
 * thoughts no warning is given: vendors forget earlier ones themselves, and a coding assistant returns them in every turn. A vendor's
 * that has been changed for another in mid-conversation are told.
 */
export function writeReasoningBack(
  blocks: readonly AssistantBlock[],
  way: Habits['reasoningBack'],
  warnings: Set<string>,
): Written | null {
  const thoughts = blocks.filter((block) => block.type === 'reasoning');
  if (way !== 'reasoning_details' && thoughts.some((thought) => isLost(thought, way))) {
    warnings.add('reasoning that is not from this provider was left out of earlier turns');
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

/** An opaque value shows that another vendor made the thought: these providers give none. Its words alone may still be of use. */
function isLost({ signature, encrypted, origin }: ReasoningBlock, way: Habits['reasoningBack']): boolean {
  if (encrypted !== null) return true;
  return way === 'none' && (signature !== null || origin !== UNKNOWN_REASONING);
}

function writeDetail({ text, signature, encrypted, origin, id, summary }: ReasoningBlock, index: number): Written {
  if (encrypted !== null) return { type: 'reasoning.encrypted', data: encrypted, id, format: origin, index };
  if (summary === true && signature === null) {
    return { type: 'reasoning.summary', summary: text, id, format: origin, index };
  }
  return { type: 'reasoning.text', text, signature: signature ?? undefined, id, format: origin, index };
}
