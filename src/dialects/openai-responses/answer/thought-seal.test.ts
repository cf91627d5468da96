/** Goal: a thought of any vendor comes back to it unchanged. Method: thoughts of every kind are written, and read back as items. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReasoningBlock } from '../../../chat/request.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { readThought } from '../request/read-thoughts.ts';
import { openThought } from './thought-seal.ts';
import { writeResponse } from './write-response.ts';

const block = (fields: Partial<ReasoningBlock>): ReasoningBlock => ({
  ...{ type: 'reasoning', text: '', signature: null, encrypted: null, origin: 'unknown' },
  ...fields,
});

const THOUGHTS: readonly (readonly ReasoningBlock[])[] = [
  [block({ text: 'Hm.\n', signature: 'a.b/c+d=', origin: 'anthropic-claude-v1' })],
  [block({ signature: 'only', origin: 'anthropic-claude-v1' })],
  [block({ encrypted: 'redacted', origin: 'anthropic-claude-v1' })],
  [block({ text: 'Hm', origin: 'google-gemini-v1' }), block({ encrypted: 'sig==', origin: 'google-gemini-v1' })],
  [block({ text: 'Hm', signature: 's', origin: 'odd.vendor%2E', id: 'a.b', summary: true })],
  [
    block({ text: 'S', origin: 'openai-responses-v1', id: 'rs_1', summary: true }),
    block({ encrypted: 'gAAA', origin: 'openai-responses-v1', id: 'rs_1' }),
  ],
  [block({ text: 'Hm', origin: 'xai-responses-v1' })],
];

test('each thought is read back as it was', () => {
  for (const blocks of THOUGHTS) {
    const items = itemsOf(blocks, true);
    assert.deepEqual(
      items.flatMap((item) => readThought(item as never, 'input[0]', new Set())),
      blocks,
    );
  }
});

test('a thought that is not shown is read back without its text', () => {
  const [item] = itemsOf(THOUGHTS[0] ?? [], false);
  assert.deepEqual(readThought(item as never, 'input[0]', new Set()), [
    block({ signature: 'a.b/c+d=', origin: 'anthropic-claude-v1' }),
  ]);
});

test('text alone is of an unknown vendor, and a value that was not made here is opaque', () => {
  const plain = { type: 'reasoning', id: 'rs_2', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] };
  assert.deepEqual(readThought(plain as never, 'x', new Set()), [block({ text: 'Hm' })]);
  for (const value of ['', 'gAAA', 'tp1.', 'tp1.signature', 'tp1.odd.o.i..v'])
    assert.equal(openThought(value), null, value);
});

function itemsOf(blocks: readonly ReasoningBlock[], showsReasoning: boolean): readonly object[] {
  const context: WriteContext = {
    ...{ callerModel: 'm', id: '1', created: 1, wantsUsage: true, showsReasoning, hidesReasoning: true },
    ...{ warnings: new Set<string>(), cost: () => null },
  };
  const finish = { reason: 'end', stopSequence: null, native: null, explanation: null } as const;
  const written = writeResponse({ id: null, blocks, finish, usage: null, warnings: [] }, context);
  return JSON.parse(written.toString()).output;
}
