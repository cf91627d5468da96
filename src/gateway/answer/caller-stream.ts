/**
 * The caller's side of a streamed answer: its head, which waits for the first bytes and for the hold to be durable, its bytes
 * and its end.
 */
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Relay } from '../../dialects/interface/relay.ts';
import type { StreamEncoder, StreamForm } from '../../dialects/interface/stream-form.ts';
import type { AnswerHeaders } from '../../upstream/answer-sink.ts';
import type { Framing } from '../../wire/frames/framings.ts';
import type { Asked } from '../phases.ts';
import { opaqueForm, streamHeaders, upstreamRequestId, warningHeaders } from './answer-headers.ts';
import { CHUNK_START } from './http-chunk.ts';
import type { ProviderPace } from './provider-pace.ts';
import { StreamBody } from './stream-body.ts';

export class CallerStream {
  /** Whether anything may have reached the caller; until then a failure can still be reported with a status. */
  begun = false;
  /** Monotonic ms of the last bytes. */
  writtenAt: number;
  /** Set while the answer's first byte waits for the hold to be durable, and if the disk refused it. */
  waiting: Promise<void> | null;
  readonly #call: Asked;
  readonly #answer: Answering;
  readonly #pace: ProviderPace;
  readonly #body: StreamBody;
  /** Null for server-sent events. */
  readonly #form: (Pick<StreamForm, 'contentType'> & Partial<StreamForm>) | null;
  readonly #encoder: StreamEncoder | null;
  /** Whether nothing but the provider's bytes can be sent. */
  readonly #isOpaque: boolean;
  #isReleased = false;

  /** `pace` slows the provider's stream down to the caller's. */
  constructor(call: Asked, answer: Answering, pace: ProviderPace, clock: Pick<Clock, 'monotonic'>) {
    this.#call = call;
    this.#answer = answer;
    this.writtenAt = call.firstByteAt;
    this.#pace = pace;
    this.#body = new StreamBody(call.response, () => pace.readOn(clock.monotonic()));
    this.#isOpaque = answer.framing.isOpaque === true;
    this.#form = this.#isOpaque
      ? opaqueForm(answer.headers, call.echo)
      : (call.dialect.streamForm?.(call.inbound) ?? null);
    this.#encoder = this.#form?.open?.() ?? null;
    this.waiting = call.persistingHold;
  }

  /** Buffers all bytes until the hold is durable. */
  waitForHold(onRefused: (error: GatewayError) => void): void {
    if (this.waiting === null) return;
    this.#call.response.cork();
    this.waiting.then(
      () => {
        this.waiting = null;
        this.#call.response.uncork();
        if (this.begun && !this.#isReleased) this.#body.flushHead();
      },
      (cause) => onRefused(new GatewayError('ledger_unavailable', { cause })),
    );
  }

  /** `nowMs` is monotonic; a chunk reads the clock once. */
  write(events: Buffer, nowMs: number): void {
    this.#send(events, nowMs, true);
  }

  /** Bytes without meaning, which keep the connection open. */
  ping(nowMs: number): void {
    if (this.#isOpaque) this.writtenAt = nowMs;
    else this.#send(this.#call.dialect.ping, nowMs, false);
  }

  #send(events: Buffer, nowMs: number, isAnswer: boolean): void {
    const bytes = this.#encoder === null ? events : this.#encoder.write(events);
    this.begin();
    this.#count(bytes, isAnswer);
    this.writtenAt = nowMs;
    // While the hold is not durable, the response is corked: Node buffers the bytes.
    if (!this.#body.write(bytes)) this.#pace.stall(nowMs);
  }

  /**
   * Most chunks are one frame that differs from the last one only in its text: compared once, it need not be split, parsed,
   * metered and edited. Returns false, and has no effect, for any other chunk.
   */
  writeAgain(relay: Relay, bytes: Buffer, nowMs: number): boolean {
    const scratch = this.#encoder === null ? this.#body.scratch() : null;
    // What is captured cannot refer to memory that all calls share.
    if (scratch === null || this.#call.isCopied) return false;
    const length = relay.again(bytes, scratch, CHUNK_START);
    if (length === -1) return false;
    this.#call.responseBytes += length;
    this.writtenAt = nowMs;
    this.#body.sendScratch(length);
    return true;
  }

  /** Sends the head with the first bytes. */
  begin(): void {
    if (this.begun) return;
    const call = this.#call;
    this.begun = true;
    call.status = 200;
    call.response.writeHead(200, [
      ...call.idHeaders(),
      ...streamHeaders(this.#form),
      ...upstreamRequestId(this.#answer.headers, call.echo),
      ...warningHeaders(call),
    ]);
  }

  /** Sends the head by itself. */
  beginAlone(): void {
    this.begin();
    if (this.waiting === null) this.#body.flushHead();
  }

  /** The last bytes, if there are any. */
  end(events: Buffer | null): void {
    const last = this.#encoder === null ? events : this.#encoder.end(events);
    this.begin();
    if (last !== null) this.#call.countSent(last);
    this.#body.end(last);
  }

  endWithError(error: GatewayError): void {
    this.begin();
    // A connection that breaks shows the caller that the answer is not whole.
    if (this.#isOpaque) return void this.#call.response.destroy();
    const { dialect, requestId } = this.#call;
    const event = this.#answer.relay.fail(error) ?? dialect.writeStreamError(error, requestId);
    if (this.#encoder !== null) return this.#endWith(this.#encoder.end(event));
    if (dialect.writeErrorAlone === undefined) return this.#endWith(event);
    this.#call.countSent(event);
    // Not through Node, which would join it with the end.
    this.#body.write(event);
    this.#endWith(dialect.writeErrorAlone(error, requestId));
  }

  /** What cannot be read is not stored: a note says what it was. */
  #count(bytes: Buffer, isAnswer: boolean): void {
    if (this.#isOpaque) this.#call.responseBytes += bytes.length;
    else this.#call.countSent(bytes, isAnswer);
  }

  #noteBytes(): void {
    const { capture, responseBytes } = this.#call;
    if (responseBytes > 0) capture?.response.add(Buffer.from(`[${this.#form?.contentType}, ${responseBytes} bytes]`));
  }

  #endWith(bytes: Buffer): void {
    this.#call.countSent(bytes);
    this.#call.response.end(bytes);
  }

  /** Stops reacting to how fast the caller reads. */
  release(): void {
    this.#isReleased = true;
    if (this.#isOpaque) this.#noteBytes();
    this.#body.release();
  }
}

/** The provider's headers, and how its answer is written. */
interface Answering {
  readonly headers: AnswerHeaders;
  readonly relay: Pick<Relay, 'fail'>;
  readonly framing: Pick<Framing, 'isOpaque'>;
}
