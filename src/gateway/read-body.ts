/**
 * Reads a request's body into one buffer, up to a size, scanning it as it arrives: no single step
 * is longer than a chunk, and a body that is broken or too large is refused before it is whole.
 */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../core/errors.ts';
import { type JsonDocument, JsonScan } from '../wire/json-scan.ts';
import type { Call } from './call.ts';
import type { Watch, Watched } from './watch.ts';

export interface BodyLimits {
  readonly bytesMax: number;
  readonly watch: Watch;
}

const NO_BYTES = Buffer.alloc(0);
const FIRST_CAPACITY = 16 * 1024;
/** A sender slower than this, once the grace is over, is cut off. */
const BYTES_PER_SECOND_MIN = 1024;
const SLOW_GRACE_MS = 10_000;

/** Rejects with `GatewayError` 400, 408, 413, 415 or, when the call is cut, 503; or with `CallerLeft`. */
export async function readBody(call: Call, limits: BodyLimits): Promise<JsonDocument> {
  const { request, response } = call;
  refuseEncoding(request);
  const declared = declaredLength(request);
  if (declared !== null && declared > limits.bytesMax) throw tooLarge(limits.bytesMax);
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => new BodyReader(call, declared, limits, resolve, reject));
}

/** The caller closed the connection; there is nobody to answer. */
export class CallerLeft extends Error {
  override readonly name = 'CallerLeft';
}

class BodyReader implements Watched {
  readonly #call: Call;
  readonly #limits: BodyLimits;
  readonly #resolve: (document: JsonDocument) => void;
  readonly #reject: (error: unknown) => void;
  readonly #scan: JsonScan;
  readonly #declared: number | null;
  #bytes: Buffer = NO_BYTES;
  #filled = 0;

  constructor(
    call: Call,
    declared: number | null,
    limits: BodyLimits,
    resolve: (document: JsonDocument) => void,
    reject: (error: unknown) => void,
  ) {
    this.#call = call;
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#scan = new JsonScan({ watchedKeys: call.dialect.watchedKeys });
    this.#declared = declared;
    const { request } = call;
    request.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onGone).on('close', this.#onGone);
    call.cut = () => this.#fail(new GatewayError('draining', { retryAfterSeconds: 1 }));
    limits.watch.add(this);
  }

  check(nowMs: number): void {
    const elapsedMs = nowMs - this.#call.startedAt;
    if (elapsedMs < SLOW_GRACE_MS) return;
    if (this.#filled < ((elapsedMs - SLOW_GRACE_MS) / 1000 + 1) * BYTES_PER_SECOND_MIN) {
      this.#fail(new GatewayError('request_timeout', { message: 'The request body arrived too slowly.' }));
    }
  }

  readonly #onData = (chunk: Buffer): void => {
    const filled = this.#filled + chunk.length;
    if (filled > this.#limits.bytesMax) return this.#fail(tooLarge(this.#limits.bytesMax));
    // Most bodies come in one piece, which then needs no copy.
    if (filled === this.#declared && this.#filled === 0) {
      this.#bytes = chunk;
    } else {
      if (filled > this.#bytes.length) this.#grow(filled);
      chunk.copy(this.#bytes, this.#filled);
    }
    this.#filled = filled;
    try {
      this.#scan.feed(this.#bytes, filled);
    } catch (error) {
      this.#fail(error);
    }
  };

  readonly #onEnd = (): void => {
    this.#stop();
    try {
      this.#resolve(this.#scan.finish(this.#bytes, this.#filled));
    } catch (error) {
      this.#reject(error);
    }
  };

  readonly #onGone = (): void => this.#fail(new CallerLeft('the caller left before the request was whole'));

  #grow(needed: number): void {
    // Memory the sender only promised to fill is not touched, so it costs nothing until it is.
    const wished = this.#declared ?? Math.max(this.#bytes.length * 2, needed, FIRST_CAPACITY);
    const capacity = Math.max(Math.min(wished, this.#limits.bytesMax), needed);
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#bytes.copy(larger, 0, 0, this.#filled);
    this.#bytes = larger;
  }

  #fail(error: unknown): void {
    this.#stop();
    this.#call.request.pause();
    this.#reject(error);
  }

  #stop(): void {
    this.#limits.watch.delete(this);
    this.#call.cut = null;
    this.#call.request
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onGone)
      .off('close', this.#onGone);
    // An error after this point is the connection's end, which others listen for.
    this.#call.request.on('error', () => undefined);
  }
}

function refuseEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new GatewayError('unsupported_media_type');
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    throw new GatewayError('unsupported_media_type', { message: 'Send the body as content-type: application/json.' });
  }
}

function declaredLength(request: IncomingMessage): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}

function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError('request_too_large', { message: `The request body is larger than ${bytesMax} bytes.` });
}
