/** Answers of Bedrock's Converse, streams in its binary framing; see `hostile-answers.ts`. */
import { encodeEvent, encodeException, encodeMessage } from '../support/event-stream.ts';
import type { WriteAnswer } from './hostile-answers.ts';
import { jsonOf, pick, textOf, times } from './hostile-values.ts';

const usage = '"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}';
const answer = (content: string, more = '') =>
  `{"output":{"message":{"role":"assistant","content":[${content}]}},"stopReason":"end_turn",${usage}${more}}`;
const call = (index: number, input = '{}') => `{"toolUse":{"toolUseId":"c${index}","name":"look","input":${input}}}`;
const BLOCKS = [
  '{"text":"x"}',
  '{"reasoningContent":{"reasoningText":{"text":"t","signature":"s"}}}',
  '{"reasoningContent":{"redactedContent":"eA=="}}',
  '{"odd":1}',
];

export const converseWholes: Readonly<Record<string, WriteAnswer>> = {
  'a long text': (random, size) => answer(`{"text":${JSON.stringify(textOf(random, size * 40))}}`),
  'many blocks': (random, size) => answer(times(size, (index) => pick(random, [...BLOCKS, call(index)]))),
  'many calls of one id': (_random, size) => answer(times(size, () => call(0))),
  'tool input': (random, size) => answer(call(0, `{"a":${jsonOf(random, size)}}`)),
  citations: (_random, size) =>
    answer(
      `{"citationsContent":{"content":[{"text":"x"}],"citations":[${times(size, () => '{"title":"t","location":{"web":{"url":"https://a.example"}}}')}]}}`,
    ),
  'a field nobody knows': (random, size) => answer('{"text":"x"}', `,"x":${jsonOf(random, size)}`),
  'details of caches': (_random, size) =>
    answer('{"text":"x"}').replace(
      '"totalTokens":2',
      `"totalTokens":2,"cacheDetails":[${times(size, () => '{"ttl":"5m","inputTokens":1}')}]`,
    ),
};

const start = encodeEvent('messageStart', { role: 'assistant' });
const end = Buffer.concat([
  encodeEvent('messageStop', { stopReason: 'end_turn' }),
  encodeEvent('metadata', { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }),
]);
const open = (contentBlockIndex: number) =>
  encodeEvent('contentBlockStart', {
    contentBlockIndex,
    start: { toolUse: { toolUseId: `c${contentBlockIndex}`, name: 'look' } },
  });
const delta = (contentBlockIndex: number, value: object) =>
  encodeEvent('contentBlockDelta', { contentBlockIndex, delta: value });
const stop = (contentBlockIndex: number) => encodeEvent('contentBlockStop', { contentBlockIndex });
const frames = (size: number, frame: (index: number) => Buffer) =>
  Buffer.concat(Array.from({ length: size }, (_, index) => frame(index)));
const stream = (...parts: readonly Buffer[]) => Buffer.concat([start, ...parts, end]);

export const converseStreams: Readonly<Record<string, WriteAnswer>> = {
  'many words': (random, size) =>
    stream(
      frames(size, () => delta(0, { text: textOf(random, 5) })),
      stop(0),
    ),
  'one long word': (random, size) => stream(delta(0, { text: textOf(random, size * 40) }), stop(0)),
  'many blocks': (_random, size) =>
    stream(frames(size, (index) => Buffer.concat([delta(index, { text: 'x' }), stop(index)]))),
  'blocks that begin and never end': (_random, size) => stream(frames(size, open)),
  'calls that go on in turns': (_random, size) =>
    stream(
      frames(size, open),
      frames(size, (index) => delta(index, { toolUse: { input: '{}' } })),
    ),
  'arguments letter by letter': (random, size) =>
    stream(
      open(0),
      frames(size, () => delta(0, { toolUse: { input: pick(random, ['1', '{', '"', '\\', ' ']) } })),
      stop(0),
    ),
  'thoughts and words in turns': (_random, size) =>
    stream(
      frames(size, (index) => delta(index, index % 2 === 0 ? { text: 'x' } : { reasoningContent: { text: 't' } })),
    ),
  'a block that is stopped again and again': (_random, size) =>
    stream(
      open(0),
      frames(size, () => stop(0)),
    ),
  citations: (_random, size) =>
    stream(
      frames(size, () => delta(0, { citation: { title: 't', location: { web: { url: 'https://a.example' } } } })),
      stop(0),
    ),
  'a signature in pieces': (_random, size) =>
    stream(
      frames(size, () => delta(0, { reasoningContent: { signature: 'c2ln' } })),
      stop(0),
    ),
  'a hidden thought in pieces': (_random, size) =>
    stream(
      frames(size, () => delta(0, { reasoningContent: { redactedContent: 'YWJj' } })),
      stop(0),
    ),
  'messages with many headers': (_random, size) =>
    frames(8, () =>
      encodeMessage(
        {
          ...Object.fromEntries(
            times(size, (index) => `h${index}`)
              .split(',')
              .map((name) => [name, 'v']),
          ),
          ':message-type': 'event',
        },
        '{}',
      ),
    ),
  'events nobody knows': (_random, size) => stream(frames(size, (index) => encodeEvent(`odd${index}`, { x: 1 }))),
  'messages without a payload': (_random, size) =>
    stream(frames(size, () => encodeMessage({ ':event-type': 'ping' }, ''))),
  'an exception of one long text': (random, size) =>
    Buffer.concat([start, encodeException('validationException', textOf(random, size * 40))]),
};
