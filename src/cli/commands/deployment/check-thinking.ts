/** Thoughts over two turns, as Claude Code sends them back: unchanged, with their signature. */

import { refusedFinding } from './check-answers.ts';
import { MESSAGES_TOOL, TOOL_PROMPT } from './check-tools.ts';
import { eventsIn, listAt, objectIn, type Reply, valueAt } from './deployment.ts';
import type { Examination, Finding } from './finding.ts';
import { messages } from './formats.ts';

/** https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking: the least budget. */
const THINKING_TOKENS = 1_024;
export const THOUGHTFUL_TOKENS = 2_048;
const NAME = 'Messages, thinking over two turns';
/** Claude's newer models think as they like, and refuse a budget. */
const WAYS = [
  { thinking: { type: 'enabled', budget_tokens: THINKING_TOKENS } },
  { thinking: { type: 'adaptive' } },
] as const;

export async function checkThinking(examination: Examination): Promise<readonly Finding[]> {
  return [await check(examination)];
}

async function check(examination: Examination): Promise<Finding> {
  const asked = { role: 'user', content: TOOL_PROMPT };
  for (const way of WAYS) {
    const first = await turn(examination, way, [asked]);
    if (first.status === 400) continue;
    if (first.status !== 200) return refusedFinding(examination, NAME, messages, first);
    const content = blocksIn(first);
    const isThinking = content.some((block) => valueAt(block, 'type') === 'thinking');
    if (!isThinking) return { name: NAME, state: 'skip', detail: 'not tested: the model did not think' };
    const called = content.find((block) => valueAt(block, 'type') === 'tool_use');
    const reply =
      called === undefined
        ? 'Thank you. Go on.'
        : [{ type: 'tool_result', tool_use_id: valueAt(called, 'id'), content: 'Sunny, 21 °C' }];
    const second = await turn(examination, way, [
      asked,
      { role: 'assistant', content },
      { role: 'user', content: reply },
    ]);
    if (second.status !== 200 || second.isCut)
      return {
        ...{
          name: NAME,
          state: 'fail',
          detail: `the second turn was refused with ${second.status}: ${shown(examination, second)}`,
        },
        fix: 'Check that a conversation stays with the provider that signed its thoughts, and that no proxy changes bodies.',
      };
    const isSigned = content.some((block) => typeof valueAt(block, 'signature') === 'string');
    return {
      name: NAME,
      state: 'ok',
      detail: isSigned ? 'signed thoughts were taken back' : 'thoughts were taken back',
    };
  }
  return { name: NAME, state: 'skip', detail: 'not tested: the model takes no `thinking`' };
}

function turn({ deployment, model }: Examination, way: object, conversation: readonly object[]): Promise<Reply> {
  return deployment.ask({
    path: messages.path(model, true),
    headers: messages.headers(deployment.key),
    body: {
      model,
      max_tokens: THOUGHTFUL_TOKENS,
      stream: true,
      ...way,
      tools: [MESSAGES_TOOL],
      messages: conversation,
    },
  });
}

function shown({ deployment }: Examination, reply: Reply): string {
  return deployment.shown(messages.errorIn(reply) ?? 'without a message');
}

/** The blocks of a streamed message, put together as a client does it. */
function blocksIn(reply: Reply): readonly Record<string, unknown>[] {
  const blocks: Record<string, unknown>[] = [];
  const inputs: string[] = [];
  for (const event of eventsIn(reply)) {
    const index = Number(valueAt(event, 'index'));
    const opened = valueAt(event, 'content_block');
    if (typeof opened === 'object' && opened !== null) blocks[index] = { ...opened };
    const block = blocks[index];
    const delta = valueAt(event, 'delta');
    if (block === undefined || delta === undefined) continue;
    for (const name of ['text', 'thinking', 'signature']) {
      const more = valueAt(delta, name);
      if (typeof more === 'string') block[name] = `${String(block[name] ?? '')}${more}`;
    }
    const json = valueAt(delta, 'partial_json');
    if (typeof json === 'string') inputs[index] = `${inputs[index] ?? ''}${json}`;
  }
  for (const [index, text] of inputs.entries())
    if (text !== undefined && blocks[index] !== undefined)
      blocks[index]['input'] = objectIn({ body: Buffer.from(text) });
  return listAt({ blocks }, 'blocks').filter((block) => block !== undefined) as Record<string, unknown>[];
}
