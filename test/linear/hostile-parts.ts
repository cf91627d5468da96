/** Requests and answers of the operations that OpenAI's format has besides conversations; see `hostile-requests.ts` and `hostile-answers.ts`. */

import { bytesOf } from '../../src/core/body.ts';
import type { AnyProviderDialect } from '../../src/dialects/index.ts';
import type { Peek } from '../../src/dialects/interface/peek.ts';
import { NO_MEDIA } from '../../src/dialects/kit/media/inline-media.ts';
import { WholeAnswer } from '../../src/dialects/kit/relay/whole-answer.ts';
import { parts } from '../../src/dialects/openai-chat/operations/index.ts';
import { SseSplitter } from '../../src/wire/frames/sse-splitter.ts';
import type { Write } from './hostile-requests.ts';
import { jsonOf, pick, type Random, textOf, times } from './hostile-values.ts';
import type { Stages } from './stages.ts';

const text = (random: Random, length: number) => JSON.stringify(textOf(random, length));
const tokens = (size: number) => `[${times(size, (index) => String(index))}]`;

export const completionRequests: Readonly<Record<string, Write>> = {
  'a long prompt': (random, size) => ({ prompt: text(random, size * 40) }),
  'many prompts': (random, size) => ({ prompt: `[${times(size, () => text(random, 6))}]`, suffix: text(random, size) }),
  'many tokens': (_random, size) => ({ prompt: tokens(size * 4) }),
  'many lists of tokens': (_random, size) => ({ prompt: `[${times(size, () => tokens(3))}]`, echo: 'true' }),
  'white space between prompts': (_random, size) => ({ prompt: `[${times(4, () => `${' '.repeat(size * 10)}"x"`)}]` }),
  'prompts of escapes': (_random, size) => ({ prompt: `["${'\\"'.repeat(size * 10)}","]["]` }),
  'a number of many digits': (_random, size) => ({ prompt: `[[${'1'.repeat(size * 20)}]]` }),
  'a field nobody knows': (random, size) => ({ something: jsonOf(random, size) }),
};

export const inputRequests: Readonly<Record<string, Write>> = {
  'many inputs': (random, size) => ({ input: `[${times(size, () => text(random, 6))}]` }),
  'many parts': (random, size) => ({
    input: `[${times(size, () => pick(random, ['{"type":"text","text":"x"}', '{"type":"image_url","image_url":{"url":"https://a.example/b.png"}}']))}]`,
  }),
  'many tokens': (_random, size) => ({ input: tokens(size * 4) }),
};

export const imageRequests: Readonly<Record<string, Write>> = {
  'a long prompt for an image': (random, size) => ({ prompt: text(random, size * 40) }),
  'a long class': (random, size) => ({ size: text(random, size * 20), quality: text(random, size * 20) }),
  'pictures in a request for images': (_random, size) => ({
    images: `[${times(size, () => '{"image_url":"https://a.example/b.png"}')}]`,
  }),
};

export const speechRequests: Readonly<Record<string, Write>> = {
  'a long text to speak': (random, size) => ({ input: text(random, size * 40) }),
  'a text of pairs of surrogates': (_random, size) => ({ input: `"${'\\ud83d\\udc4b'.repeat(size * 4)}"` }),
  'a voice as sound': (_random, size) => ({
    input_references: `[${times(size, () => '{"type":"input_audio","input_audio":{"data":"UklGRg=="}}')}]`,
  }),
};

export const rerankRequests: Readonly<Record<string, Write>> = {
  'many documents': (random, size) => ({ documents: `[${times(size, () => text(random, 6))}]` }),
  'documents of many fields': (random, size) => ({
    documents: `[${times(4, () => `{${times(size, (index) => `"f${index}":${text(random, 3)}`)}}`)}]`,
  }),
  'pictures among documents': (_random, size) => ({
    documents: `[${times(size, () => '{"text":"x","image":"https://a.example/b.png","url":"u"}')}]`,
  }),
  'a query of letters that grow': (_random, size) => ({ query: JSON.stringify('ﷺ'.repeat(size * 4)) }),
  'nested documents': (random, size) => ({ documents: `[{"text":${jsonOf(random, size)}}]` }),
};

interface PartAnswer {
  readonly name: string;
  readonly operation: keyof typeof parts;
  readonly isStream: boolean;
  write(random: Random, size: number): string;
}

const usage = '"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}';
const data = (json: string) => `data: ${json}\n\n`;
const chunk = (index: number, piece: string, more = '') =>
  data(
    `{"id":"c","model":"m","choices":[{"text":${piece},"index":${index},"logprobs":null,"finish_reason":null}]${more}}`,
  );

export const PART_ANSWERS: readonly PartAnswer[] = [
  stream('speech', 'many events', (_random, size) =>
    lines(size, () => data('{"type":"speech.audio.delta","audio":"UklGRg=="}')),
  ),
  stream('speech', 'a long event', (_random, size) =>
    data(`{"type":"speech.audio.delta","audio":"${'UklG'.repeat(size * 40)}"}`),
  ),
  stream('speech', 'events nobody knows', (random, size) => lines(size, () => data(`{"type":${text(random, 4)}}`))),
  whole(
    'completions',
    'a long text',
    (random, size) => `{"model":"m","choices":[{"text":${text(random, size * 40)},"index":0}],${usage}}`,
  ),
  whole(
    'completions',
    'many choices',
    (_random, size) =>
      `{"model":"m","choices":[${times(size, (index) => `{"text":"x","index":${index},"finish_reason":"stop"}`)}],${usage}}`,
  ),
  whole(
    'completions',
    'probabilities',
    (_random, size) =>
      `{"model":"m","choices":[{"text":"x","index":0,"logprobs":{"tokens":[${times(size, () => '"x"')}],"top_logprobs":[${times(size, () => '{"x":-0.5}')}]}}],${usage}}`,
  ),
  stream('completions', 'many pieces', (random, size) => lines(size, () => chunk(0, text(random, 3)))),
  stream('completions', 'many choices', (random, size) => lines(size, (index) => chunk(index, text(random, 3)))),
  stream('completions', 'usage on every chunk', (random, size) =>
    lines(size, () => chunk(0, text(random, 3), `,${usage}`)),
  ),
  stream('completions', 'a long piece', (random, size) => chunk(0, text(random, size * 40))),
  whole(
    'embeddings',
    'many numbers',
    (_random, size) =>
      `{"data":[{"embedding":[${times(size * 4, () => '0.0123456789')}],"index":0}],"model":"m",${usage}}`,
  ),
  whole(
    'images',
    'many images',
    (_random, size) => `{"created":1,"data":[${times(size, () => '{"b64_json":"iVBORw0KGgo="}')}],"size":"1024x1024"}`,
  ),
  stream('images', 'many previews', (_random, size) =>
    lines(size, () => data('{"type":"image_generation.partial_image","b64_json":"iVBORw0KGgo="}')),
  ),
  stream('images', 'a large image', (_random, size) =>
    data(`{"type":"image_generation.completed","b64_json":"${'iVBO'.repeat(size * 40)}"}`),
  ),
  whole('images', 'a long class', (random, size) => `{"data":[{"url":"u"}],"size":${text(random, size * 40)}}`),
  whole(
    'moderations',
    'many judgements',
    (_random, size) =>
      `{"model":"m","results":[${times(size, () => '{"flagged":false,"categories":{"hate":false}}')}]}`,
  ),
  whole(
    'rerank',
    'many documents',
    (random, size) =>
      `{"results":[${times(size, (index) => `{"index":${index},"relevance_score":0.5,"document":{"text":${text(random, 4)}}}`)}],${usage}}`,
  ),
  whole(
    'rerank',
    'models within models',
    (_random, size) => `{"meta":[${times(size, () => '{"model":"m"}')}],"model":"m","results":[]}`,
  ),
];

/** What the gateway does with such an answer. */
export function partStages({
  operation,
  isStream,
}: PartAnswer): (bytes: Buffer, dialect: AnyProviderDialect) => Stages {
  return (bytes) => {
    const open = () =>
      parts[operation].openRelay(
        { ...PEEK, stream: isStream },
        { callerModel: 'c', cost: () => '0.1', unitLine: () => 0 },
      );
    if (!isStream)
      return {
        meter: () => open().readBody(new WholeAnswer(bytes)),
        relay: () => bytesOf(open().editBody(new WholeAnswer(bytes))),
      };
    return {
      relay: () => {
        const relay = open();
        for (const frame of new SseSplitter().push(bytes)) {
          relay.frame(frame);
          relay.meter.delivered();
        }
      },
    };
  };
}

const PEEK = {
  model: 'm',
  wantsUsage: false,
  choices: 1,
  media: NO_MEDIA,
  units: { name: 'image' },
} as unknown as Peek;

function whole(operation: PartAnswer['operation'], name: string, write: PartAnswer['write']): PartAnswer {
  return { name: `${operation}: ${name}`, operation, isStream: false, write };
}

function stream(operation: PartAnswer['operation'], name: string, write: PartAnswer['write']): PartAnswer {
  return { name: `${operation}, a stream: ${name}`, operation, isStream: true, write };
}

function lines(size: number, line: (index: number) => string): string {
  return `${Array.from({ length: size }, (_, index) => line(index)).join('')}data: [DONE]\n\n`;
}
