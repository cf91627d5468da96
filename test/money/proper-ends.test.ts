/**
 * Goal: an answer that came to its format's proper end, with words or usage, is the caller's and is paid; any other is
 * an error and costs nothing. Method: one table of streams and answers for both formats of a provider, in both
 * lanes; what the caller saw and the row of the ledger must agree.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Ending } from '../../src/core/settlement.ts';
import type { UsageSource } from '../../src/core/usage.ts';
import { COUNTED_PROMPT, LANES, type Lane, type LedgerBench, openLedgerBench } from '../support/ledger-bench.ts';
import { type DialectUnderTest, endsProperly } from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { data, event, stream } from '../support/upstream-scripts.ts';

let bench: LedgerBench;
before(async () => {
  bench = await openLedgerBench();
});
after(() => bench.close());

const PROMPT = 5;
const WORDS = [' one', ' two', ' three'];

interface Row {
  readonly name: string;
  readonly ending: Ending;
  /** What the account pays for, or the operator if the account does not: [prompt, output] tokens. */
  readonly tokens: readonly [number, number];
  readonly source: UsageSource;
}

interface StreamRow extends Row {
  readonly frames: readonly string[];
}

const paid = (prompt: number, output: number, source: UsageSource = 'reported') =>
  ({ ending: 'complete', tokens: [prompt, output], source }) as const;
const failed = (prompt: number, output: number) =>
  ({ ending: 'upstream_failed', tokens: [prompt, output], source: 'estimated' }) as const;
const empty = (prompt: number, output: number, source: UsageSource) =>
  ({ ending: 'empty', tokens: [prompt, output], source }) as const;

// Chat Completions, as a provider sends it.
const chunk = (choices: readonly object[], more: object = {}) =>
  data({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'scripted-1', choices, ...more });
const delta = (content: string, finish_reason: string | null = null) =>
  chunk([{ index: 0, delta: { content }, finish_reason }]);
const words = WORDS.map((word) => delta(word));
const stop = chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]);
const tokensUsed = (prompt_tokens: unknown, completion_tokens: unknown, more: object = {}) =>
  chunk([], { usage: { prompt_tokens, completion_tokens, ...more } });
const usage = tokensUsed(PROMPT, 3);
const DONE = 'data: [DONE]\n\n';
const errorChunk = data({ error: { message: 'the machine is on fire', code: 502 } });

const chatStreams: readonly StreamRow[] = [
  { name: 'words, a reason, usage, [DONE]', frames: [...words, stop, usage, DONE], ...paid(PROMPT, 3) },
  { name: 'words, usage and [DONE] without a reason', frames: [...words, usage, DONE], ...paid(PROMPT, 3) },
  { name: 'words and [DONE] without usage', frames: [...words, DONE], ...paid(COUNTED_PROMPT, 3, 'estimated') },
  { name: 'usage and [DONE] without words', frames: [usage, DONE], ...paid(PROMPT, 3) },
  { name: 'a reason without [DONE]', frames: [...words, stop], ...paid(COUNTED_PROMPT, 3, 'estimated') },
  { name: 'a reason and usage without [DONE]', frames: [...words, stop, usage], ...paid(PROMPT, 3) },
  { name: 'words and usage, but neither reason nor [DONE]', frames: [...words, usage], ...failed(PROMPT, 3) },
  { name: 'words alone', frames: words, ...failed(COUNTED_PROMPT, 3) },
  { name: 'usage alone', frames: [usage], ...failed(PROMPT, 0) },
  { name: '[DONE] alone', frames: [DONE], ...empty(COUNTED_PROMPT, 0, 'estimated') },
  { name: 'an empty choice, and [DONE]', frames: [delta(''), DONE], ...empty(COUNTED_PROMPT, 0, 'estimated') },
  { name: 'no choices ever, and [DONE]', frames: [chunk([]), DONE], ...empty(COUNTED_PROMPT, 0, 'estimated') },
  { name: '[DONE] twice', frames: [...words, usage, DONE, DONE], ...paid(PROMPT, 3) },
  { name: 'words after [DONE]', frames: [...words, usage, DONE, delta(' four'), DONE], ...paid(PROMPT, 3) },
  { name: 'an error after words', frames: [...words, errorChunk, DONE], ...failed(COUNTED_PROMPT, 3) },
  { name: 'an error after a reason', frames: [...words, stop, errorChunk], ...failed(COUNTED_PROMPT, 3) },
  { name: 'an error after [DONE]', frames: [...words, usage, DONE, errorChunk], ...paid(PROMPT, 3) },
  {
    name: 'a reason that says that it failed',
    frames: [...words, delta('', 'error'), usage, DONE],
    ...failed(COUNTED_PROMPT, 3),
  },
  {
    name: 'an error of the choice',
    frames: [...words, chunk([{ index: 0, delta: {}, error: { message: 'no' } }]), usage, DONE],
    ...failed(COUNTED_PROMPT, 3),
  },
  {
    name: 'an event that is not JSON',
    frames: [...words, 'data: {"choices":\n\n', stop, usage, DONE],
    ...failed(COUNTED_PROMPT, 3),
  },
  {
    name: 'an event that is not an object',
    frames: [...words, 'data: 7\n\n', stop, DONE],
    ...failed(COUNTED_PROMPT, 3),
  },
  {
    name: 'null for the output',
    frames: [...words, stop, tokensUsed(PROMPT, null), DONE],
    ...paid(PROMPT, 3, 'estimated'),
  },
  {
    name: 'null for the prompt',
    frames: [...words, stop, tokensUsed(null, 9), DONE],
    ...paid(COUNTED_PROMPT, 9, 'estimated'),
  },
  {
    name: 'text for the output',
    frames: [...words, stop, tokensUsed(PROMPT, '9'), DONE],
    ...paid(PROMPT, 3, 'estimated'),
  },
  {
    name: 'a negative prompt',
    frames: [...words, stop, tokensUsed(-5, 9), DONE],
    ...paid(COUNTED_PROMPT, 9, 'estimated'),
  },
  {
    name: 'details that are null, and a total that disagrees',
    frames: [
      ...words,
      stop,
      tokensUsed(PROMPT, 3, { total_tokens: 2, prompt_tokens_details: null, completion_tokens_details: null }),
      DONE,
    ],
    ...paid(PROMPT, 3),
  },
  {
    name: 'no output, says the usage',
    frames: [...words, stop, tokensUsed(PROMPT, 0), DONE],
    ...paid(PROMPT, 3, 'estimated'),
  },
];

// The Messages API, as a provider sends it.
const message = { id: 'm', type: 'message', role: 'assistant', model: 'scripted-1' };
const startWith = (counts: object) =>
  event({ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: counts } });
const start = startWith({ input_tokens: PROMPT, output_tokens: 1 });
const open = event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
const texts = WORDS.map((text) =>
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
);
const close = event({ type: 'content_block_stop', index: 0 });
const block = [open, ...texts, close];
const ended = (counts: object | null, stop_reason: string | null = 'end_turn') =>
  event({ type: 'message_delta', delta: { stop_reason }, ...(counts !== null && { usage: counts }) });
const end = ended({ output_tokens: 3 });
const over = event({ type: 'message_stop' });
const errorEvent = event({ type: 'error', error: { type: 'overloaded_error', message: 'the machine is on fire' } });

const messageStreams: readonly StreamRow[] = [
  { name: 'words, a reason, usage, message_stop', frames: [start, ...block, end, over], ...paid(PROMPT, 3) },
  { name: 'message_stop without message_delta', frames: [start, ...block, over], ...paid(PROMPT, 3, 'estimated') },
  {
    name: 'usage without a reason, and message_stop',
    frames: [start, ...block, ended({ output_tokens: 3 }, null), over],
    ...paid(PROMPT, 3),
  },
  {
    name: 'usage and message_stop without words',
    frames: [start, ended({ output_tokens: 3 }, null), over],
    ...paid(PROMPT, 3),
  },
  { name: 'a reason without message_stop', frames: [start, ...block, end], ...paid(PROMPT, 3) },
  { name: 'a reason, but a block that is open', frames: [start, open, ...texts, end], ...failed(PROMPT, 3) },
  { name: 'a block that is open, and message_stop', frames: [start, open, ...texts, end, over], ...paid(PROMPT, 3) },
  { name: 'words alone', frames: [start, ...block], ...failed(PROMPT, 3) },
  { name: 'message_stop alone', frames: [over], ...empty(COUNTED_PROMPT, 0, 'estimated') },
  {
    name: 'nothing but a start and message_stop',
    frames: [startWith({ input_tokens: PROMPT, output_tokens: 0 }), over],
    ...empty(PROMPT, 0, 'estimated'),
  },
  { name: 'message_stop twice', frames: [start, ...block, end, over, over], ...paid(PROMPT, 3) },
  { name: 'words after message_stop', frames: [start, ...block, end, over, ...texts], ...paid(PROMPT, 3) },
  { name: '[DONE] after message_stop', frames: [start, ...block, end, over, DONE], ...paid(PROMPT, 3) },
  { name: '[DONE] in place of message_stop', frames: [start, ...block, end, DONE], ...paid(PROMPT, 3) },
  { name: 'an error after words', frames: [start, ...block, errorEvent, over], ...failed(PROMPT, 3) },
  { name: 'an error after a reason', frames: [start, ...block, end, errorEvent], ...failed(PROMPT, 3) },
  {
    name: 'an error without its type',
    frames: [start, ...block, data({ error: { message: 'the machine is on fire' } }), over],
    ...failed(PROMPT, 3),
  },
  {
    name: 'a delta that is not JSON',
    frames: [
      start,
      open,
      ...texts,
      'event: content_block_delta\ndata: {"type":"content_block_delta"\n\n',
      close,
      end,
      over,
    ],
    ...failed(PROMPT, 3),
  },
  {
    name: 'a message_delta that is not JSON',
    frames: [start, ...block, 'event: message_delta\ndata: {"type":"message_delta",\n\n', over],
    ...failed(PROMPT, 3),
  },
  {
    name: 'null for the output',
    frames: [start, ...block, ended({ output_tokens: null }), over],
    ...paid(PROMPT, 3, 'estimated'),
  },
  { name: 'no usage at the end', frames: [start, ...block, ended(null), over], ...paid(PROMPT, 3, 'estimated') },
  { name: 'null for the usage', frames: [startWith({}), ...block, end, over], ...paid(COUNTED_PROMPT, 3, 'estimated') },
  {
    name: 'null for the prompt',
    frames: [startWith({ input_tokens: null, output_tokens: 1 }), ...block, ended({ output_tokens: 9 }), over],
    ...paid(COUNTED_PROMPT, 9, 'estimated'),
  },
  {
    name: 'text for the output',
    frames: [start, ...block, ended({ output_tokens: '9' }), over],
    ...paid(PROMPT, 3, 'estimated'),
  },
  {
    name: 'a part of an output',
    frames: [start, ...block, ended({ output_tokens: 1.5 }), over],
    ...paid(PROMPT, 3, 'estimated'),
  },
  {
    name: 'a negative prompt',
    frames: [startWith({ input_tokens: -5, output_tokens: 1 }), ...block, ended({ output_tokens: 9 }), over],
    ...paid(COUNTED_PROMPT, 9, 'estimated'),
  },
];

interface WholeRow extends Row {
  readonly body: object;
}

const completion = (choices: readonly unknown[], counts?: object) => ({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'scripted-1', choices },
  ...(counts !== undefined && { usage: counts }),
});
const said = (content: string | null, more: object = {}) => [
  { index: 0, message: { role: 'assistant', content }, ...more },
];
const chatCounts = { prompt_tokens: PROMPT, completion_tokens: 3 };
const content = WORDS.join('');
const unread = { ending: 'upstream_failed', tokens: [COUNTED_PROMPT, 0], source: 'estimated' } as const;

const chatBodies: readonly WholeRow[] = [
  { name: 'words and usage without a reason', body: completion(said(content), chatCounts), ...paid(PROMPT, 3) },
  { name: 'words without usage', body: completion(said(content)), ...paid(COUNTED_PROMPT, 3, 'estimated') },
  { name: 'usage without words', body: completion(said(null), chatCounts), ...paid(PROMPT, 3) },
  { name: 'usage without choices', body: completion([], chatCounts), ...paid(PROMPT, 3) },
  { name: 'no choices', body: completion([]), ...empty(COUNTED_PROMPT, 0, 'estimated') },
  { name: 'no words', body: completion(said('')), ...empty(COUNTED_PROMPT, 0, 'estimated') },
  {
    name: 'null for the output',
    body: completion(said(content, { finish_reason: 'stop' }), { prompt_tokens: PROMPT, completion_tokens: null }),
    ...paid(PROMPT, 3, 'estimated'),
  },
  { name: 'a choice without a message', body: completion([{ index: 0, finish_reason: 'stop' }]), ...unread },
  {
    name: 'no list of choices',
    body: { object: 'chat.completion', usage: chatCounts },
    ...unread,
    tokens: [PROMPT, 0],
  },
];

const answer = (blocks: readonly object[], more: object = {}) => ({ ...message, content: blocks, ...more });
const text = [{ type: 'text', text: content }];
const messageCounts = { input_tokens: PROMPT, output_tokens: 3 };

const messageBodies: readonly WholeRow[] = [
  { name: 'words and usage without a reason', body: answer(text, { usage: messageCounts }), ...paid(PROMPT, 3) },
  { name: 'words without usage', body: answer(text), ...paid(COUNTED_PROMPT, 3, 'estimated') },
  { name: 'usage without words', body: answer([], { usage: messageCounts }), ...paid(PROMPT, 3) },
  { name: 'nothing', body: answer([]), ...empty(COUNTED_PROMPT, 0, 'estimated') },
  {
    name: 'null for the output',
    body: answer(text, { stop_reason: 'end_turn', usage: { input_tokens: PROMPT, output_tokens: null } }),
    ...paid(PROMPT, 3, 'estimated'),
  },
  {
    name: 'null for the prompt',
    body: answer(text, { stop_reason: 'end_turn', usage: { input_tokens: null, output_tokens: 9 } }),
    ...paid(COUNTED_PROMPT, 9, 'estimated'),
  },
  { name: 'no content', body: { ...message, usage: messageCounts }, ...unread },
];

const streams: Readonly<Record<DialectUnderTest, readonly StreamRow[]>> = {
  'openai-chat': chatStreams,
  'anthropic-messages': messageStreams,
};
const bodies: Readonly<Record<DialectUnderTest, readonly WholeRow[]>> = {
  'openai-chat': chatBodies,
  'anthropic-messages': messageBodies,
};

for (const lane of LANES) {
  describe(lane.name, () => {
    for (const row of streams[lane.upstream]) {
      test(`streamed, ${row.name}: ${row.ending}`, async () => {
        const text = await settles(lane, true, stream(row.frames), row);
        assert.match(text, /^HTTP\/1\.1 200 /);
        assert.equal(endsProperly(text), wasGiven(lane, row), text);
        if (row.ending === 'upstream_failed') assert.match(text, /"error"/, text);
      });
    }
    for (const row of bodies[lane.upstream]) {
      test(`whole, ${row.name}: ${row.ending}`, async () => {
        const script: Script = (exchange) => exchange.whole(200, JSON.stringify(row.body));
        const text = await settles(lane, false, script, row);
        assert.match(text, row.ending === 'upstream_failed' ? /^HTTP\/1\.1 502 / : /^HTTP\/1\.1 200 /);
      });
    }
  });
}

/** Whether the caller sees its format's last frame: bytes pass, so one that the provider omits is not added. */
function wasGiven(lane: Lane, { ending, frames }: StreamRow): boolean {
  if (ending === 'upstream_failed') return false;
  return lane.dialect !== lane.upstream || endsProperly(frames.join(''));
}

async function settles(lane: Lane, streamed: boolean, script: Script, row: Row): Promise<string> {
  let text = '';
  const settled = await bench.settle({ lane, streamed }, script, async (reader) => {
    await reader.sees(isWhole);
    text = reader.text;
  });
  const [prompt, output] = row.tokens;
  const cost = BigInt(prompt) * 1_000n + BigInt(output) * 5_000n;
  const isPaid = row.ending === 'complete';
  assert.deepEqual(
    { ending: settled.ending, source: settled.usageSource, charge: settled.charge, fault: settled.fault },
    { ending: row.ending, source: row.source, charge: isPaid ? cost : 0n, fault: isPaid ? 0n : cost },
  );
  return text;
}

/** Whether all of an answer has arrived, chunked or with a length. */
function isWhole(text: string): boolean {
  const length = /^content-length: (\d+)\r$/im.exec(text)?.[1];
  if (length === undefined) return text.endsWith('\r\n0\r\n\r\n');
  return text.length >= text.indexOf('\r\n\r\n') + '\r\n\r\n'.length + Number(length);
}
