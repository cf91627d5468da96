/**
 * Goal: a caller of this format reads the whole answer, in events whose order its library checks. Method: answers of every kind, cut into
 * pieces at every place and at random, read by a strict reader and by OpenAI's own.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ResponseStream } from 'openai/lib/responses/ResponseStream';
import { checkResponse, checkStream, eventsOfStream } from '../../../../test/support/check-response-stream.ts';
import type { AnswerBlock, ChatEvent, FinishReason } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { settingsOf } from '../request/answer-needs.ts';
import { openWriter } from './stream-writer.ts';
import { writeResponse } from './write-response.ts';

const USAGE = {
  ...NO_USAGE,
  inputTokens: 10,
  cacheReadTokens: 4,
  cacheWriteTokens: 2,
  outputTokens: 9,
  reasoningTokens: 5,
};

function context(fields: Partial<WriteContext> = {}): WriteContext {
  return {
    ...{ callerModel: 'vendor/one', provider: 'harbour', id: '01kaj5q3x3e8tq2m8f5c9d0b7a', created: 1_790_000_000 },
    ...{ wantsUsage: true, showsReasoning: true, warnings: new Set<string>(), cost: () => '0.000054' },
    ...fields,
  };
}

const text = (value: string, citations: readonly string[] = []): AnswerBlock => ({
  type: 'text',
  text: value,
  citations: citations.map((url) => ({ url, title: 'T', quote: '', start: null, end: null })),
});
const call = (id: string, name: string, input: object): AnswerBlock =>
  ({ type: 'tool_call', id, name, input, cache: null }) as AnswerBlock;
const thought = (fields: object): AnswerBlock =>
  ({ type: 'reasoning', text: '', signature: null, encrypted: null, origin: 'unknown', ...fields }) as AnswerBlock;

const TOOLS = {
  settings: settingsOf({}),
  tools: [
    ['patch', { name: 'patch', namespace: null, custom: true }],
    ['agents__spawn', { name: 'spawn', namespace: 'agents', custom: false }],
  ],
};

/** Answers of all kinds. */
const ANSWERS: Readonly<Record<string, readonly AnswerBlock[]>> = {
  nothing: [],
  'a text': [text('Grüße aus "München" — 👋\n')],
  'texts with citations': [text('One.'), text('Two.', ['https://a.example', 'https://b.example'])],
  'an empty text between calls': [call('c1', 'f', { a: 1 }), text(''), call('c2', 'f', {})],
  'a thought, a text, calls, a text': [
    thought({ text: 'Hm. Well.', signature: 'sig', origin: 'anthropic-claude-v1' }),
    text('I look.'),
    call('c1', 'f', { city: 'Paris "x"' }),
    call('c2', 'patch', { input: '*** Begin\n"a"\\' }),
    call('c3', 'agents__spawn', { task: 'x' }),
    text('Done.'),
  ],
  'summaries with an encrypted thought': [
    thought({ text: 'First.', origin: 'openai-responses-v1', id: 'rs_9', summary: true }),
    thought({ text: 'Second.', origin: 'openai-responses-v1', id: 'rs_9', summary: true }),
    thought({ encrypted: 'gAAAA1', origin: 'openai-responses-v1', id: 'rs_9' }),
    thought({ encrypted: 'gAAAA2', origin: 'openai-responses-v1', id: 'rs_9' }),
    text('Yes.'),
  ],
  'a refusal': [{ type: 'refusal', text: 'I cannot help.' }],
  'a text and an image': [text('Here.'), { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
};

for (const [name, blocks] of Object.entries(ANSWERS)) {
  for (const showsReasoning of [true, false]) {
    test(`${name}: a stream and a whole answer say the same${showsReasoning ? '' : ', with thoughts hidden'}`, async () => {
      const bytes = written(blocks, context({ showsReasoning, forAnswer: TOOLS }));
      const streamed = checkStream(bytes);
      const finish = { reason: 'end', stopSequence: null, native: 'x', explanation: null } as const;
      const whole = writeResponse(
        { id: null, blocks, finish, usage: USAGE, warnings: [] },
        context({ showsReasoning, forAnswer: TOOLS }),
      );
      assert.deepEqual(checkResponse(JSON.parse(whole.toString())), streamed);
      assert.deepEqual(await outputByLibrary(bytes), streamed['output']);
    });
  }
}

test('the same answer in any pieces has the same end', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(ANSWERS)),
      fc.array(fc.nat(7), { minLength: 1 }),
      (blocks, lengths) => {
        const cut = (value: string) => pieces(value, lengths);
        const streamed = checkStream(written(blocks, context({ forAnswer: TOOLS }), cut));
        const whole = checkStream(written(blocks, context({ forAnswer: TOOLS })));
        assert.deepEqual(streamed, whole);
      },
    ),
    { numRuns: 300, seed: 20261123 },
  );
});

test('a call has the names that its caller gave the tool, and a custom one its input as text', () => {
  const { output } = checkStream(
    written(ANSWERS['a thought, a text, calls, a text'] ?? [], context({ forAnswer: TOOLS })),
  );
  const [reasoning, , , custom, spaced] = output as Record<string, unknown>[];
  assert.deepEqual(custom, {
    ...{ id: 'ctc_01kaj5q3x3e8tq2m8f5c9d0b7a_3', type: 'custom_tool_call', call_id: 'c2', name: 'patch' },
    ...{ input: '*** Begin\n"a"\\', status: 'completed' },
  });
  assert.deepEqual(
    [spaced?.['name'], spaced?.['namespace'], spaced?.['arguments']],
    ['spawn', 'agents', '{"task":"x"}'],
  );
  assert.deepEqual(reasoning?.['summary'], [{ type: 'summary_text', text: 'Hm. Well.' }]);
});

test("OpenAI's own thoughts keep their id and their value; a second one gets an id of its own", () => {
  const { output } = checkStream(written(ANSWERS['summaries with an encrypted thought'] ?? [], context()));
  const [first, second] = output as Record<string, unknown>[];
  assert.deepEqual([first?.['id'], first?.['encrypted_content']], ['rs_9', 'gAAAA1']);
  assert.deepEqual(first?.['summary'], [
    { type: 'summary_text', text: 'First.' },
    { type: 'summary_text', text: 'Second.' },
  ]);
  assert.deepEqual([second?.['id'], second?.['encrypted_content']], ['rs_01kaj5q3x3e8tq2m8f5c9d0b7a_1', 'gAAAA2']);
});

test("another vendor's thought has an id of this answer, because its own may be that of a call", () => {
  const own = { encrypted: 'c2ln', origin: 'google-gemini-v1', id: 'call_1' };
  const { output } = checkStream(written([thought(own), call('call_1', 'f', {})], context()));
  const [first] = output as Record<string, unknown>[];
  assert.equal(first?.['id'], 'rs_01kaj5q3x3e8tq2m8f5c9d0b7a_0');
  assert.equal(first?.['encrypted_content'], 'tp1.encrypted.google-gemini-v1.call_1..c2ln');
});

test('an answer that was cut off is incomplete, and so is its last item', () => {
  const rows: readonly (readonly [FinishReason, string, string | null])[] = [
    ['end', 'completed', null],
    ['stop_sequence', 'completed', null],
    ['tool_calls', 'completed', null],
    ['blank', 'completed', null],
    ['paused', 'completed', null],
    ['output_cap', 'incomplete', 'max_output_tokens'],
    ['context_window', 'incomplete', 'max_output_tokens'],
    ['refusal', 'incomplete', 'content_filter'],
  ];
  for (const [reason, status, word] of rows) {
    const blocks = [call('c1', 'f', {}), text('Half')];
    const response = checkStream(written(blocks, context(), whole, reason));
    assert.equal(response['status'], status, reason);
    assert.deepEqual(response['incomplete_details'], word === null ? null : { reason: word });
    assert.deepEqual(
      (response['output'] as { status: string }[]).map((item) => item.status),
      ['completed', status],
    );
  }
  const refused = checkStream(written([{ type: 'refusal', text: 'No.' }], context(), whole, 'refusal'));
  assert.equal(refused['status'], 'completed');
});

test('an error ends the open item, and the response with what was written', async () => {
  const error = new GatewayError('upstream_overloaded');
  const events = eventsOf([call('c1', 'f', {}), text('Half of it')], whole, 'end');
  for (let at = 1; at < events.length - 1; at += 1) {
    const bytes = write([...events.slice(0, at), { type: 'error', error }], context());
    const response = checkStream(bytes);
    assert.deepEqual(
      [response['status'], response['error']],
      ['failed', { code: 'server_is_overloaded', message: error.message }],
    );
    await assert.rejects(outputByLibrary(bytes), /overloaded/);
  }
  const [first] = eventsOfStream(write([{ type: 'error', error }], context()));
  assert.deepEqual([first?.['type'], first?.['code'], first?.['sequence_number']], ['error', 'upstream_overloaded', 0]);
  const writer = openWriter(context());
  for (const event of events) writer.event(event);
  assert.equal(writer.event({ type: 'error', error }).length, 0, 'nothing follows the end');
});

test('usage has the sums, with the cost', () => {
  const { usage } = checkStream(written([text('a')], context()));
  assert.deepEqual(usage, {
    input_tokens: 16,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 25,
    cost: 0.000054,
  });
});

test('what is lost is reported', () => {
  const lost = (blocks: readonly AnswerBlock[], fields: Partial<WriteContext> = {}, reason: FinishReason = 'end') => {
    const warnings = new Set<string>();
    written(blocks, context({ ...fields, warnings }), whole, reason);
    return warnings.size;
  };
  assert.equal(lost([text('a')]), 0);
  assert.equal(lost([text('a')], {}, 'paused'), 1);
  assert.equal(lost([thought({ text: 'Hm' })], { showsReasoning: false }), 1);
  assert.equal(lost([thought({ text: 'Hm' })], { showsReasoning: false, hidesReasoning: true }), 0);
});

type Cut = (value: string) => readonly string[];

const whole: Cut = (value) => [value];

function pieces(value: string, lengths: readonly number[]): readonly string[] {
  const cut: string[] = [];
  let at = 0;
  for (const length of lengths) {
    cut.push(value.slice(at, at + length));
    at += length;
  }
  return [...cut, value.slice(at)];
}

function eventsOf(blocks: readonly AnswerBlock[], cut: Cut, reason: FinishReason): ChatEvent[] {
  const finish = { reason, stopSequence: null, native: 'x', explanation: null };
  return [
    { type: 'start', id: 'up', usage: null },
    ...blocks.flatMap((block) => eventsOfBlock(block, cut)),
    { type: 'finish', finish },
    { type: 'end', usage: USAGE },
  ];
}

function eventsOfBlock(block: AnswerBlock, cut: Cut): ChatEvent[] {
  const end: ChatEvent = { type: 'block_end' };
  switch (block.type) {
    case 'text':
      return [
        { type: 'block_start', block: { type: 'text' } },
        ...cut(block.text).map((piece): ChatEvent => ({ type: 'text', text: piece })),
        ...block.citations.map((citation): ChatEvent => ({ type: 'citation', citation })),
        end,
      ];
    case 'refusal':
      return [
        { type: 'block_start', block: { type: 'refusal' } },
        ...cut(block.text).map((piece): ChatEvent => ({ type: 'text', text: piece })),
        end,
      ];
    case 'image':
      return [{ type: 'block_start', block }, end];
    case 'tool_call':
      return [
        { type: 'block_start', block: { type: 'tool_call', id: block.id, name: block.name } },
        ...cut(JSON.stringify(block.input)).map((json): ChatEvent => ({ type: 'arguments', json })),
        end,
      ];
    case 'reasoning': {
      const { text: said, signature, origin, encrypted, id, summary } = block;
      return [
        {
          type: 'block_start',
          block: { type: 'reasoning', encrypted, origin, ...(id !== undefined && { id }), ...(summary && { summary }) },
        },
        ...cut(said).map((piece): ChatEvent => ({ type: 'reasoning', text: piece })),
        ...(signature === null ? [] : [{ type: 'signature' as const, signature, origin }]),
        end,
      ];
    }
  }
}

function write(events: readonly ChatEvent[], writing: WriteContext): Buffer {
  const writer = openWriter(writing);
  return Buffer.concat(events.map((event) => writer.event(event)));
}

function written(
  blocks: readonly AnswerBlock[],
  writing: WriteContext,
  cut: Cut = whole,
  reason: FinishReason = 'end',
): Buffer {
  return write(eventsOf(blocks, cut, reason), writing);
}

/** As `client.responses.stream()` reads it: it checks indexes and identities. */
async function outputByLibrary(bytes: Buffer): Promise<unknown> {
  const lines = eventsOfStream(bytes).map((event) => `${JSON.stringify(event)}\n`);
  const stream = ResponseStream.fromReadableStream(new Blob(lines).stream());
  const response = await stream.finalResponse();
  // Its own additions.
  return JSON.parse(JSON.stringify(response.output, (name, value) => (name.startsWith('parsed') ? undefined : value)));
}
