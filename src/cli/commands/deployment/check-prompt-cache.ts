/** The second turn of a conversation reads its prompt from the provider's cache: without that, coding assistants cost several times as much. */

import { refusedFinding } from './check-answers.ts';
import { objectIn, type Reply, valueAt } from './deployment.ts';
import type { Examination, Finding } from './finding.ts';
import { messages } from './formats.ts';

export const CACHE_TOKENS = 32;
const NAME = 'Messages, second-turn cache hit';
/** Some models cache nothing below 4,096 tokens: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
const WORDS = 4_600;

/** The long part of the prompt; `nowMs` makes it new. */
export function longPrompt(nowMs: number): string {
  return `Session ${nowMs}. ${Array.from({ length: WORDS }, (_, index) => `word${index % 97}`).join(' ')}`;
}

export async function checkPromptCache(examination: Examination): Promise<readonly Finding[]> {
  const system = [{ type: 'text', text: longPrompt(examination.nowMs), cache_control: { type: 'ephemeral' } }];
  const asked = { role: 'user', content: 'Say one word. tokens=2 rate=0' };
  const first = await turn(examination, system, [asked]);
  if (first.status !== 200) return [refusedFinding(examination, NAME, messages, first)];
  const answered = { role: 'assistant', content: 'Yes.' };
  const second = await turn(examination, system, [
    asked,
    answered,
    { role: 'user', content: 'Another one. tokens=2 rate=0' },
  ]);
  if (second.status !== 200) return [refusedFinding(examination, NAME, messages, second)];
  const cached = Number(valueAt(objectIn(second), 'usage', 'cache_read_input_tokens') ?? 0);
  if (cached > 0)
    return [{ name: NAME, state: 'ok', detail: `${cached} tokens of the prompt were read from the cache` }];
  return [
    {
      ...{ name: NAME, state: 'warn', detail: 'the second turn read nothing from the cache' },
      fix: 'Check whether the model caches prompts, whether several credentials or providers take turns, and whether a proxy changes bodies.',
    },
  ];
}

function turn({ deployment, model }: Examination, system: object, conversation: readonly object[]): Promise<Reply> {
  return deployment.ask({
    path: messages.path(model, false),
    headers: messages.headers(deployment.key),
    body: { model, max_tokens: CACHE_TOKENS, system, messages: conversation },
  });
}
