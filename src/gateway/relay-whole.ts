/** The relay lane, not streamed: the answer is read whole, metered, settled, and passed on with its edits. */
import type { Target } from '../catalog/model.ts';
import { assert } from '../core/assert.ts';
import { asGatewayError, GatewayError } from '../core/errors.ts';
import type { AnswerFlow, AnswerHeaders, AnswerSink } from '../upstream/client.ts';
import { Gathering } from '../upstream/gathering.ts';
import { answerContext } from './answer-context.ts';
import { upstreamRequestId, warningHeaders } from './answer-headers.ts';
import type { Call } from './call.ts';
import type { Gateway } from './gateway.ts';
import type { RelayDone } from './relay-stream.ts';
import { finish } from './settle.ts';
import type { Watched } from './watch.ts';

export class WholeRelay implements AnswerSink, Watched {
  readonly #gateway: Gateway;
  readonly #call: Call;
  readonly #target: Target;
  readonly #headers: AnswerHeaders;
  readonly #flow: AnswerFlow;
  readonly #held: Promise<void> | null;
  readonly #done: RelayDone;
  readonly #gathering: Gathering;
  #over = false;
  #receivedAt: number;

  constructor(
    gateway: Gateway,
    call: Call,
    target: Target,
    headers: AnswerHeaders,
    flow: AnswerFlow,
    held: Promise<void> | null,
    done: RelayDone,
  ) {
    this.#gateway = gateway;
    this.#call = call;
    this.#target = target;
    this.#headers = headers;
    this.#flow = flow;
    this.#held = held;
    this.#done = done;
    this.#receivedAt = gateway.clock.monotonic();
    this.#gathering = new Gathering(gateway.limits.answerBytesMax, {
      whole: (body) => this.#deliver(body),
      tooLarge: () => {
        flow.abort();
        this.#refuse(new GatewayError('bad_gateway', { message: 'The answer of the provider is too large.' }));
      },
      broken: (cause) => {
        const message = 'The connection to the provider broke before the answer was complete.';
        this.#refuse(new GatewayError('bad_gateway', { message, cause }));
      },
    });
    call.response.on('close', this.#onCallerGone);
    call.cut = () => {
      flow.abort();
      this.#refuse(new GatewayError('draining', { retryAfterSeconds: 1 }));
    };
    gateway.watch.add(this);
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
    this.#flow.abort();
    this.#refuse(new GatewayError('upstream_timeout'));
  }

  #deliver(body: Buffer): void {
    if (this.#over) return;
    const call = this.#call;
    const { meter, peek } = call;
    assert(meter !== null && peek !== null, 'a relay follows the peek');
    meter.body(body);
    if (meter.state === 'failed' || meter.state === 'open') {
      return this.#refuse(
        new GatewayError('bad_gateway', { message: 'The provider answered with something that is no answer.' }),
      );
    }
    this.#stop();
    let patched: Buffer;
    try {
      patched = call.dialect.openPatcher(peek, answerContext(call, this.#target)).body(body);
    } catch (error) {
      return this.#done(asGatewayError(error));
    }
    const settled = finish(this.#gateway, call, meter.state === 'empty' ? 'empty' : 'complete');
    const durable = this.#held === null ? settled : this.#held.then(() => settled);
    durable.then(
      () => {
        this.#write(patched);
        this.#done(null);
      },
      (cause) => this.#done(new GatewayError('ledger_unavailable', { cause })),
    );
  }

  #write(body: Buffer): void {
    const { response } = this.#call;
    this.#call.status = 200;
    this.#call.responseBytes = body.length;
    response.writeHead(200, [
      ...this.#call.idHeaders(),
      'content-type',
      'application/json',
      'content-length',
      String(body.length),
      ...upstreamRequestId(this.#headers),
      ...warningHeaders(this.#call),
    ]);
    response.end(body);
  }

  /** Nothing has reached the caller: the exchange decides what comes next. */
  #refuse(error: GatewayError): void {
    if (this.#over) return;
    this.#stop();
    this.#done(error);
  }

  readonly #onCallerGone = (): void => {
    if (this.#over) return;
    this.#stop();
    this.#flow.abort();
    this.#call.status = 499;
    finish(this.#gateway, this.#call, 'caller_left').then(
      () => this.#done(null),
      (cause) => this.#done(new GatewayError('ledger_unavailable', { cause })),
    );
  };

  #stop(): void {
    this.#over = true;
    this.#call.cut = null;
    this.#gateway.watch.delete(this);
    this.#call.response.off('close', this.#onCallerGone);
  }
}
