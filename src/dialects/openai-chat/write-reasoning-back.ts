/** Gives an assistant's earlier thoughts back to a provider, in the way it reads them. */
import type { AssistantBlock, ReasoningBlock } from '../../chat/request.ts';
import type { Habits } from '../dialect.ts';
import type { Written } from './write-parts.ts';

/**
 * Fields of an assistant's message, or null where nothing is to be given back.
 *
 * OpenRouter hands an opaque value on to whoever `format` says made it, so the origin must go with it:
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks. DeepSeek and its like want the text in
 * tool loops, whoever wrote it: https://api-docs.deepseek.com/guides/thinking_mode. Who takes none back is sent none, and no
 * warning is given: vendors forget earlier thoughts themselves, and a coding assistant returns them in every turn.
 */
export function writeReasoningBack(blocks: readonly AssistantBlock[], way: Habits['reasoningBack']): Written | null {
  if (way === 'none') return null;
  const thoughts = blocks.filter((block) => block.type === 'reasoning');
  if (way === 'reasoning_details') {
    return thoughts.length === 0 ? null : { reasoning_details: thoughts.map(writeDetail) };
  }
  const text = thoughts
    .map((thought) => thought.text)
    .filter((it) => it !== '')
    .join('\n\n');
  return text === '' ? null : { reasoning_content: text };
}

function writeDetail({ text, signature, encrypted, origin, id }: ReasoningBlock, index: number): Written {
  if (encrypted !== null) return { type: 'reasoning.encrypted', data: encrypted, id, format: origin, index };
  return { type: 'reasoning.text', text, signature: signature ?? undefined, id, format: origin, index };
}
