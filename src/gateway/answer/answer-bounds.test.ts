/**
 * Goal: an answer ends at a stop sequence, or at a cap below the format's smallest, although the provider does not know them, whole and
 * streamed alike. Method: answers as events, cut everywhere, against the same answer as a whole.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent, ChatResponse, Finish } from '../../chat/response.ts';
import { NO_USAGE, type Usage } from '../../core/usage.ts';
import type { WrittenRequest } from '../../dialects/interface/write-target.ts';
import { gatherBlocks } from '../../dialects/kit/answer/gather-blocks.ts';
import { AnswerBounds } from './answer-bounds.ts';

const REQUEST: WrittenRequest = {
  ...{ headers: {}, body: Buffer.alloc(0), warnings: [], outputCap: null, toolNames: null },
};
const ENDED: Finish = { reason: 'end', stopSequence: null, native: 'completed', explanation: null };
const USAGE: Usage = { ...NO_USAGE, inputTokens: 9, outputTokens: 12, reasoningTokens: 5 };

type Block = readonly [type: 'text' | 'reasoning' | 'refusal' | 'tool_call', text: string];

function eventsOf(blocks: readonly Block[], cut: (text: string) => readonly string[] = (text) => [text]): ChatEvent[] {
  const inside = blocks.flatMap(([type, text]): ChatEvent[] => [
    {
      type: 'block_start',
      block:
        type === 'tool_call'
          ? { type, id: 'c', name: 'f' }
          : type === 'reasoning'
            ? { type, encrypted: null, origin: 'unknown' }
            : { type },
    },
    ...cut(text).map((piece): ChatEvent => {
      if (type === 'tool_call') return { type: 'arguments', json: piece };
      return { type: type === 'reasoning' ? 'reasoning' : 'text', text: piece };
    }),
    { type: 'block_end' },
  ]);
  return [
    { type: 'start', id: 'r', usage: null },
    ...inside,
    { type: 'finish', finish: ENDED },
    { type: 'end', usage: USAGE },
  ];
}

function bounded(events: readonly ChatEvent[], stop: readonly string[]): ChatEvent[] {
  const bounds = AnswerBounds.of({ ...REQUEST, stop });
  return bounds === null ? [...events] : events.flatMap((event) => bounds.events(event));
}

function wholeOf(blocks: readonly Block[]): ChatResponse {
  const events = eventsOf(blocks);
  return { id: 'r', blocks: gatherBlocks(events), finish: ENDED, usage: USAGE, warnings: [] };
}

const ANSWERS: readonly (readonly Block[])[] = [
  [['text', 'one two STOP three']],
  [
    ['reasoning', 'I STOP here'],
    ['text', 'but go on'],
    ['tool_call', '{"a":"STOP"}'],
  ],
  [['text', 'STOP']],
  [
    ['text', 'ST'],
    ['text', 'OP and END'],
    ['tool_call', '{}'],
  ],
  [['refusal', 'I must STOP']],
  [
    ['text', 'nothing of that'],
    ['text', 'STO'],
  ],
];

test('an answer in pieces ends where the same answer as a whole ends', () => {
  for (const blocks of ANSWERS) {
    const whole = AnswerBounds.of({ ...REQUEST, stop: ['STOP', 'END'] })?.response(wholeOf(blocks));
    for (const length of [1, 2, 3, 5, 100]) {
      const cut = (text: string) => text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? [];
      const events = bounded(eventsOf(blocks, cut), ['STOP', 'END']);
      assert.deepEqual(gatherBlocks(events), whole?.blocks);
      const [finish, end] = events.slice(-2);
      assert.deepEqual(
        [finish, end],
        [
          { type: 'finish', finish: whole?.finish },
          { type: 'end', usage: USAGE },
        ],
      );
      const starts = events
        .filter(({ type }) => type === 'block_start' || type === 'block_end')
        .map(({ type }) => type);
      assert.ok(starts.every((type, index) => type === (index % 2 === 0 ? 'block_start' : 'block_end')));
    }
  }
});

test('the reason is the sequence, the rest is gone, and the usage is all of it', () => {
  const events = bounded(
    eventsOf([
      ['text', 'one STOP two'],
      ['tool_call', '{}'],
    ]),
    ['STOP'],
  );
  assert.deepEqual(
    events.map((event) => (event.type === 'text' ? event.text : event.type)),
    ['start', 'block_start', 'one ', 'block_end', 'finish', 'end'],
  );
  assert.deepEqual(events.at(-2), {
    type: 'finish',
    finish: { ...ENDED, reason: 'stop_sequence', stopSequence: 'STOP' },
  });
  assert.deepEqual(events.at(-1), { type: 'end', usage: USAGE });
});

test('thoughts and arguments are not searched', () => {
  const blocks: readonly Block[] = [
    ['reasoning', 'STOP'],
    ['tool_call', '{"a":"STOP"}'],
  ];
  const events = eventsOf(blocks);
  assert.deepEqual(bounded(events, ['STOP']), events);
});

test('text is withheld only while it may be a sequence', () => {
  const bounds = AnswerBounds.of({ ...REQUEST, stop: ['STOP'] });
  assert.ok(bounds !== null);
  const given = (event: ChatEvent) => bounds.events(event).flatMap((each) => (each.type === 'text' ? each.text : []));
  bounds.events({ type: 'block_start', block: { type: 'text' } });
  assert.deepEqual(
    ['a', 'S', 'T', 'x', 'ST', 'OP'].map((text) => given({ type: 'text', text }).join('')),
    ['a', '', '', 'STx', '', ''],
  );
});

test('a failure after the end of the text is still a failure', () => {
  const bounds = AnswerBounds.of({ ...REQUEST, stop: ['x'] });
  for (const event of eventsOf([['text', 'x']]).slice(0, -2)) bounds?.events(event);
  const error = { type: 'error', error: new Error('broken') } as unknown as ChatEvent;
  assert.deepEqual(bounds?.events(error), [error]);
});

test('a format that can say it all needs no bounds', () => {
  assert.equal(AnswerBounds.of(REQUEST), null);
  assert.equal(AnswerBounds.of({ ...REQUEST, outputCap: 5 }), null);
  assert.equal(AnswerBounds.of({ ...REQUEST, stop: [] }), null);
});

test('an answer above a raised cap ends by the cap, and no more tokens are reported', () => {
  const bounds = AnswerBounds.of({ ...REQUEST, outputCap: 3, raisedCap: 16 });
  const events = eventsOf([['text', 'more than three']]).flatMap((event) => bounds?.events(event) ?? []);
  const usage = { ...USAGE, outputTokens: 3, reasoningTokens: 3 };
  assert.deepEqual(events.slice(-2), [
    { type: 'finish', finish: { ...ENDED, reason: 'output_cap' } },
    { type: 'end', usage },
  ]);
  const whole = AnswerBounds.of({ ...REQUEST, outputCap: 3, raisedCap: 16 })?.response(wholeOf([['text', 'x']]));
  assert.deepEqual([whole?.finish.reason, whole?.usage], ['output_cap', usage]);
  const short = AnswerBounds.of({ ...REQUEST, outputCap: 12, raisedCap: 16 })?.response(wholeOf([['text', 'x']]));
  assert.deepEqual([short?.finish.reason, short?.usage], ['end', USAGE]);
});
