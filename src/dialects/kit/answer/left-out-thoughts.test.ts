/**
 * Goal: no thought is left out of an answer silently. Method: every format writes the same thoughts, whole and as a stream, for callers
 * that want to see them, that did not say, and that asked to hide them; what is missing from the bytes must be reported.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReasoningBlock } from '../../../chat/request.ts';
import type { AnswerBlock, ChatEvent, Finish } from '../../../chat/response.ts';
import type { RelayDialect } from '../../dialect.ts';
import { relayDialects } from '../../index.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';

const WORDS = 'The tide turns.';
const thought: ReasoningBlock = {
  type: 'reasoning',
  text: WORDS,
  signature: null,
  encrypted: null,
  origin: 'unknown',
};
const THOUGHTS: Readonly<Record<string, ReasoningBlock>> = {
  'in words': thought,
  signed: { ...thought, signature: 'c2ln', origin: 'anthropic-claude-v1' },
  'signed by another vendor': { ...thought, signature: 'c2ln', origin: 'google-gemini-v1' },
  'named, a summary': { ...thought, id: 'rs_1', summary: true, origin: 'openai-responses-v1' },
};
const END: Finish = { reason: 'end', stopSequence: null, native: 'end', explanation: null };
const TEXT: AnswerBlock = { type: 'text', text: 'Ahoy', citations: [] };

for (const dialect of Object.values(relayDialects))
  describe(`for a caller of ${dialect.name}`, () => {
    for (const [name, block] of Object.entries(THOUGHTS))
      for (const [how, write] of Object.entries({ whole, streamed })) {
        test(`a thought ${name}, ${how}, is shown to a caller that asks for it`, () => {
          const { written, warnings } = write(dialect, block, { showsReasoning: true, hidesReasoning: false });
          assert.ok(written.includes(WORDS), written);
          assert.deepEqual(warnings, []);
        });

        test(`a thought ${name}, ${how}, that nobody asked for is reported`, () => {
          const { written, warnings } = write(dialect, block, { showsReasoning: false, hidesReasoning: false });
          assert.ok(!written.includes(WORDS), written);
          assert.deepEqual(warnings, ['reasoning was left out of the answer, because it was not requested']);
        });

        test(`a thought ${name}, ${how}, that the caller asked to hide is hidden`, () => {
          const { written, warnings } = write(dialect, block, { showsReasoning: false, hidesReasoning: true });
          assert.ok(!written.includes(WORDS), written);
          assert.deepEqual(warnings, []);
        });
      }

    test('an answer without thoughts has no warning', () => {
      const empty = { ...thought, text: '' };
      for (const write of [whole, streamed])
        assert.deepEqual(write(dialect, empty, { showsReasoning: false, hidesReasoning: false }).warnings, []);
    });
  });

type Shown = Pick<WriteContext, 'showsReasoning' | 'hidesReasoning'>;
interface Answer {
  readonly written: string;
  readonly warnings: readonly string[];
}

function contextOf(shown: Shown): WriteContext {
  const context = { callerModel: 'mine/model', id: '01', created: 1, wantsUsage: false, cost: () => null };
  return { ...context, ...shown, warnings: new Set() };
}

function whole(dialect: RelayDialect, block: ReasoningBlock, shown: Shown): Answer {
  const context = contextOf(shown);
  const response = { id: null, blocks: [block, TEXT], finish: END, usage: null, warnings: [] };
  return { written: String(dialect.writeResponse(response, context)), warnings: [...context.warnings] };
}

function streamed(dialect: RelayDialect, block: ReasoningBlock, shown: Shown): Answer {
  const context = contextOf(shown);
  const writer = dialect.openWriter(context);
  const { type, encrypted, origin, id, summary } = block;
  const opened = {
    type,
    encrypted,
    origin,
    ...(id !== undefined && { id }),
    ...(summary !== undefined && { summary }),
  };
  const events: ChatEvent[] = [
    { type: 'start', id: null, usage: null },
    { type: 'block_start', block: opened },
    ...(block.text === '' ? [] : [{ type: 'reasoning', text: block.text } as const]),
    ...(block.signature === null ? [] : [{ type: 'signature', signature: block.signature, origin } as const]),
    { type: 'block_end' },
    { type: 'block_start', block: { type: 'text' } },
    { type: 'text', text: 'Ahoy' },
    { type: 'block_end' },
    { type: 'finish', finish: END },
    { type: 'end', usage: null },
  ];
  const written = Buffer.concat(events.map((event) => writer.event(event))).toString();
  return { written, warnings: [...context.warnings] };
}
