/**
 * A provider that records what it did for each call. Calls are numbered by their callers, and the usage it
 * reports is the call's number: so a settlement shows which call it belongs to.
 */
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { isMessages } from '../../support/upstream-scripts.ts';
import { framesOf, type NumberedFormat, wholeAnswer } from './numbered-formats.ts';

/** What a caller asks for, in its message. */
export interface Plan {
  readonly number: number;
  /** Pieces of text in the answer. */
  readonly pieces: number;
  /** Whether the answer stops there and never ends. */
  readonly stays: boolean;
}

/** What the provider did for a call. */
export interface Served {
  requests: number;
  pieces: number;
  /** Whether all of the answer was sent, or was about to be. */
  whole: boolean;
}

export interface NumberedProvider extends ScriptedUpstream {
  readonly served: ReadonlyMap<number, Served>;
}

/** Nano-USD a token: $1 and $5 a million. */
export const INPUT_NANO = 1_000n;
export const OUTPUT_NANO = 5_000n;
/** Higher than any call number: the hold covers what the provider reports. */
export const OUTPUT_CAP = 1_000_000;

export function contentOf({ number, pieces, stays }: Plan): string {
  return `#${number} ${pieces} ${stays ? 'stay' : 'end'}#`;
}

export async function startNumberedProvider(): Promise<NumberedProvider> {
  const served = new Map<number, Served>();
  const upstream = await startScriptedUpstream(async (exchange) => {
    const plan = planOf(exchange);
    const log = served.get(plan.number) ?? { requests: 0, pieces: 0, whole: false };
    served.set(plan.number, log);
    log.requests += 1;
    await (exchange.json['stream'] === true ? answerStreamed(exchange, plan, log) : answerWhole(exchange, plan, log));
  });
  // A spread would read a getter only once.
  return Object.assign(upstream, { served });
}

/**
 * Providers of chat completions and Messages, and of one of them each, so that half of the callers are translated for; and one that keeps the
 * answers of Responses.
 */
export function numberedProviders(origin: string): readonly object[] {
  const provider = (name: string, dialects: readonly string[]) => ({
    name,
    kind: 'custom',
    origin,
    credential: `credential-of-${name}`,
    dialects,
    models: [{ id: `numbered/${name}`, upstream: `${name}-1`, prices: { input: 1, output: 5 } }],
  });
  return [
    provider('both', ['openai-chat', 'anthropic-messages']),
    provider('chat', ['openai-chat']),
    provider('messages', ['anthropic-messages']),
    { ...provider('keeper', []), kind: 'openai', dialects: undefined },
  ];
}

export const KEEPING_MODEL = 'numbered/keeper';
export const NUMBERED_MODELS = ['numbered/both', 'numbered/chat', 'numbered/messages', KEEPING_MODEL] as const;

function formatOf(exchange: Exchange): NumberedFormat {
  if (exchange.request.startLine.includes('/responses')) return 'openai-responses';
  return isMessages(exchange) ? 'anthropic-messages' : 'openai-chat';
}

function planOf(exchange: Exchange): Plan {
  const [, number, pieces, way] = /#(\d+) (\d+) (stay|end)#/.exec(exchange.request.body.toString('utf8')) ?? [];
  if (number === undefined) throw new Error('a request that is not numbered');
  return { number: Number(number), pieces: Number(pieces), stays: way === 'stay' };
}

/** A whole answer that stays never begins. */
async function answerWhole(exchange: Exchange, { number, pieces, stays }: Plan, log: Served): Promise<void> {
  if (stays) return;
  log.pieces = pieces;
  log.whole = true;
  await exchange.whole(200, JSON.stringify(wholeAnswer(formatOf(exchange), number, pieces)));
}

async function answerStreamed(exchange: Exchange, { number, pieces, stays }: Plan, log: Served): Promise<void> {
  const format = framesOf(formatOf(exchange), number, pieces);
  await exchange.openStream();
  await exchange.chunk(format.before);
  // A few frames are sent together, as from a busy provider.
  for (let sent = 0; sent < pieces && !exchange.socket.destroyed; sent = log.pieces) {
    log.pieces = Math.min(pieces, sent + 1 + (sent % 5));
    await exchange.chunk(format.piece.repeat(log.pieces - sent));
  }
  if (stays || exchange.socket.destroyed) return;
  log.whole = true;
  await exchange.chunk(format.after);
  await exchange.lastChunk();
}
