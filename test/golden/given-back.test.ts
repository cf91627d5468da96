/**
 * Goal: what a caller sends back reaches the provider unchanged, and callers that use legacy fields get legacy answers.
 * Method: an answer is written for a caller, whole and streamed, and the caller's next request is written for the provider.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReasoningBlock } from '../../src/chat/request.ts';
import type { ChatResponse } from '../../src/chat/response.ts';
import { NO_USAGE } from '../../src/core/usage.ts';
import { inboundOf } from '../../src/dialects/contract.ts';
import { relayDialects } from '../../src/dialects/index.ts';
import type { WriteContext } from '../../src/dialects/interface/stream-writer.ts';
import { SseSplitter } from '../../src/wire/frames/sse-splitter.ts';
import { callerNames, providerNames } from './fixtures.ts';
import { loopClients } from './loop-clients.ts';
import { eventsOf } from './neutral-events.ts';
import { openTarget, targetsOf } from './targets.ts';
import { readFixture, translateAnswer, translateStream, writeNeutral, writeStream, writeWhole } from './translate.ts';

const openAi = relayDialects['openai-chat'];
const anthropic = relayDialects['anthropic-messages'];
const format = 'openai-responses-v1';
const details = [
  { type: 'reasoning.summary', summary: 'Looking.', id: 'rs_1', format, index: 0 },
  { type: 'reasoning.encrypted', data: 'c2VhbGVk', id: 'rs_1', format, index: 1 },
];

test('a summary and an encrypted thought are sent back with their type and the vendor’s id', () => {
  const finish = { index: 0, finish_reason: 'stop' };
  const message = { role: 'assistant', content: 'Aye', reasoning_details: details };
  const whole = { id: 'x', object: 'chat.completion', choices: [{ ...finish, message }] };
  const answer =
    translateAnswer('openai-chat', 'anthropic-messages', Buffer.from(JSON.stringify(whole)))?.bytes.toString() ?? '';
  assert.deepEqual(detailsGivenBack(JSON.parse(answer).content), details);

  const chunks = [{ choices: [{ index: 0, delta: message }] }, { choices: [{ ...finish, delta: {} }] }];
  const stream = `${chunks.map((chunk) => `data: ${JSON.stringify({ id: 'x', ...chunk })}\n\n`).join('')}data: [DONE]\n\n`;
  const { bytes } = translateStream('openai-chat', 'anthropic-messages', Buffer.from(stream));
  const content: Record<string, unknown>[] = [];
  for (const { data } of new SseSplitter().push(bytes)) {
    const event = JSON.parse(data?.toString() ?? '{}');
    if (event.type === 'content_block_start') content.push(event.content_block);
    if (event.type === 'content_block_delta') {
      const { type: _type, ...delta } = event.delta;
      Object.assign(content.at(-1) ?? {}, delta);
    }
  }
  assert.deepEqual(detailsGivenBack(content), details);
});

for (const from of callerNames.filter((name) => name !== 'openai-chat')) {
  for (const way of ['whole', 'streamed'] as const) {
    test(`${from}: a client sends them back as well, with their type and the vendor’s id, ${way}`, () => {
      const client = loopClients[from]?.();
      assert.ok(client !== undefined);
      if (way === 'whole') client.takeWhole(JSON.parse(writeWhole(from, THOUGHTFUL).bytes.toString()));
      else client.takeStream(writeStream(from, eventsOf(THOUGHTFUL)).bytes);
      const read = readFixture({ from, name: 'back', about: 'thoughts', ...client.request('Noon.') });
      assert.ok(read.type === 'read', JSON.stringify(read));
      const written = writeNeutral(read.request, 'openai-chat', openTarget);
      assert.ok(written.type === 'written');
      const { messages } = written.body as { messages: { role: string; reasoning_details?: unknown }[] };
      assert.deepEqual(messages.find(({ role }) => role === 'assistant')?.reasoning_details, details);
    });
  }
}

test('thoughts of another vendor that a provider does not take are reported, whoever calls', () => {
  for (const from of callerNames) {
    for (const to of providerNames.filter((name) => String(name) !== from)) {
      const client = loopClients[from]?.();
      assert.ok(client !== undefined);
      client.takeWhole(JSON.parse(writeWhole(from, THOUGHTFUL).bytes.toString()));
      const read = readFixture({ from, name: 'back', about: 'thoughts', ...client.request('Noon.') });
      assert.ok(read.type === 'read', JSON.stringify(read));
      for (const { name, target } of targetsOf(to)) {
        const written = writeNeutral(read.request, to, target);
        assert.ok(written.type === 'written');
        const isThere = JSON.stringify(written.body).includes('c2VhbGVk');
        const isReported = written.warnings.some((text) => /^(reasoning|thinking|thoughts?) /.test(text));
        assert.notEqual(isThere, isReported, `${from} for ${name} of ${to}: ${written.warnings}`);
      }
    }
  }
});

/** Looks, and then calls. */
const THOUGHTFUL: ChatResponse = {
  id: 'x',
  blocks: [
    { ...thought('Looking.', null), summary: true },
    thought('', 'c2VhbGVk'),
    { type: 'tool_call', id: 'call_1', name: 'tide', input: { port: 'Brest' }, cache: null },
  ],
  finish: { reason: 'tool_calls', native: null, stopSequence: null, explanation: null },
  usage: NO_USAGE,
  warnings: [],
};

function thought(text: string, encrypted: string | null): ReasoningBlock {
  return { type: 'reasoning', text, signature: null, encrypted, origin: format, id: 'rs_1' };
}

test('a caller that sends functions gets a function_call, whole and streamed', () => {
  const request = openAi.readRequest(
    inboundOf(
      openAi,
      JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'q' }], functions: [{ name: 'f' }] }),
    ),
  );
  assert.deepEqual([request.oldFunctions, request.parallelTools], [true, false]);
  const called = (id: string) => ({ type: 'tool_use', id, name: 'f', input: { a: 1 } });
  const body = { id: 'x', type: 'message', content: [called('a'), called('b')], stop_reason: 'tool_use' };
  const response = anthropic.readResponse(Buffer.from(JSON.stringify(body)));
  assert.ok(response !== null);
  const context = contextOf();
  const [choice] = JSON.parse(openAi.writeResponse(response, context).toString()).choices;
  assert.deepEqual(choice.message.function_call, { name: 'f', arguments: '{"a":1}' });
  assert.deepEqual([choice.message.tool_calls, choice.finish_reason], [undefined, 'function_call']);
  assert.equal(context.warnings.size, 1);

  const writer = openAi.openWriter(contextOf());
  const written = [
    { type: 'start', id: null, usage: null } as const,
    { type: 'block_start', block: { type: 'tool_call', id: 'a', name: 'f' } } as const,
    { type: 'arguments', json: '{"a":1}' } as const,
    { type: 'block_end' } as const,
    { type: 'block_start', block: { type: 'tool_call', id: 'b', name: 'f' } } as const,
    { type: 'block_end' } as const,
    {
      type: 'finish',
      finish: { reason: 'tool_calls', native: 'tool_use', stopSequence: null, explanation: null },
    } as const,
    { type: 'end', usage: null } as const,
  ].map((event) => writer.event(event).toString());
  const deltas = written
    .flatMap((text) => text.split('\n\n'))
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)).choices[0]);
  const parts = deltas.map(({ delta }) => delta.function_call).filter((part) => part !== undefined);
  assert.deepEqual(parts, [{ name: 'f', arguments: '' }, { arguments: '{"a":1}' }]);
  assert.equal(deltas.at(-1).finish_reason, 'function_call');
});

test('omitted thoughts are reported, whichever vendor made them', () => {
  const lossesOf = (block: object, reasoningBack: 'none' | 'reasoning_content') => {
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [block, { type: 'text', text: 'a' }] },
      { role: 'user', content: 'r' },
    ];
    const request = anthropic.readRequest(
      inboundOf(anthropic, JSON.stringify({ model: 'm', max_tokens: 9, messages })),
    );
    return openAi.writeRequest(request, { ...openTarget, quirks: { ...openTarget.quirks, reasoningBack } }).warnings
      .length;
  };
  const thought = (signature: string) => ({ type: 'thinking', thinking: 't', signature });
  assert.equal(lossesOf(thought('tp1.unknown.'), 'none'), 1);
  assert.equal(lossesOf(thought('tp1.unknown.'), 'reasoning_content'), 0);
  assert.equal(lossesOf(thought('c2ln'), 'none'), 1);
  assert.equal(lossesOf(thought('c2ln'), 'reasoning_content'), 0);
  assert.equal(lossesOf({ type: 'redacted_thinking', data: 'eA' }, 'reasoning_content'), 1);
});

test('texts around a call stay two, and consecutive texts become one', () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const call = { type: 'tool_use', id: 'a', name: 'f', input: {} };
  const content = [text('One'), text(' and one.'), call, text('Two.')];
  const body = { id: 'x', type: 'message', content, stop_reason: 'tool_use' };
  const whole =
    translateAnswer('anthropic-messages', 'openai-chat', Buffer.from(JSON.stringify(body)))?.bytes.toString() ?? '';
  assert.equal(JSON.parse(whole).choices[0].message.content, 'One and one.\n\nTwo.');
  const writer = openAi.openWriter({ ...contextOf(), oldFunctions: false });
  const blocks = [
    [{ type: 'text' }, 'One'],
    [{ type: 'text' }, ' and one.'],
    [{ type: 'tool_call', id: 'a', name: 'f' }, null],
    [{ type: 'text' }, 'Two.'],
  ] as const;
  let streamed = '';
  for (const [block, words] of blocks) {
    writer.event({ type: 'block_start', block });
    const written = words === null ? '' : writer.event({ type: 'text', text: words }).toString();
    if (written !== '') streamed += JSON.parse(written.slice('data: '.length)).choices[0].delta.content;
    writer.event({ type: 'block_end' });
  }
  assert.equal(streamed, 'One and one.\n\nTwo.');
});

function detailsGivenBack(content: unknown): unknown {
  const messages = [
    { role: 'user', content: 'q' },
    { role: 'assistant', content },
    { role: 'user', content: 'r' },
  ];
  const request = anthropic.readRequest(inboundOf(anthropic, JSON.stringify({ model: 'm', max_tokens: 9, messages })));
  return JSON.parse(JSON.stringify(openAi.writeRequest(request, openTarget).body)).messages[1].reasoning_details;
}

function contextOf(): WriteContext {
  return {
    callerModel: 'm',
    id: '1',
    created: 1,
    wantsUsage: false,
    showsReasoning: true,
    oldFunctions: true,
    warnings: new Set(),
    cost: () => null,
  };
}
