/** The relay lane, not streamed: the answer is read whole, metered, settled, and passed on with its edits. */
import { assert } from '../core/assert.ts';
import type { WholeBody } from '../core/body.ts';
import { asGatewayError, GatewayError } from '../core/errors.ts';
import { NOWHERE } from '../core/roster.ts';
import type { Ending } from '../core/settlement.ts';
import type { AnswerSink } from '../upstream/client.ts';
import { Gathering } from '../upstream/gathering.ts';
import { upstreamRequestId, warningHeaders } from './answer-headers.ts';
import type { Call, Step } from './call.ts';
import { cutError } from './cut-error.ts';
import type { Gateway } from './gateway.ts';
import { endInPieces } from './hand-over.ts';
import type { RelayDone, RelayedAnswer } from './relayed-answer.ts';
import { finish } from './settle.ts';
import type { Watched } from './watch.ts';

export class WholeRelay implements AnswerSink, Watched, Step {
  place = NOWHERE;
  readonly #gateway: Gateway;
  readonly #call: Call;
  readonly #answer: RelayedAnswer;
  readonly #done: RelayDone;
  readonly #gathering: Gathering;
  #over = false;
  #receivedAt: number;

  constructor(gateway: Gateway, call: Call, answer: RelayedAnswer, done: RelayDone) {
    const { flow } = answer;
    this.#gateway = gateway;
    this.#call = call;
    this.#answer = answer;
    this.#done = done;
    this.#receivedAt = call.firstByteAt;
    this.#gathering = new Gathering(gateway.limits.answerBytesMax, {
      whole: (body) => this.#take(body),
      tooLarge: () => {
        flow.abort();
        this.#refuse(new GatewayError('bad_gateway', { message: 'The answer of the provider is too large.' }));
      },
      broken: (cause) => {
        const message = 'The connection to the provider broke before the answer was complete.';
        this.#refuse(new GatewayError('bad_gateway', { message, cause }));
      },
    });
    call.step = this;
    gateway.watch.add(this);
  }

  cut(ending: Ending): void {
    if (ending === 'caller_left') return this.#leave();
    this.#answer.flow.abort();
    this.#refuse(cutError(ending));
  }

  chunk(bytes: Buffer): void {
    this.#receivedAt = this.#gateway.clock.monotonic();
    this.#gathering.chunk(bytes);
  }

  end(): void {
    this.#gathering.end();
  }

  fail(error: unknown): void {
    this.#gathering.fail(error);
  }

  check(nowMs: number): void {
    const { idleMs, totalMs } = this.#gateway.timeouts;
    if (nowMs - this.#receivedAt < idleMs && nowMs - this.#call.startedAt < totalMs) return;
    this.#answer.flow.abort();
    this.#refuse(new GatewayError('upstream_timeout'));
  }

  #take(body: Buffer): void {
    if (this.#over) return;
    try {
      this.#deliver(body);
    } catch (error) {
      // What is thrown into the client that called this would be lost, and the caller would wait for ever.
      this.#refuse(asGatewayError(error));
    }
  }

  #deliver(body: Buffer): void {
    const call = this.#call;
    const { meter, peek } = call;
    assert(meter !== null && peek !== null, 'a relay follows the peek');
    meter.body(body);
    if (meter.state === 'failed' || meter.state === 'open') {
      return this.#refuse(
        new GatewayError('bad_gateway', { message: 'The provider answered with something that is no answer.' }),
      );
    }
    if (peek.stream) {
      const message = 'The provider sent a whole answer where a stream was asked for.';
      return this.#refuse(new GatewayError('bad_gateway', { message }));
    }
    const patched = this.#answer.patcher.body(body);
    this.#stop();
    const settled = finish(this.#gateway, call, meter.state === 'empty' ? 'empty' : 'complete', patched);
    // Nothing of the answer has gone out, so there was no hold to make durable before.
    settled.then(
      () => this.#done(this.#write(patched)),
      (cause) => this.#done(new GatewayError('ledger_unavailable', { cause })),
    );
  }

  /** Null when it went well. */
  #write(body: WholeBody): GatewayError | null {
    try {
      this.#send(body);
      return null;
    } catch (error) {
      return asGatewayError(error);
    }
  }

  #send(body: WholeBody): void {
    const { response } = this.#call;
    this.#call.status = 200;
    this.#call.gave(body);
    response.writeHead(200, [
      ...this.#call.idHeaders(),
      'content-type',
      'application/json',
      'content-length',
      String(body.length),
      ...upstreamRequestId(this.#answer.headers),
      ...warningHeaders(this.#call),
    ]);
    endInPieces(response, body);
  }

  /** Nothing has reached the caller: the exchange decides what comes next. */
  #refuse(error: GatewayError): void {
    if (this.#over) return;
    this.#stop();
    this.#done(error);
  }

  #leave(): void {
    if (this.#over) return;
    this.#stop();
    this.#answer.flow.abort();
    this.#call.status = 499;
    finish(this.#gateway, this.#call, 'caller_left').then(
      () => this.#done(null),
      (cause) => this.#done(new GatewayError('ledger_unavailable', { cause })),
    );
  }

  #stop(): void {
    this.#over = true;
    this.#call.step = null;
    this.#gateway.watch.delete(this);
  }
}
