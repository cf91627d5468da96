/** The caller's side of a streamed answer: its head, which waits for something to go with it and for the hold to be durable, its bytes and its end. */
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Relay } from '../../dialects/interface/relay.ts';
import type { AnswerHeaders } from '../../upstream/answer-sink.ts';
import type { Call } from '../call.ts';
import { STREAM_HEADERS, upstreamRequestId, warningHeaders } from './answer-headers.ts';
import { CHUNK_START } from './http-chunk.ts';
import type { ProviderPace } from './provider-pace.ts';
import { StreamBody } from './stream-body.ts';

export class CallerStream {
  /** Whether anything may have reached the caller; until then a failure can still be reported with a status. */
  begun = false;
  /** Monotonic ms of the last bytes. */
  writtenAt: number;
  /** Set while the answer's first byte waits for the hold to be durable, and where that was refused. */
  waiting: Promise<void> | null;
  readonly #call: Call;
  readonly #headers: AnswerHeaders;
  readonly #pace: ProviderPace;
  readonly #body: StreamBody;
  #isReleased = false;

  /** `headers` are the provider's, whose `pace` follows that of the caller. */
  constructor(call: Call, headers: AnswerHeaders, pace: ProviderPace, clock: Pick<Clock, 'monotonic'>) {
    this.#call = call;
    this.#headers = headers;
    this.writtenAt = call.firstByteAt;
    this.#pace = pace;
    this.#body = new StreamBody(call.response, () => pace.readOn(clock.monotonic()));
    this.waiting = call.persistingHold;
  }

  /** Keeps all bytes until the hold is durable. */
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

  /** `nowMs` is monotonic, as of about now: a chunk asks for the time once. */
  write(bytes: Buffer, nowMs: number): void {
    this.begin();
    this.#call.countSent(bytes);
    this.writtenAt = nowMs;
    // While the hold is not durable the response is corked: Node keeps the bytes.
    if (!this.#body.write(bytes)) this.#pace.stall(nowMs);
  }

  /**
   * Most of what arrives is one frame that differs from the one before in its text: compared once, it need not be cut, read, metered
   * and edited. False where it is none, and nothing has happened.
   */
  writeAgain(relay: Relay, bytes: Buffer, nowMs: number): boolean {
    const scratch = this.#body.scratch();
    // A call whose answer is kept cannot keep what lies in memory that all share.
    if (scratch === null || this.#call.capture !== null) return false;
    const length = relay.again(bytes, scratch, CHUNK_START);
    if (length === -1) return false;
    this.#call.responseBytes += length;
    this.writtenAt = nowMs;
    this.#body.sendScratch(length);
    return true;
  }

  /** The head goes out with the first bytes. */
  begin(): void {
    if (this.begun) return;
    const call = this.#call;
    this.begun = true;
    call.status = 200;
    call.response.writeHead(200, [
      ...call.idHeaders(),
      ...STREAM_HEADERS,
      ...upstreamRequestId(this.#headers, call.echo),
      ...warningHeaders(call),
    ]);
  }

  /** The head goes out by itself. */
  beginAlone(): void {
    this.begin();
    if (this.waiting === null) this.#body.flushHead();
  }

  /** The last bytes, if there are any. */
  end(last: Buffer | null): void {
    this.begin();
    if (last !== null) this.#call.countSent(last);
    this.#body.end(last);
  }

  endWithError(error: GatewayError): void {
    this.begin();
    const bytes = this.#call.dialect.writeStreamError(error, this.#call.requestId);
    this.#call.countSent(bytes);
    this.#call.response.end(bytes);
  }

  /** Whether the caller takes what comes is no concern any more. */
  release(): void {
    this.#isReleased = true;
    this.#body.release();
  }
}
