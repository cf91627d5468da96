/**
 * The relay lane, streamed: a chunk in, the same chunk out, but for the dialect's closed list of
 * edits. One meter sees every frame. The last frame waits until the call is settled; a stream
 * that breaks ends broken, in the caller's own dialect.
 */
import type { Target } from '../catalog/model.ts';
import { assert } from '../core/assert.ts';
import { asGatewayError, GatewayError } from '../core/errors.ts';
import type { Ending } from '../core/settlement.ts';
import type { FramePatcher, Meter } from '../dialects/dialect.ts';
import type { AnswerFlow, AnswerHeaders, AnswerSink } from '../upstream/client.ts';
import { SseSplitter } from '../wire/sse.ts';
import { answerContext } from './answer-context.ts';
import { STREAM_HEADERS, upstreamRequestId, warningHeaders } from './answer-headers.ts';
import type { Call } from './call.ts';
import type { Gateway } from './gateway.ts';
import { finish } from './settle.ts';
import type { Watched } from './watch.ts';

/** Called once: null when the caller has everything it will get, an error when nothing has reached it. */
export type RelayDone = (error: GatewayError | null) => void;

/** How long a provider may keep a finished stream's connection before it is cut. */
const AFTER_END_MS = 2_000;

export class StreamRelay implements AnswerSink, Watched {
  readonly #gateway: Gateway;
  readonly #call: Call;
  readonly #flow: AnswerFlow;
  readonly #done: RelayDone;
  readonly #meter: Meter;
  readonly #patcher: FramePatcher;
  readonly #splitter = new SseSplitter();
  /** Set while the answer's first byte waits for the hold to be durable. */
  #waiting: Promise<void> | null;
  readonly #headers: AnswerHeaders;
  /** Whether anything may have reached the caller; until then a failure can still be told with a status. */
  #begun = false;
  #over = false;
  #upstreamEnded = false;
  /** Monotonic ms of the last bytes from the provider, and to the caller; and since when the caller does not read. */
  #receivedAt: number;
  #writtenAt: number;
  #stalledAt = 0;

  constructor(
    gateway: Gateway,
    call: Call,
    target: Target,
    headers: AnswerHeaders,
    flow: AnswerFlow,
    held: Promise<void> | null,
    done: RelayDone,
  ) {
    assert(call.meter !== null && call.peek !== null, 'a relay follows the peek');
    this.#gateway = gateway;
    this.#call = call;
    this.#flow = flow;
    this.#done = done;
    this.#meter = call.meter;
    this.#patcher = call.dialect.openPatcher(call.peek, answerContext(call, target));
    this.#waiting = held;
    this.#receivedAt = this.#writtenAt = gateway.clock.monotonic();
    this.#headers = headers;
    call.response.on('close', this.#onCallerGone).on('drain', this.#onDrain);
    call.cut = (ending) => this.#breakOff(ending, new GatewayError('draining', { retryAfterSeconds: 1 }));
    gateway.watch.add(this);
    if (held === null) setImmediate(this.#sendHead);
    else this.#waitForHold(held);
  }

  chunk(bytes: Buffer): void {
    if (this.#over) return;
    this.#receivedAt = this.#gateway.clock.monotonic();
    try {
      this.#relay(bytes);
    } catch (error) {
      this.#breakOff('upstream_failed', asGatewayError(error));
    }
  }

  end(): void {
    this.#upstreamEnded = true;
    if (this.#over) return;
    const { state } = this.#meter;
    if (state === 'open' || state === 'failed') {
      const message = 'The provider ended the answer before it was complete.';
      this.#breakOff('upstream_failed', new GatewayError('bad_gateway', { message }));
    } else {
      const rest = this.#splitter.end();
      this.#complete(rest.length === 0 ? null : rest);
    }
  }

  fail(error: unknown): void {
    this.#upstreamEnded = true;
    const message = 'The connection to the provider broke before the answer was complete.';
    this.#breakOff('upstream_failed', new GatewayError('bad_gateway', { message, cause: error }));
  }

  check(nowMs: number): void {
    const { timeouts } = this.#gateway;
    if (this.#stalledAt !== 0) {
      if (nowMs - this.#stalledAt >= timeouts.writeStallMs) this.#leave('caller_slow');
    } else if (nowMs - this.#receivedAt >= timeouts.idleMs) {
      this.#breakOff(
        'upstream_timeout',
        new GatewayError('upstream_timeout', { message: 'The provider fell silent.' }),
      );
    } else if (nowMs - this.#writtenAt >= timeouts.pingMs) {
      this.#write(this.#call.dialect.ping);
    }
    if (nowMs - this.#call.startedAt >= timeouts.totalMs) {
      const message = 'The call ran longer than a call may.';
      this.#breakOff('upstream_timeout', new GatewayError('upstream_timeout', { message }));
    }
  }

  #relay(bytes: Buffer): void {
    const frames = this.#splitter.push(bytes);
    if (frames.length === 0) return;
    let only: Buffer | null = null;
    let several: Buffer[] | null = null;
    for (const frame of frames) {
      this.#meter.frame(frame);
      const patched = this.#patcher.frame(frame);
      if (this.#meter.ended) {
        if (several !== null) this.#write(Buffer.concat(several));
        else if (only !== null) this.#write(only);
        return this.#complete(patched);
      }
      if (patched === null) continue;
      if (several !== null) several.push(patched);
      else if (only === null) only = patched;
      else several = [only, patched];
    }
    if (several !== null) this.#write(Buffer.concat(several));
    else if (only !== null) this.#write(only);
  }

  #write(bytes: Buffer): void {
    const { response } = this.#call;
    if (!this.#begun) this.#begin();
    this.#call.responseBytes += bytes.length;
    this.#writtenAt = this.#gateway.clock.monotonic();
    // While the hold is not durable the response is corked: Node keeps the bytes.
    if (!response.write(bytes) && this.#stalledAt === 0) {
      this.#stalledAt = this.#writtenAt;
      this.#flow.pause();
    }
  }

  readonly #onDrain = (): void => {
    if (this.#stalledAt === 0 || this.#over) return;
    this.#stalledAt = 0;
    this.#receivedAt = this.#gateway.clock.monotonic();
    this.#flow.resume();
  };

  #begin(): void {
    const call = this.#call;
    this.#begun = true;
    call.status = 200;
    call.response.writeHead(200, [
      ...call.idHeaders(),
      ...STREAM_HEADERS,
      ...upstreamRequestId(this.#headers),
      ...warningHeaders(call),
    ]);
  }

  /** The head goes with the first chunk when that comes at once, else alone. */
  readonly #sendHead = (): void => {
    if (this.#over || this.#begun) return;
    this.#begin();
    this.#call.response.flushHeaders();
  };

  #waitForHold(held: Promise<void>): void {
    this.#call.response.cork();
    held.then(
      () => {
        this.#waiting = null;
        this.#call.response.uncork();
        this.#sendHead();
      },
      (error) => this.#breakOff('gateway_failed', new GatewayError('ledger_unavailable', { cause: error })),
    );
  }

  /** The stream came to its end: settle, then give the last frame. */
  #complete(last: Buffer | null): void {
    this.#stop();
    const ending: Ending = ENDING_OF_STATE[this.#meter.state];
    if (!this.#upstreamEnded) this.#gateway.clock.after(AFTER_END_MS, () => this.#upstreamEnded || this.#flow.abort());
    this.#settleThen(ending, () => {
      if (last !== null) this.#write(last);
      if (!this.#begun) this.#begin();
      this.#call.response.end();
    });
  }

  /** The stream cannot go on: settle, then say so in its own dialect. */
  #breakOff(ending: Ending, error: GatewayError): void {
    if (this.#over) return;
    this.#stop();
    this.#flow.abort();
    if (!this.#begun) return this.#done(error);
    this.#call.errorCode = error.code;
    this.#gateway.metrics.errorAnswered(this.#call.dialect.name, error.code);
    this.#settleThen(ending, () => this.#endWithError(error));
  }

  readonly #onCallerGone = (): void => this.#leave('caller_left');

  /** Nobody reads any more: the provider is let go at once. */
  #leave(ending: 'caller_left' | 'caller_slow'): void {
    if (this.#over) return;
    this.#stop();
    this.#flow.abort();
    this.#settleThen(ending, () => this.#call.response.destroy());
  }

  #settleThen(ending: Ending, conclude: () => void): void {
    const settled = finish(this.#gateway, this.#call, ending);
    const durable = this.#waiting === null ? settled : this.#waiting.then(() => settled);
    durable
      .then(conclude, (cause) => {
        this.#call.errorCode = 'ledger_unavailable';
        if (!this.#begun) this.#begin();
        this.#endWithError(new GatewayError('ledger_unavailable', { cause }));
      })
      .then(() => this.#done(null));
  }

  #endWithError(error: GatewayError): void {
    const bytes = this.#call.dialect.writeStreamError(error, this.#call.requestId);
    this.#call.responseBytes += bytes.length;
    this.#call.response.end(bytes);
  }

  #stop(): void {
    this.#over = true;
    this.#call.cut = null;
    this.#gateway.watch.delete(this);
    this.#call.response.off('close', this.#onCallerGone).off('drain', this.#onDrain);
  }
}

const ENDING_OF_STATE = {
  open: 'upstream_failed',
  failed: 'upstream_failed',
  finished: 'complete',
  empty: 'empty',
} as const satisfies Record<Meter['state'], Ending>;
