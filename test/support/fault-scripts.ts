/**
 * The faults of a provider, by name: what it does with a request, byte by byte. `reset@3` is the fault `reset` with the number 3; what
 * the number means is said at each.
 */
import { gzipSync } from 'node:zlib';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { beginOfMessage, withPayload } from './event-stream.ts';
import { everyNumber, type GoodAnswer, goodAnswer, withReason, withUsage } from './fault-answers.ts';
import type { AnswerFrame } from './lane-answers.ts';
import type { Exchange, Script } from './scripted-upstream.ts';

export interface FaultParts {
  readonly good: GoodAnswer;
  readonly streamed: boolean;
  /** The number after `@`; null if there is none. */
  readonly number: number | null;
  readonly clock: Clock;
}

type Fault = (parts: FaultParts) => Script;

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

/** The script of a fault such as `reset@3`. Throws if there is no such fault. */
export function faultScript(
  spec: string,
  format: ProviderDialectName,
  streamed: boolean,
  clock: Clock = systemClock,
): Script {
  const [name = '', number] = spec.split('@');
  const fault = Object.hasOwn(FAULTS, name) ? FAULTS[name as FaultName] : undefined;
  if (fault === undefined) throw new Error(`there is no fault ${name}; there are ${Object.keys(FAULTS).join(', ')}`);
  return fault({ good: goodAnswer(format), streamed, number: number === undefined ? null : Number(number), clock });
}

/** A good answer, whole or as a stream, in chunks of one frame each. */
export function giveGood(good: GoodAnswer, streamed: boolean): Script {
  return streamed ? streamOf(good, good.frames) : (exchange) => exchange.whole(200, JSON.stringify(good.body));
}

function streamOf(good: GoodAnswer, frames: readonly AnswerFrame[], then: Script = (each) => each.lastChunk()): Script {
  return async (exchange) => {
    await exchange.openStream({ 'content-type': good.contentType });
    for (const frame of frames) await exchange.chunk(frame);
    await then(exchange);
  };
}

/** After so many frames of a stream; of a whole answer, in the middle of its body. */
function after(cut: Script): Fault {
  return ({ good, streamed, number }) => {
    if (number === null || number === 0) return cut;
    if (streamed) return streamOf(good, good.frames.slice(0, number), cut);
    return async (exchange) => {
      const body = JSON.stringify(good.body);
      await exchange.head(200, { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(body)) });
      await exchange.raw(body.slice(0, body.length / 2));
      await cut(exchange);
    };
  };
}

/** Every text frame rewritten; binary ones are kept. */
function rewritten(rewrite: (frames: readonly string[]) => readonly string[]): Fault {
  return ({ good }) =>
    typeof good.frames[0] === 'string'
      ? streamOf(good, rewrite(good.frames as readonly string[]))
      : streamOf(good, good.frames);
}

function usage(change: (usage: object) => unknown): Fault {
  return ({ good, streamed }) => giveGood(withUsage(good, change), streamed);
}

/** Every number of the usage replaced by this word, which need not be JSON. */
function unquotedUsage(word: string): Fault {
  const unquoted = (text: string) => text.replaceAll(`"${word}"`, word);
  return ({ good, streamed }) => {
    const { frames, body, contentType } = withUsage(good, (each) => everyNumber(each, word));
    if (!streamed) return (exchange) => exchange.whole(200, unquoted(JSON.stringify(body)));
    const sent = frames.map((frame) => (typeof frame === 'string' ? unquoted(frame) : withPayload(frame, unquoted)));
    return streamOf({ ...good, contentType }, sent);
  };
}

/** A good answer and what follows it, in the same packet or later. */
function followedBy(extra: (good: GoodAnswer) => string, atOnce: boolean): Fault {
  return ({ good }) =>
    async (exchange) => {
      const body = JSON.stringify(good.body);
      const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
      if (atOnce) return exchange.raw(answer + extra(good));
      await exchange.raw(answer);
      await exchange.raw(extra(good));
    };
}

/** The whole answer with another length than it has, and FIN. */
function lengthOff(by: number): Fault {
  return ({ good }) =>
    async (exchange) => {
      const body = JSON.stringify(good.body);
      await exchange.head(200, { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(body) + by) });
      await exchange.raw(body);
      exchange.finish();
    };
}

function withHead(headers: Readonly<Record<string, string>>): Fault {
  return ({ good, streamed }) =>
    async (exchange) => {
      if (!streamed) return exchange.whole(200, JSON.stringify(good.body), headers);
      await exchange.openStream({ 'content-type': good.contentType, ...headers });
      for (const frame of good.frames) await exchange.chunk(frame);
      await exchange.lastChunk();
    };
}

export const FORGED = 'FORGED';
const forgedAnswer = ({ body }: GoodAnswer) => {
  const forged = JSON.stringify(body).replaceAll(' one', FORGED);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(forged)}\r\n\r\n${forged}`;
};

async function endless(exchange: Exchange, first: AnswerFrame, bytes: number, again = 'a'.repeat(64 * 1024)) {
  if (first.length > 0) await exchange.chunk(first);
  const piece = Buffer.from(again);
  for (let sent = 0; sent < bytes && !exchange.socket.destroyed; sent += piece.length) await exchange.chunk(piece);
}

const bombs = new Map<number, Buffer>();

function bombOf(mebibytes: number): Buffer {
  const bomb = bombs.get(mebibytes) ?? gzipSync(Buffer.alloc(mebibytes * MIB, 'a'));
  bombs.set(mebibytes, bomb);
  return bomb;
}

export const FAULTS = {
  none: ({ good, streamed }) => giveGood(good, streamed),
  /** RST after so many frames; without a number before the headers. */
  reset: after((exchange) => exchange.reset()),
  /** FIN after so many frames; without a number before the headers. */
  fin: after((exchange) => exchange.finish()),
  /** The stream ends as if it were whole, after so many frames. */
  truncated: after((exchange) => exchange.lastChunk()),
  /** Sends nothing more after so many frames; without a number nothing at all. */
  silent: after(() => undefined),
  /** A byte every so many milliseconds of its clock. */
  drip:
    ({ good, number, clock }) =>
    async (exchange) => {
      await exchange.openStream({ 'content-type': good.contentType });
      const bytes = Buffer.concat(good.frames.map((frame) => Buffer.from(frame)));
      let at = 0;
      const timer = clock.every(number ?? 5_000, () => {
        if (at < bytes.length && !exchange.socket.destroyed) return void exchange.chunk(bytes.subarray(at, ++at));
        timer.cancel();
        if (!exchange.socket.destroyed) void exchange.lastChunk();
      });
    },
  /** An error event after so many frames. */
  'error-event': ({ good, number }) => streamOf(good, [...good.frames.slice(0, number ?? 0), good.error]),
  /** An error as the body of an answer of status 200. */
  'error-body':
    ({ good }) =>
    (exchange) =>
      exchange.whole(200, JSON.stringify(good.refusal('server_error', 'broken'))),
  html: () => (exchange) => exchange.whole(200, '<html><body>It works!</body></html>', { 'content-type': 'text/html' }),
  'other-json': () => (exchange) => exchange.whole(200, '{"ok":true}'),
  'no-body': () => (exchange) => exchange.whole(200, ''),
  'sse-crlf': rewritten((frames) => frames.map((frame) => frame.replaceAll('\n', '\r\n'))),
  'sse-cr': rewritten((frames) => frames.map((frame) => frame.replaceAll('\n', '\r'))),
  'sse-bom': rewritten(([first = '', ...rest]) => [`\uFEFF${first}`, ...rest]),
  'sse-tight': rewritten((frames) => frames.map((frame) => frame.replace(/^(\w+): /gm, '$1:'))),
  'sse-comments': rewritten((frames) => frames.map((frame) => `: hello\n\n: again\n${frame}`)),
  'sse-fields': rewritten((frames) => frames.map((frame) => `id: 7\nretry: 10\nodd\n${frame}`)),
  'sse-blank': rewritten((frames) => frames.map((frame) => `data\n\ndata:\n\n${frame}`)),
  /** Each value of an event on two lines, which a reader joins with a line feed. */
  'sse-lines': rewritten((frames) => frames.map((frame) => frame.replace(/^data: \{/m, 'data: {\ndata: '))),
  /** Chunks of so many bytes, which cut words, characters and fields. */
  pieces:
    ({ good, number }) =>
    async (exchange) => {
      await exchange.openStream({ 'content-type': good.contentType });
      const bytes = Buffer.concat(good.frames.map((frame) => Buffer.from(frame)));
      const size = number ?? 1;
      for (let at = 0; at < bytes.length; at += size) await exchange.chunk(bytes.subarray(at, at + size));
      await exchange.lastChunk();
    },
  /** One event of so many mebibytes that never ends. */
  'endless-event':
    ({ good, number }) =>
    async (exchange) => {
      await exchange.openStream({ 'content-type': good.contentType });
      const bytes = (number ?? 8) * MIB;
      await endless(exchange, good.format === 'bedrock-converse' ? beginOfMessage(bytes) : 'data: ', bytes);
    },
  /** The same, in lines of a few kilobytes. */
  'endless-lines':
    ({ good, number }) =>
    async (exchange) => {
      await exchange.openStream({ 'content-type': good.contentType });
      await endless(exchange, '', (number ?? 8) * MIB, `data: ${'a'.repeat(4_000)}\n`.repeat(16));
    },
  /** A body of so many mebibytes, with its length. */
  'large-body':
    ({ number }) =>
    (exchange) =>
      exchange.whole(200, Buffer.alloc((number ?? 65) * MIB, ' ')),
  /** A body of so many mebibytes, in chunks. */
  'endless-body':
    ({ number }) =>
    async (exchange) => {
      await exchange.head(200, { ...JSON_TYPE, 'transfer-encoding': 'chunked' });
      await endless(exchange, '{"a":"', (number ?? 80) * MIB);
    },
  'usage-absent': usage(() => undefined),
  'usage-null': usage(() => null),
  'usage-negative': usage((each) => everyNumber(each, -1)),
  'usage-text': usage((each) => everyNumber(each, 'x')),
  'usage-huge': usage((each) => everyNumber(each, 1e30)),
  /** JSON, and infinite to many a reader. */
  'usage-overflow': unquotedUsage('1e400'),
  /** Not JSON, although some serializers write it. */
  'usage-nan': unquotedUsage('NaN'),
  'usage-infinity': unquotedUsage('-Infinity'),
  /** More tokens than any cap of the tests. */
  'usage-above-cap': usage((each) => everyNumber(each, 900_000_000)),
  /** The same usage in every frame that may have one. */
  'usage-twice': ({ good, streamed }) =>
    streamed && good.format === 'openai-chat'
      ? streamOf(good, [...good.frames.slice(0, -1), ...good.frames.slice(-2)])
      : giveGood(good, streamed),
  'reason-unknown': ({ good, streamed }) => giveGood(withReason(good, 'never_heard_of'), streamed),
  'reason-length': ({ good, streamed }) => giveGood(withReason(good, LENGTH_REASONS[good.format]), streamed),
  'reason-content': ({ good, streamed }) => giveGood(withReason(good, CONTENT_REASONS[good.format]), streamed),
  'extra-garbage': followedBy(() => `${FORGED} garbage`, true),
  'extra-answer': followedBy(forgedAnswer, true),
  'late-answer': followedBy(forgedAnswer, false),
  'length-missing':
    ({ good }) =>
    async (exchange) => {
      await exchange.head(200, JSON_TYPE);
      await exchange.raw(JSON.stringify(good.body));
      exchange.finish();
    },
  /** Promises more bytes than it sends. */
  'length-high': lengthOff(10),
  'length-low': lengthOff(-10),
  'length-text':
    ({ good }) =>
    (exchange) =>
      exchange.raw(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: many\r\n\r\n${JSON.stringify(good.body)}`,
      ),
  /** Headers after the last chunk, as HTTP allows. */
  trailer: ({ good, streamed }) =>
    streamed
      ? streamOf(good, good.frames, (exchange) => exchange.raw('0\r\nx-trailer: forged\r\nset-cookie: a=b\r\n\r\n'))
      : async (exchange) => {
          await exchange.head(200, { ...JSON_TYPE, 'transfer-encoding': 'chunked' });
          await exchange.chunk(JSON.stringify(good.body));
          await exchange.raw('0\r\nx-trailer: forged\r\nset-cookie: a=b\r\n\r\n');
        },
  'bad-chunk': ({ good, number }) =>
    streamOf(good, good.frames.slice(0, number ?? 2), (exchange) => exchange.raw('zz\r\nwhat\r\n')),
  'not-http': () => (exchange) => exchange.raw('SSH-2.0-OpenSSH_9.2\r\n\r\n'),
  /** Compressed although nobody asked for it: a few kilobytes that become so many mebibytes. */
  'gzip-bomb':
    ({ number }) =>
    (exchange) =>
      exchange.whole(200, bombOf(number ?? 8), { 'content-encoding': 'gzip' }),
  /** A thousand codings in one header. */
  'gzip-chain': () => (exchange) =>
    exchange.whole(200, gzipSync('{}'), { 'content-encoding': Array(1_000).fill('gzip').join(', ') }),
  /** A refusal of this status. */
  status:
    ({ good, number }) =>
    (exchange) =>
      exchange.whole(number ?? 500, JSON.stringify(good.refusal('api_error', 'The harbour is closed')), {
        'retry-after': '7',
      }),
  'quota-exceeded':
    ({ good }) =>
    (exchange) =>
      exchange.whole(429, JSON.stringify(good.refusal('insufficient_quota', 'You exceeded your current quota'))),
  redirect:
    ({ number }) =>
    (exchange) =>
      exchange.whole(number ?? 307, '', { location: 'http://127.0.0.1:9/elsewhere' }),
  /** So many interim answers before the real one. */
  informational:
    ({ good, streamed, number }) =>
    async (exchange) => {
      for (let sent = 0; sent < (number ?? 17); sent += 1)
        await exchange.raw('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
      await giveGood(good, streamed)(exchange);
    },
  'switch-protocols': () => (exchange) =>
    exchange.raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
  'large-header': withHead({ 'x-large': 'a'.repeat(100 * 1024) }),
  /** Headers that are nobody's business, and one that tries to start another. */
  'forged-headers': withHead({
    'set-cookie': `${FORGED}=1`,
    server: FORGED,
    'x-internal-host': FORGED,
    'x-generation-id': FORGED,
    'x-request-id': `a\r\nx-injected: ${FORGED}`,
    'keep-alive': 'timeout=7',
  }),
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

/** What each format says when the cap was reached. */
export const LENGTH_REASONS: Readonly<Record<ProviderDialectName, string>> = {
  'openai-chat': 'length',
  'anthropic-messages': 'max_tokens',
  'openai-responses': 'max_output_tokens',
  gemini: 'MAX_TOKENS',
  'bedrock-converse': 'max_tokens',
};

/** And when a filter of the provider's ended the answer. */
export const CONTENT_REASONS: Readonly<Record<ProviderDialectName, string>> = {
  'openai-chat': 'content_filter',
  'anthropic-messages': 'refusal',
  'openai-responses': 'content_filter',
  gemini: 'SAFETY',
  'bedrock-converse': 'content_filtered',
};
