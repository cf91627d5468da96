/**
 * Relays a streamed answer: a chunk in, a chunk out, after the lane's edits to its frames. The last frame waits until the
 * call is settled; a stream that breaks ends with an error in the caller's dialect.
 */
import type { Timer } from '../../core/clock.ts';
import { NO_INDEX } from '../../core/dense-set.ts';
import { asGatewayError, GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import type { Relay } from '../../dialects/interface/relay.ts';
import type { AnswerSink } from '../../upstream/answer-sink.ts';
import { isBytes } from '../../wire/frames/byte-splitter.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import type { FrameSplitter } from '../../wire/frames/frame-splitter.ts';
import { FRAME_BYTES_MAX } from '../../wire/frames/sse-splitter.ts';
import type { Cancellable } from '../call.ts';
import { inSteps, memoryOf } from '../capacity/memory-budget.ts';
import { refuseUnparsableEvent } from '../capacity/parse-limits.ts';
import { cutError } from '../cut-error.ts';
import { withoutEcho } from '../exchange/credential-echo.ts';
import type { Asked } from '../phases.ts';
import type { Watched } from '../watch.ts';
import { answerFault } from './answer-fault.ts';
import { CallerStream } from './caller-stream.ts';
import { Checkpoints } from './checkpoints.ts';
import { ENDING_OF_STATE } from './ending-of-state.ts';
import { ERROR_EVENT, type RelayedError } from './frame-check.ts';
import { LastError } from './last-error.ts';
import { ProviderPace } from './provider-pace.ts';
import type { RelayDone, RelayPorts, StreamedAnswer } from './relayed-answer.ts';
import { endsWithError, logFailure, settleStream } from './settle-stream.ts';
import { AFTER_END_MS, HEAD_WAITS_MS } from './stream-limits.ts';

export class StreamRelay implements AnswerSink, Watched, Cancellable {
  index = NO_INDEX;
  readonly #ports: RelayPorts;
  readonly #call: Asked;
  readonly #answer: StreamedAnswer;
  readonly #done: RelayDone;
  readonly #relay: Relay;
  readonly #splitter: FrameSplitter;
  readonly #pace: ProviderPace;
  readonly #stream: CallerStream;
  readonly #checkpoints: Checkpoints;
  /** Bytes of an incomplete frame that have been counted, or need not be. */
  #counted = FRAME_BYTES_MAX;
  #over = false;
  /** From then on nothing can go wrong that the caller would not see. */
  #isEnding = false;
  /** Set while the provider may still send its error a second time. */
  #lastError: LastError | null = null;
  /** Set while the provider may still close a finished stream by itself. */
  #afterEnd: Timer | null = null;

  constructor(ports: RelayPorts, call: Asked, answer: StreamedAnswer, done: RelayDone) {
    this.#ports = ports;
    this.#call = call;
    this.#answer = answer;
    this.#done = done;
    this.#relay = answer.relay;
    this.#splitter = answer.framing.openSplitter(frameBytesMax(ports, answer));
    this.#pace = new ProviderPace(answer.flow, call.firstByteAt);
    this.#checkpoints = new Checkpoints(ports, call);
    this.#stream = new CallerStream(call, answer, this.#pace, ports.clock);
    call.active = this;
    ports.watch.add(this);
    this.#stream.waitForHold((refusal) => this.#breakOff('gateway_failed', refusal));
  }

  cancel(ending: Ending): void {
    if (ending === 'caller_left') this.#leave(ending);
    else this.#breakOff(ending, cutError(ending));
  }

  chunk(bytes: Buffer): void {
    if (this.#over) return this.#lastError?.push(bytes);
    const nowMs = this.#ports.clock.monotonic();
    this.#pace.receivedAt = nowMs;
    try {
      this.#relayChunk(bytes, nowMs);
      this.#pace.relayed(bytes.length);
    } catch (error) {
      this.#breakOffFor(error);
    }
  }

  end(): void {
    this.#endUpstream();
    if (this.#over) return;
    const { state } = this.#relay.meter;
    try {
      if (state === 'open' || state === 'failed') {
        if (this.#endsWithObjectAlone()) return;
        return this.#upstreamFailed('The provider ended the answer before it was complete.');
      }
      this.#completeAtEnd();
    } catch (error) {
      this.#breakOffFor(withoutEcho(this.#call.echo, error, null, ERROR_EVENT));
    }
  }

  fail(error: unknown): void {
    this.#endUpstream();
    this.#call.connectionFailed(error);
    this.#upstreamFailed('The connection to the provider was lost before the answer was complete.', error);
  }

  check(nowMs: number): void {
    const { timeouts } = this.#ports;
    const { receivedAt, stalledAt } = this.#pace;
    const stream = this.#stream;
    try {
      this.#checkpoints.check(nowMs);
    } catch (error) {
      return this.#breakOffFor(error);
    }
    if (stalledAt !== 0) {
      if (nowMs - stalledAt >= timeouts.writeStallMs) this.#leave('caller_slow');
    } else if (nowMs - receivedAt >= timeouts.idleMs) {
      this.#timeOut('The provider stopped sending.');
    } else if (nowMs - stream.writtenAt >= timeouts.pingMs) {
      stream.ping(nowMs);
    } else if (!stream.begun && nowMs - stream.writtenAt >= HEAD_WAITS_MS) {
      stream.beginAlone();
    }
    if (nowMs - this.#call.startedAt >= timeouts.totalMs) {
      this.#call.outlasted = true;
      this.#timeOut('The call exceeded the maximum duration.');
    }
  }

  #relayChunk(bytes: Buffer, nowMs: number): void {
    if (this.#splitter.isBetweenFrames && this.#stream.writeAgain(this.#relay, bytes, nowMs)) {
      this.#checkpoints.count(1, nowMs);
    } else {
      const frames = this.#splitter.push(bytes);
      this.#countHeld(this.#splitter.heldBytes ?? 0);
      const goesOn = this.#relayFrames(frames, nowMs);
      if (this.#call.firstTokenAt === 0) this.#noteFirstToken(nowMs);
      if (goesOn) this.#checkpoints.count(frames.length, nowMs);
    }
  }

  /** Counts the memory of a frame that is longer than usual. Throws `GatewayError` 503 if there is none left. */
  #countHeld(bytes: number): void {
    if (bytes <= this.#counted) return;
    const wanted = inSteps(bytes);
    memoryOf(this.#call, this.#ports.memory).takeForAnswer(wanted - this.#counted);
    this.#counted = wanted;
  }

  /** A comment, or a frame that only announces the answer, is none. */
  #noteFirstToken(nowMs: number): void {
    if (this.#relay.meter.delivered().outputBytes > 0) this.#call.firstTokenAt = nowMs;
  }

  /** Returns false if the stream came to its end. */
  #relayFrames(frames: readonly Frame[], nowMs: number): boolean {
    const relay = this.#relay;
    const ready: Buffer[] = [];
    let failed = false;
    for (const frame of frames) {
      let relayed: Buffer | null;
      try {
        if (!isBytes(frame)) refuseUnparsableEvent(frame.bytes, this.#ports.limits);
        relayed = relay.frame(frame);
        if (!relay.isKnown && relayed !== null) this.#answer.check.refuseLeaking(frame, relay);
      } catch (error) {
        // The frames before an invalid one still go to the caller.
        this.#writeTogether(ready, nowMs);
        throw withoutEcho(this.#call.echo, error, frame.bytes, ERROR_EVENT);
      }
      if (relay.meter.ended) {
        this.#writeTogether(ready, nowMs);
        this.#complete(relayed, frame, frames);
        return false;
      }
      if (relayed !== null) ready.push(relayed);
      // A client that does not check the finish reason would take the partial text for a whole answer.
      failed = relay.meter.failure !== null;
      if (failed) break;
    }
    this.#writeTogether(ready, nowMs);
    if (failed) throw new GatewayError('bad_gateway', { message: 'The provider failed in the middle of its answer.' });
    return true;
  }

  #writeTogether(ready: readonly Buffer[], nowMs: number): void {
    const [first] = ready;
    if (first !== undefined) this.#stream.write(ready.length === 1 ? first : Buffer.concat(ready), nowMs);
  }

  #endUpstream(): void {
    this.#pace.end();
    this.#afterEnd?.cancel();
    this.#lastError?.end();
  }

  /** An error may come without the framing of an event. Returns whether it ended the answer. */
  #endsWithObjectAlone(): boolean {
    const frame = this.#answer.framing.frameOfRest(this.#splitter.end());
    if (frame === null || frame.dataStart !== -1) return false;
    return !this.#relayFrames([frame], this.#ports.clock.monotonic());
  }

  /**
   * The stream ended well, but without its last frame; the rest after the last whole frame may be one that only lacks its end.
   */
  #completeAtEnd(): void {
    const { framing, check } = this.#answer;
    if (!this.#relay.passesRest) return this.#complete(this.#relay.end());
    const rest = this.#splitter.end();
    const frame = framing.frameOfRest(rest);
    if (frame !== null) return this.#complete(check.lastOf(frame, this.#relay), frame);
    this.#complete(rest.length === 0 || check.leaksCredential(rest) ? null : rest);
  }

  /**
   * The stream came to its end: settle, then send the last frame. `frame` is its original, one of `frames` that arrived
   * together.
   */
  #complete(last: Buffer | null, frame: Frame | null = null, frames: readonly Frame[] = []): void {
    const { state } = this.#relay.meter;
    this.#call.lastTokenAt = this.#pace.receivedAt;
    const failure = state === 'failed' ? this.#answer.check.failureIn(frame, last) : null;
    this.#stop();
    if (!this.#pace.isEnded) {
      this.#afterEnd = this.#ports.clock.after(AFTER_END_MS, () => this.#answer.flow.abort());
      this.#pace.drain();
    }
    if (failure === null) return this.#settleThen(ENDING_OF_STATE[state], () => this.#stream.end(last));
    if (frame !== null) this.#call.answerFault = answerFault(this.#call, frame);
    endsWithError(this.#ports, this.#call, failure instanceof GatewayError ? failure.code : 'bad_gateway');
    if (failure instanceof GatewayError)
      return this.#settleThen('upstream_failed', () => this.#stream.endWithError(failure));
    this.#completeFailed(failure, frames.slice(frame === null ? 0 : frames.indexOf(frame) + 1));
  }

  /**
   * Sends the provider's own error; if clients also expect a separate error event, waits for that. `more` arrived after it.
   */
  #completeFailed({ event, alone }: RelayedError, more: readonly Frame[]): void {
    if (alone === null) return this.#settleThen('upstream_failed', () => this.#stream.end(event));
    const lastError = new LastError(event, alone, this.#answer, this.#splitter, this.#ports.clock);
    this.#lastError = lastError;
    lastError.frames(more);
    if (this.#pace.isEnded) lastError.end();
    this.#settleThen('upstream_failed', () => lastError.whole.then((bytes) => this.#stream.end(bytes)));
  }

  #upstreamFailed(message: string, cause?: unknown): void {
    this.#breakOff('upstream_failed', new GatewayError('bad_gateway', { message, cause }));
  }

  #timeOut(message: string): void {
    this.#breakOff('upstream_timeout', new GatewayError('upstream_timeout', { message }));
  }

  #breakOffFor(error: unknown): void {
    this.#breakOff(error instanceof GatewayError ? 'upstream_failed' : 'gateway_failed', asGatewayError(error));
  }

  /** The stream cannot continue: settle, then send an error in the caller's dialect. */
  #breakOff(ending: Ending, error: GatewayError): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (!this.#over) this.#stop();
    this.#answer.flow.abort();
    if (!this.#stream.begun) return this.#done(error);
    if (error.code === 'internal_error') logFailure(this.#ports, this.#call, error.cause);
    endsWithError(this.#ports, this.#call, error.code);
    this.#settleThen(ending, () => this.#stream.endWithError(error));
  }

  /** The caller no longer reads: the connection to the provider is closed immediately. */
  #leave(ending: 'caller_left' | 'caller_slow'): void {
    if (this.#over) return;
    this.#stop();
    this.#answer.flow.abort();
    if (!this.#stream.begun) this.#call.status = 499;
    this.#settleThen(ending, () => void this.#call.response.destroy());
  }

  #settleThen(ending: Ending, conclude: () => void | Promise<void>): void {
    this.#isEnding = true;
    settleStream(this.#ports, this.#call, this.#stream, ending, conclude).then(() => this.#done(null));
  }

  #stop(): void {
    this.#over = true;
    this.#call.active = null;
    this.#ports.watch.delete(this);
    this.#pace.release();
    this.#stream.release();
  }
}

/** No longer than a whole answer. */
function frameBytesMax({ limits }: RelayPorts, { frameBytesMax: wanted }: StreamedAnswer): number | undefined {
  return wanted === undefined ? undefined : Math.min(wanted, limits.answerBytesMax);
}
