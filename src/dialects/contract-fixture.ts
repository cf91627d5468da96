/** What the contracts of dialects share: fixtures, a request as the gateway passes it, and a stream run through a relay. */
import assert from 'node:assert/strict';
import type { Usage } from '../core/usage.ts';
import type { Frame } from '../wire/frames/frame.ts';
import { SseSplitter } from '../wire/frames/sse-splitter.ts';
import { scanJson } from '../wire/json-scan.ts';
import type { CallerDialect, RelayDialect } from './dialect.ts';
import { requestPath } from './interface/caller-path.ts';
import type { Inbound } from './interface/inbound.ts';
import type { Meter, MeterState } from './interface/meter.ts';
import type { Peek } from './interface/peek.ts';
import type { PartContext, Relay, RelayContext } from './interface/relay.ts';
import { NO_MEDIA } from './kit/media/inline-media.ts';

/** What an answer must be metered as. */
export interface Metered {
  readonly state: MeterState;
  readonly usage: Usage | null;
  readonly outputBytes: number;
  readonly finishReason: string | null;
  readonly upstreamId: string | null;
}

export interface AnswerFixture {
  readonly name: string;
  /** The bytes of a stream or of a whole answer. */
  readonly bytes: Buffer;
  /** The model string in these bytes. */
  readonly upstreamModel: string;
  /** The request it answers, as JSON. */
  readonly request: string;
  readonly metered: Metered;
  /** Whether the format always edits it, even if the relay has nothing to change. */
  readonly alwaysEdited?: boolean;
}

/** An error event as a provider sends it. */
export interface ErrorFixture {
  readonly event: string;
  readonly isSafe: boolean;
  /** The event that a relay adds after it; null if it adds none. */
  readonly adds: string | null;
}

/** A request as the gateway passes it to a dialect: at its first path, for `CALLER_MODEL` if the model is in the path. */
export function inboundOf(dialect: CallerDialect, body: string, headers: Inbound['headers'] = {}): Inbound {
  return {
    ...requestPath(dialect.paths[0], CALLER_MODEL),
    headers,
    document: scanJson(Buffer.from(body), dialect.scan),
  };
}

/** The path of a request whose format puts nothing into its path. */
export const AT_NO_PATH = { path: '/', query: '', parameters: {} } as const;

/** A patched stream and the metering of the original. */
export interface Run {
  readonly output: Buffer;
  readonly metered: Metered;
}

/** Runs a stream that arrives in these pieces through a relay, as the gateway does. */
export function runStream(dialect: RelayDialect, pieces: readonly Buffer[], peek: Peek, context: RelayContext): Run {
  const splitter = new SseSplitter();
  const relay = dialect.openRelay(peek, context);
  const output: Buffer[] = [];
  for (const piece of pieces) {
    const again = splitter.isBetweenFrames ? relayedAgain(relay, piece) : null;
    if (again !== null) {
      output.push(again);
      continue;
    }
    for (const frame of splitter.push(piece)) {
      const relayed = relay.frame(frame);
      if (relayed !== null) output.push(relayed);
    }
  }
  output.push(splitter.end());
  return { output: Buffer.concat(output), metered: readMeter(relay.meter) };
}

/** What a frame becomes if it is recognised as a repetition; otherwise null. Asserts that the bytes around it do not change. */
export function relayedAgain(relay: Relay, bytes: Buffer): Buffer | null {
  const { outputBytes } = relay.meter.delivered();
  const scratch = Buffer.alloc(SCRATCH_BYTES, EMPTY);
  assert.equal(relay.again(bytes, scratch.subarray(0, SCRATCH_START + 1), SCRATCH_START), -1);
  assert.equal(relay.meter.delivered().outputBytes, outputBytes);
  scratch.fill(EMPTY);
  const length = relay.again(bytes, scratch, SCRATCH_START);
  const end = SCRATCH_START + Math.max(0, length);
  assert.ok(scratch.subarray(0, SCRATCH_START).every((byte) => byte === EMPTY));
  assert.ok(scratch.subarray(end).every((byte) => byte === EMPTY));
  return length === -1 ? null : scratch.subarray(SCRATCH_START, end);
}

const SCRATCH_BYTES = 4096;
const SCRATCH_START = 7;
const EMPTY = 0xee;

/** A context without prices that keeps the model's name: the remaining changes are the format's own edits. */
export function plainContext(model: string): PartContext<never> {
  return { callerModel: model, cost: () => null, unitLine: () => 0 };
}

export const CALLER_MODEL = 'vendor/the "caller\'s" own name';
export const SECRET = 'sk-proj-Zq81kXw0PlantedSecret77';
export const REQUEST_ID = 'req_01contract';

/** Prefixes the name of a test with its dialect. */
export type Naming = (what: string) => string;

export const PEEK: Peek = {
  model: CALLER_MODEL,
  stream: true,
  outputCap: 100,
  choices: 1,
  hasTools: false,
  namedTools: 0,
  wantsUsage: false,
  hasFormat: false,
  promptUnbounded: false,
  serverToolUses: 0,
  searchField: null,
  compacts: false,
  media: NO_MEDIA,
  promptBytes: 50,
  bodyBytes: 100,
  values: 10,
  growth: 0,
  predictedTokens: 0,
  needsTarget: false,
};

export function framesOf(...parts: readonly Buffer[]): Frame[] {
  return new SseSplitter().push(Buffer.concat(parts));
}

export function readMeter(meter: Meter): Metered {
  const { state, finishReason, upstreamId } = meter;
  return { state, usage: meter.usage(), outputBytes: meter.delivered().outputBytes, finishReason, upstreamId };
}

/** Numbers in [0, 1) that are the same in every run: https://en.wikipedia.org/wiki/Xorshift */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
