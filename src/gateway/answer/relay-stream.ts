/**
 * The relay lane, streamed: a chunk in, the same chunk out, but for the dialect's closed list of
 * edits. One meter sees every frame. The last frame waits until the call is settled; a stream
 * that breaks ends broken, in the caller's own dialect.
 */
import { assert } from '../../core/assert.ts';
import type { Timer } from '../../core/clock.ts';
import { NO_INDEX } from '../../core/dense-set.ts';
import { asGatewayError, GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import type { FramePatcher } from '../../dialects/interface/frame-patcher.ts';
import type { Meter } from '../../dialects/interface/meter.ts';
import type { AnswerSink } from '../../upstream/answer-sink.ts';
import type { Frame } from '../../wire/frame.ts';
import type { FrameSplitter } from '../../wire/frame-splitter.ts';
import type { Call, Cancellable } from '../call.ts';
import { refuseTooManyInAnswer } from '../capacity/parse-limits.ts';
import { cutError } from '../cut-error.ts';
import { describe } from '../end/reply-error.ts';
import { checkpoint, finish, unsettle } from '../end/settle.ts';
import { withoutEcho } from '../exchange/credential-echo.ts';
import type { Gateway } from '../gateway.ts';
import type { Watched } from '../watch.ts';
import { answerFault } from './answer-fault.ts';
import { STREAM_HEADERS, upstreamRequestId, warningHeaders } from './answer-headers.ts';
import { ENDING_OF_STATE } from './ending-of-state.ts';
import { ERROR_EVENT, FrameCheck } from './frame-check.ts';
import { CHUNK_START } from './http-chunk.ts';
import { LastError } from './last-error.ts';
import type { RelayDone, RelayedAnswer } from './relayed-answer.ts';
import { StreamBody } from './stream-body.ts';
import { AFTER_END_MS, CHECKPOINT_EVERY_MS, CHECKPOINT_FRAMES, HEAD_WAITS_MS, TURN_BYTES } from './stream-limits.ts';

export class StreamRelay implements AnswerSink, Watched, Cancellable {
  index = NO_INDEX;
  readonly #gateway: Gateway;
  readonly #call: Call;
  readonly #answer: RelayedAnswer;
  readonly #done: RelayDone;
  readonly #meter: Meter;
  readonly #patcher: FramePatcher;
  readonly #check: FrameCheck;
  readonly #splitter: FrameSplitter;
  readonly #body: StreamBody;
  /** Set while the answer's first byte waits for the hold to be durable. */
  #waiting: Promise<void> | null;
  /** Whether anything may have reached the caller; until then a failure can still be told with a status. */
  #begun = false;
  #over = false;
  /** Set while it is open whether the provider says its error once more. */
  #lastError: LastError | null = null;
  #upstreamEnded = false;
  /** Set while the provider may still close a finished stream in its own way. */
  #afterEnd: Timer | null = null;
  /** Monotonic ms of the last bytes from the provider, and to the caller; and since when the caller does not read. */
  #receivedAt: number;
  #writtenAt: number;
  #stalledAt = 0;
  /** Whether meter and patcher would know a frame that is like the last one. */
  #isRepeatable = false;
  /** From the provider since it was last made to wait for a turn of the event loop. */
  #turnBytes = 0;
  #waitsForTurn = false;
  /** Frames since the last checkpoint, and when that was. */
  #uncheckedFrames = 0;
  #checkpointAt: number;

  constructor(gateway: Gateway, call: Call, answer: RelayedAnswer, done: RelayDone) {
    assert(call.meter !== null && call.peek !== null, 'a relay follows the peek');
    this.#gateway = gateway;
    this.#call = call;
    this.#answer = answer;
    this.#done = done;
    this.#splitter = answer.framing.openSplitter();
    this.#meter = call.meter;
    this.#patcher = answer.patcher;
    this.#check = new FrameCheck(call, call.meter, answer);
    this.#receivedAt = this.#writtenAt = this.#checkpointAt = call.firstByteAt;
    this.#body = new StreamBody(call.response, this.#onTaken);
    call.active = this;
    gateway.watch.add(this);
    this.#waiting = call.persistingHold;
    if (this.#waiting !== null) this.#waitForHold(this.#waiting);
  }

  cancel(ending: Ending): void {
    if (ending === 'caller_left') this.#leave(ending);
    else this.#breakOff(ending, cutError(ending));
  }

  chunk(bytes: Buffer): void {
    if (this.#over) return this.#lastError?.push(bytes);
    this.#receivedAt = this.#gateway.clock.monotonic();
    try {
      this.#relay(bytes);
      this.#turnBytes += bytes.length;
      if (this.#turnBytes >= TURN_BYTES) this.#waitForTurn();
    } catch (error) {
      this.#breakOff(error instanceof GatewayError ? 'upstream_failed' : 'gateway_failed', asGatewayError(error));
    }
  }

  /** Node reads megabytes in one turn where a provider has sent them, and each may hold thousands of frames. */
  #waitForTurn(): void {
    this.#turnBytes = 0;
    this.#waitsForTurn = true;
    this.#answer.flow.pause();
    setImmediate(() => {
      this.#waitsForTurn = false;
      if ((this.#over || this.#stalledAt === 0) && !this.#upstreamEnded) this.#answer.flow.resume();
    });
  }

  end(): void {
    this.#endUpstream();
    if (this.#over) return;
    const { state } = this.#meter;
    if (state === 'open' || state === 'failed') {
      const message = 'The provider ended the answer before it was complete.';
      this.#breakOff('upstream_failed', new GatewayError('bad_gateway', { message }));
    } else {
      this.#completeAtEnd();
    }
  }

  /** The stream ended well, without its last frame. */
  #completeAtEnd(): void {
    try {
      if (this.#patcher.end === undefined) this.#completeWithRest(this.#splitter.end());
      else this.#complete(this.#patcher.end());
    } catch (thrown) {
      const error = withoutEcho(this.#call.echo, thrown, null, ERROR_EVENT);
      this.#breakOff(error instanceof GatewayError ? 'upstream_failed' : 'gateway_failed', asGatewayError(error));
    }
  }

  /** What came after the last blank line: an event where only that is missing, else what clients leave out, too. */
  #completeWithRest(rest: Buffer): void {
    const frame = this.#answer.framing.frameOfRest(rest);
    if (frame === null) return this.#complete(rest.length === 0 || this.#check.leaksCredential(rest) ? null : rest);
    this.#meter.frame(frame);
    const patched = this.#patcher.frame(frame);
    this.#complete(this.#check.isAnswerEcho(frame) ? null : patched, frame);
  }

  fail(error: unknown): void {
    this.#endUpstream();
    this.#call.connectionFailed(error);
    const message = 'The connection to the provider broke before the answer was complete.';
    this.#breakOff('upstream_failed', new GatewayError('bad_gateway', { message, cause: error }));
  }

  #endUpstream(): void {
    this.#upstreamEnded = true;
    this.#afterEnd?.cancel();
    this.#lastError?.end();
  }

  check(nowMs: number): void {
    const { timeouts } = this.#gateway;
    if (this.#uncheckedFrames > 0 && nowMs - this.#checkpointAt >= CHECKPOINT_EVERY_MS) this.#checkpoint(nowMs);
    if (this.#stalledAt !== 0) {
      if (nowMs - this.#stalledAt >= timeouts.writeStallMs) this.#leave('caller_slow');
    } else if (nowMs - this.#receivedAt >= timeouts.idleMs) {
      this.#breakOff(
        'upstream_timeout',
        new GatewayError('upstream_timeout', { message: 'The provider fell silent.' }),
      );
    } else if (nowMs - this.#writtenAt >= timeouts.pingMs) {
      this.#write(this.#call.dialect.ping, nowMs);
    } else if (!this.#begun && nowMs - this.#writtenAt >= HEAD_WAITS_MS) {
      this.#begin();
      if (this.#waiting === null) this.#body.flushHead();
    }
    if (nowMs - this.#call.startedAt >= timeouts.totalMs) {
      this.#call.outlasted = true;
      const message = 'The call ran longer than a call may.';
      this.#breakOff('upstream_timeout', new GatewayError('upstream_timeout', { message }));
    }
  }

  #relay(bytes: Buffer): void {
    if (this.#isRepeatable && this.#splitter.isBetweenFrames && this.#repeat(bytes)) return;
    const frames = this.#splitter.push(bytes);
    if (frames.length === 0) return;
    this.#uncheckedFrames += frames.length;
    let only: Buffer | null = null;
    let several: Buffer[] | null = null;
    let failed = false;
    for (const frame of frames) {
      let patched: Buffer | null;
      try {
        refuseTooManyInAnswer(frame.bytes, this.#gateway.limits);
        this.#meter.frame(frame);
        if (this.#check.isUnknownEcho(frame)) continue;
        if (this.#meter.failure !== null) this.#refuseFailing(frame);
        patched = this.#patcher.frame(frame);
        if (this.#check.isAnswerEcho(frame)) throw new GatewayError('bad_gateway');
      } catch (error) {
        // What came before a frame that makes no sense is still the caller's.
        const before = several ?? (only === null ? [] : [only]);
        if (before.length > 0) this.#write(Buffer.concat(before), this.#receivedAt);
        throw withoutEcho(this.#call.echo, error, frame.bytes, ERROR_EVENT);
      }
      if (this.#meter.ended) {
        if (several !== null) this.#write(Buffer.concat(several), this.#receivedAt);
        else if (only !== null) this.#write(only, this.#receivedAt);
        return this.#complete(patched, frame, frames);
      }
      if (patched !== null) {
        if (several !== null) several.push(patched);
        else if (only === null) only = patched;
        else several = [only, patched];
      }
      // A client that does not look at the reason would take what came for an answer.
      failed = this.#meter.failure !== null;
      if (failed) break;
    }
    this.#isRepeatable = this.#meter.isRepeatable === true && this.#patcher.isRepeatable === true;
    if (several !== null) this.#write(Buffer.concat(several), this.#receivedAt);
    else if (only !== null) this.#write(only, this.#receivedAt);
    if (failed) throw new GatewayError('bad_gateway', { message: 'The provider failed in the middle of its answer.' });
    if (this.#uncheckedFrames >= CHECKPOINT_FRAMES) this.#checkpoint(this.#receivedAt);
  }

  #refuseFailing(frame: Frame): void {
    this.#call.answerFault = answerFault(this.#call, frame);
    this.#check.refuseFailing(frame);
  }

  /** Most of what arrives is one frame that differs from the one before in its text: compared once, it need not be cut, read, metered and patched. */
  #repeat(raw: Buffer): boolean {
    const scratch = this.#body.scratch();
    // Who keeps the answer cannot keep what lies in a place for all.
    if (scratch === null || this.#call.capture !== null) return false;
    const length = this.#patcher.repeat?.(raw, scratch, CHUNK_START) ?? -1;
    if (length === -1) return false;
    this.#meter.repeat?.(this.#patcher.repeatedTextBytes ?? 0);
    this.#uncheckedFrames += 1;
    this.#call.responseBytes += length;
    this.#writtenAt = this.#receivedAt;
    this.#body.sendScratch(length);
    if (this.#uncheckedFrames >= CHECKPOINT_FRAMES) this.#checkpoint(this.#receivedAt);
    return true;
  }

  /** `nowMs` is monotonic, as of about now: a chunk asks for the time once. */
  #write(bytes: Buffer, nowMs: number): void {
    if (!this.#begun) this.#begin();
    this.#call.countSent(bytes);
    this.#writtenAt = nowMs;
    // While the hold is not durable the response is corked: Node keeps the bytes.
    if (!this.#body.write(bytes) && this.#stalledAt === 0 && !this.#over) {
      this.#stalledAt = nowMs;
      this.#answer.flow.pause();
    }
  }

  #checkpoint(nowMs: number): void {
    this.#uncheckedFrames = 0;
    this.#checkpointAt = nowMs;
    checkpoint(this.#gateway, this.#call);
  }

  readonly #onTaken = (): void => {
    if (this.#stalledAt === 0 || this.#over) return;
    this.#stalledAt = 0;
    this.#receivedAt = this.#gateway.clock.monotonic();
    if (!this.#waitsForTurn) this.#answer.flow.resume();
  };

  #begin(): void {
    const call = this.#call;
    this.#begun = true;
    call.status = 200;
    call.response.writeHead(200, [
      ...call.idHeaders(),
      ...STREAM_HEADERS,
      ...upstreamRequestId(this.#answer.headers, call.echo),
      ...warningHeaders(call),
    ]);
  }

  #waitForHold(held: Promise<void>): void {
    this.#call.response.cork();
    held.then(
      () => {
        this.#waiting = null;
        this.#call.response.uncork();
        if (this.#begun && !this.#over) this.#body.flushHead();
      },
      (error) => this.#breakOff('gateway_failed', new GatewayError('ledger_unavailable', { cause: error })),
    );
  }

  /** The stream came to its end: settle, then give the last frame. `frame` is what it was, one of `frames` that came together. */
  #complete(last: Buffer | null, frame: Frame | null = null, frames: readonly Frame[] = []): void {
    const { state } = this.#meter;
    const said = state === 'failed' ? this.#check.failureIn(frame, last) : null;
    this.#stop();
    const { flow } = this.#answer;
    if (!this.#upstreamEnded) {
      this.#afterEnd = this.#gateway.clock.after(AFTER_END_MS, () => flow.abort());
      // A slow caller is no reason to keep the provider's connection.
      if (this.#stalledAt !== 0) flow.resume();
    }
    if (said === null) return this.#settleThen(ENDING_OF_STATE[state], () => this.#give(last));
    if (frame !== null) this.#call.answerFault = answerFault(this.#call, frame);
    const code = said instanceof GatewayError ? said.code : 'bad_gateway';
    this.#call.errorCode = code;
    this.#gateway.metrics.errorAnswered(this.#call.dialect.name, code);
    if (said instanceof GatewayError) return this.#settleThen('upstream_failed', () => this.#endWithError(said));
    if (said.alone === null || frame === null) {
      return this.#settleThen('upstream_failed', () => this.#give(said.event));
    }
    const lastError = new LastError(
      said.event,
      said.alone,
      this.#check,
      this.#answer.framing,
      this.#splitter,
      this.#gateway.clock,
    );
    this.#lastError = lastError;
    lastError.frames(frames.slice(frames.indexOf(frame) + 1));
    if (this.#upstreamEnded) lastError.end();
    this.#settleThen('upstream_failed', () => lastError.whole.then((bytes) => this.#give(bytes)));
  }

  #give(last: Buffer | null): void {
    if (!this.#begun) this.#begin();
    if (last !== null) this.#call.countSent(last);
    this.#body.end(last);
  }

  /** The stream cannot go on: settle, then say so in its own dialect. */
  #breakOff(ending: Ending, error: GatewayError): void {
    if (this.#over) return;
    this.#stop();
    this.#answer.flow.abort();
    if (!this.#begun) return this.#done(error);
    this.#call.errorCode = error.code;
    if (error.code === 'internal_error') this.#logFailure(error.cause);
    this.#gateway.metrics.errorAnswered(this.#call.dialect.name, error.code);
    this.#settleThen(ending, () => this.#endWithError(error));
  }

  /** Nobody reads any more: the provider is let go at once. */
  #leave(ending: 'caller_left' | 'caller_slow'): void {
    if (this.#over) return;
    this.#stop();
    this.#answer.flow.abort();
    if (!this.#begun) this.#call.status = 499;
    this.#settleThen(ending, () => void this.#call.response.destroy());
  }

  #settleThen(ending: Ending, conclude: () => void | Promise<void>): void {
    const settled = finish(this.#gateway, this.#call, ending);
    // The end stands for the hold as soon as it is durable, also where the hold was refused: what is charged is given.
    const durable = this.#waiting === null ? settled : Promise.allSettled([this.#waiting, settled]).then(() => settled);
    durable
      .then(conclude, (cause) => {
        unsettle(this.#gateway, this.#call);
        this.#call.errorCode = 'ledger_unavailable';
        this.#gateway.metrics.errorAnswered(this.#call.dialect.name, 'ledger_unavailable');
        this.#endWithError(new GatewayError('ledger_unavailable', { cause }));
      })
      .catch((error) => {
        // A broken connection tells the caller what can no longer be written.
        this.#logFailure(error);
        this.#call.response.destroy();
      })
      .then(() => this.#done(null));
  }

  #logFailure(cause: unknown): void {
    this.#gateway.log.error({ request: this.#call.requestId, cause: describe(cause) }, 'failed');
  }

  #endWithError(error: GatewayError): void {
    if (!this.#begun) this.#begin();
    const bytes = this.#call.dialect.writeStreamError(error, this.#call.requestId);
    this.#call.countSent(bytes);
    this.#call.response.end(bytes);
  }

  #stop(): void {
    this.#over = true;
    this.#call.active = null;
    this.#gateway.watch.delete(this);
    this.#body.release();
  }
}
