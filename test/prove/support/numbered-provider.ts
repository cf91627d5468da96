/**
 * A provider that records what it did for each call. Calls are numbered by their callers, and the usage it
 * reports is the call's number: so a settlement shows which call it belongs to.
 */
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { data, event, isMessages } from '../../support/upstream-scripts.ts';

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

export const PIECE = ' word';
export const PROMPT_TOKENS = 11;
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

/** Three providers: of both formats, and of one each, so that half of the callers are translated for. */
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
  ];
}

export const NUMBERED_MODELS = ['numbered/both', 'numbered/chat', 'numbered/messages'] as const;

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
  const text = PIECE.repeat(pieces);
  await exchange.whole(200, JSON.stringify(isMessages(exchange) ? message(number, text) : completion(number, text)));
}

async function answerStreamed(exchange: Exchange, { number, pieces, stays }: Plan, log: Served): Promise<void> {
  const format = isMessages(exchange) ? messageFrames(number) : completionFrames(number);
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

function completion(number: number, text: string): object {
  return {
    id: 'chatcmpl-numbered',
    object: 'chat.completion',
    created: 1,
    model: 'numbered',
    choices: [{ index: 0, message: { role: 'assistant', content: text, refusal: null }, finish_reason: 'stop' }],
    usage: chatUsage(number),
  };
}

function message(number: number, text: string): object {
  return {
    ...MESSAGE,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: PROMPT_TOKENS, output_tokens: number },
  };
}

interface Frames {
  readonly before: string;
  readonly piece: string;
  readonly after: string;
}

function completionFrames(number: number): Frames {
  const head = { id: 'chatcmpl-numbered', object: 'chat.completion.chunk', created: 1, model: 'numbered' };
  const chunk = (delta: object, finish: string | null) =>
    data({ ...head, choices: [{ index: 0, delta, finish_reason: finish }], usage: null });
  return {
    before: chunk({ role: 'assistant', content: '' }, null),
    piece: chunk({ content: PIECE }, null),
    after: `${chunk({}, 'stop')}${data({ ...head, choices: [], usage: chatUsage(number) })}data: [DONE]\n\n`,
  };
}

function messageFrames(number: number): Frames {
  const usage = { input_tokens: PROMPT_TOKENS, output_tokens: 1 };
  return {
    before:
      event({ type: 'message_start', message: { ...MESSAGE, content: [], usage } }) +
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    piece: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: PIECE } }),
    after:
      event({ type: 'content_block_stop', index: 0 }) +
      event({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: number },
      }) +
      event({ type: 'message_stop' }),
  };
}

const MESSAGE = {
  id: 'msg_numbered',
  type: 'message',
  role: 'assistant',
  model: 'numbered',
  stop_reason: null,
  stop_sequence: null,
};

function chatUsage(number: number): object {
  return { prompt_tokens: PROMPT_TOKENS, completion_tokens: number, total_tokens: PROMPT_TOKENS + number };
}
