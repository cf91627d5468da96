/** Gives an assistant's earlier thoughts back to a provider, in the way it reads them. */
import type { AssistantBlock, ReasoningBlock } from '../../chat/request.ts';
import type { Habits } from '../dialect.ts';
import type { Written } from './write-parts.ts';

/**
 * Fields of an assistant's message, or null where nothing is to be given back.
 *
 * OpenRouter hands an opaque value on to whoever `format` says made it, so the origin must go with it:
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks. DeepSeek and its like want the text in
 * tool loops, whoever wrote it: https://api-docs.deepseek.com/guides/thinking_mode
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

function writeDetail({ text, signature, encrypted, origin }: ReasoningBlock, index: number): Written {
  if (encrypted !== null) return { type: 'reasoning.encrypted', data: encrypted, format: origin, index };
  return { type: 'reasoning.text', text, signature: signature ?? undefined, format: origin, index };
}
