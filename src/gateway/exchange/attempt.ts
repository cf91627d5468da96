/** One attempt at one candidate: send, wait for the head, then pass the answer to a relay or read the refusal. */
import type { Bank } from '../../billing/bank.ts';
import type { Target } from '../../catalog/model.ts';
import { assert } from '../../core/assert.ts';
import { isStreamed } from '../../core/body.ts';
import { reportedMs } from '../../core/clock.ts';
import { NO_INDEX } from '../../core/dense-set.ts';
import { asGatewayError, GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import type { OperationName } from '../../dialects/interface/caller-path.ts';
import type { Meter } from '../../dialects/interface/meter.ts';
import type { StreamingPart } from '../../dialects/interface/operation-part.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import type { Relay } from '../../dialects/interface/relay.ts';
import type { Provider } from '../../providers/provider.ts';
import { type Route, type RouteRequest, routeBelow, type Signed } from '../../providers/route.ts';
import type { Breakers } from '../../routing/breaker/breakers.ts';
import type { AnswerFlow, AnswerHeaders, AnswerSink } from '../../upstream/answer-sink.ts';
import { BodyCollector } from '../../upstream/body-collector.ts';
import type { UpstreamClient } from '../../upstream/client.ts';
import { isReset } from '../../upstream/is-reset.ts';
import { FrameCheck } from '../answer/frame-check.ts';
import type { RelayDone, RelayPorts } from '../answer/relayed-answer.ts';
import { StreamRelay } from '../answer/stream-relay.ts';
import { WholeRelay } from '../answer/whole-relay.ts';
import { viaAfter } from '../arrival/hops.ts';
import type { Cancellable } from '../call.ts';
import { cutError } from '../cut-error.ts';
import { finish, persistHold, settleFailure } from '../end/settle.ts';
import type { Admitted, Asked } from '../phases.ts';
import type { FormUpload, UploadFollower } from '../uploads/form-upload.ts';
import { readWholeForm } from '../uploads/read-form.ts';
import type { Watched } from '../watch.ts';
import { framingOf, isEncoded } from './answer-head.ts';
import { CredentialEcho, type EchoPorts } from './credential-echo.ts';
import { ANOTHER_MAY_SERVE, type FailedAttempt, failureOf, ledgerFailure } from './failed-attempt.ts';
import type { Lane } from './lane.ts';
import { openLane } from './open-lane.ts';
import { readRefusal } from './read-refusal.ts';
import { withRetirement } from './retirement-warning.ts';
import { serviceOf, type Turn } from './turns.ts';

export type AttemptPorts = RelayPorts &
  EchoPorts & {
    readonly upstream: Pick<UpstreamClient, 'send'>;
    readonly bank: Pick<Bank, 'mode'>;
    readonly breakers: Pick<Breakers, 'answered'>;
    readonly timeouts: { readonly firstByteMs: number; readonly firstByteStreamedMs: number };
  };

const METHOD = 'POST';
const ERROR_BODY_BYTES_MAX = 256 * 1024;
/** Null if the target answered and the answer was relayed to its end. */
export function attempt(ports: AttemptPorts, call: Admitted, turn: Turn): Promise<FailedAttempt | null> {
  return new Promise((resolve, reject) => {
    try {
      new Attempt(ports, call, turn, resolve).start();
    } catch (error) {
      reject(error);
    }
  });
}

class Attempt implements Watched, Cancellable, UploadFollower {
  index = NO_INDEX;
  readonly #ports: AttemptPorts;
  readonly #call: Asked;
  readonly #target: Target;
  readonly #turn: Turn;
  readonly #provider: Provider;
  readonly #done: (failed: FailedAttempt | null) => void;
  readonly #startedAt: number;
  readonly #firstByteMs: number;
  readonly #lane: Lane;
  readonly #route: Route;
  readonly #check: FrameCheck;
  readonly #relay: Relay;
  #flow: AnswerFlow | null = null;
  #signed: Signed | null = null;
  /** The request, if it is a form with a file. */
  readonly #upload: FormUpload | null;

  /** Throws `GatewayError` 400 if the target's format cannot express the request. */
  constructor(ports: AttemptPorts, call: Admitted, turn: Turn, done: (failed: FailedAttempt | null) => void) {
    const { candidate } = turn;
    const { model, target } = candidate;
    const provider = serviceOf(call, candidate);
    const { timeouts } = ports;
    this.#ports = ports;
    this.#target = target;
    this.#turn = turn;
    this.#provider = provider;
    this.#done = done;
    this.#startedAt = ports.clock.monotonic();
    this.#firstByteMs = call.peek.stream ? timeouts.firstByteStreamedMs : timeouts.firstByteMs;
    this.#lane = openLane(call, candidate, provider);
    this.#route = routeOf(call, target, provider, this.#lane);
    this.#check = new FrameCheck(call, this.#lane.shared);
    call.candidate = candidate;
    call.credential = turn.credential;
    call.model = model;
    call.target = target;
    call.warnings = withRetirement(this.#lane.warnings, candidate);
    this.#relay = this.#lane.openRelay(this.#check);
    ask(call, (this.#lane.own ?? this.#lane.upstream).name, this.#relay.meter, this.#startedAt);
    this.#call = call;
    this.#upload = call.upload;
  }

  start(): void {
    const { headers } = this.#lane;
    const body = isStreamed(this.#lane.body) ? null : this.#lane.body;
    this.#upload?.follow(this);
    this.#call.active = this;
    this.#ports.watch.add(this);
    try {
      const signed = this.#provider.sign({ method: METHOD, route: this.#route, headers, body }, this.#turn.credential);
      if (signed instanceof Promise) this.#sendLater(signed);
      else this.#send(signed);
    } catch (error) {
      this.#failHere(error);
    }
  }

  /** Something here failed, perhaps after the request was sent. */
  #failHere(error: unknown): void {
    if (this.#call.active !== this) return;
    this.#flow?.abort();
    this.#fail(asGatewayError(error), null);
  }

  /** While the signature is computed, the call may end in any other way. */
  #sendLater(signing: Promise<Signed>): void {
    const isOver = () => this.#call.active !== this;
    signing
      .then((signed) => {
        if (!isOver()) this.#send(signed);
      })
      .catch((error) => this.#failHere(error));
  }

  #send(signed: Signed): void {
    const { headers, secrets } = signed;
    const call = this.#call;
    this.#signed = signed;
    const { origin, isJudged } = this.#provider;
    const echo = new CredentialEcho(this.#ports, call, this.#provider, secrets);
    call.echo = echo;
    if (isJudged) headers['via'] = viaAfter(call.request.headers);
    this.#flow = this.#ports.upstream.send(
      {
        origin,
        method: METHOD,
        path: this.#route.target,
        headers,
        body: this.#lane.body,
        isJudged,
        onNewConnection: this.#turn.onNewConnection,
      },
      (status, answerHeaders, flow) => this.#takeHead(status, answerHeaders, flow, echo),
      (error, wasStale) => this.#noAnswer(error, wasStale),
    );
    if (call.peek.stream && call.active === this) this.#persistHold();
  }

  /** What came after the file counts, too: it may ask for a stream. */
  arrived(): void {
    const isStreamNow = readWholeForm(this.#ports.bank, this.#call);
    this.#lane.own?.checkWhole();
    if (isStreamNow) this.#persistHold();
  }

  failed(error: unknown): void {
    if (this.#call.active !== this) return;
    this.#flow?.abort();
    const failure = asGatewayError(error);
    this.#letGo(failure.code);
    this.#giveUp(failure);
  }

  #noAnswer(error: unknown, connectionWasStale: boolean): void {
    this.#call.connectionFailed(error);
    this.#fail(failureOf(error), null, { connectionReset: isReset(error), connectionWasStale });
  }

  /** In parallel with the provider's work, so that the first byte of a stream waits for the disk only if the disk is slower. */
  #persistHold(): void {
    const call = this.#call;
    const persisting = persistHold(this.#ports, call);
    call.persistingHold = persisting;
    persisting?.then(
      () => {
        if (call.persistingHold === persisting) call.persistingHold = null;
      },
      (error) => {
        // A relay that has begun handles it by itself.
        if (call.active !== this) return;
        const failure = ledgerFailure(error);
        this.#letGo(failure.code);
        this.#giveUp(failure);
      },
    );
  }

  check(nowMs: number): void {
    const stalled = this.#upload?.stalled(nowMs) ?? null;
    if (stalled !== null) {
      this.#flow?.abort();
      return this.#fail(stalled, null);
    }
    const waitsSince = this.#upload?.sentAt ?? this.#startedAt;
    if (nowMs - waitsSince >= this.#firstByteMs || nowMs - this.#call.startedAt >= this.#ports.timeouts.totalMs) {
      this.#flow?.abort();
      this.#fail(new GatewayError('upstream_timeout'), null);
    }
  }

  /** What is thrown here must not look like a lost connection. */
  #takeHead(status: number, headers: AnswerHeaders, flow: AnswerFlow, echo: CredentialEcho): AnswerSink {
    try {
      return this.#onHead(status, headers, flow, echo);
    } catch (error) {
      flow.abort();
      this.#fail(asGatewayError(error), null);
      return NO_SINK;
    }
  }

  #onHead(status: number, headers: AnswerHeaders, flow: AnswerFlow, echo: CredentialEcho): AnswerSink {
    const call = this.#call;
    call.firstByteAt = this.#ports.clock.monotonic();
    if (status < 200 || status > 299) return this.#readRefusal(status, headers, echo);
    if (isEncoded(headers)) {
      return this.#turnDown(status, flow, 'The provider sent a compressed answer.');
    }
    if (this.#upload?.isSent === false)
      return this.#turnDown(status, flow, 'The provider answered before it had the whole file.');
    const { framings = [this.#route.framing], frameBytesMax } = this.#lane.streaming ?? AS_USUAL;
    const framing = framingOf(headers, framings);
    if (framing !== null && !call.peek.stream) {
      return this.#turnDown(status, flow, 'The provider sent a stream that was not requested.');
    }
    this.#stopWaiting();
    call.answered = true;
    const { candidate, credential } = this.#turn;
    this.#ports.breakers.answered({
      provider: this.#provider,
      model: candidate.model.id,
      credential,
      askedAt: call.askedAt,
    });
    const { shared, own } = this.#lane;
    const answer = { headers, relay: this.#relay, check: this.#check, shared, own, flow };
    const done: RelayDone = (error) => {
      this.#note(status, error?.code ?? null);
      this.#done(
        error === null
          ? null
          : { error, anotherMayServe: this.#canRepeat() && ANOTHER_MAY_SERVE.has(error.code), ...ASKED_ONCE },
      );
    };
    return framing === null
      ? new WholeRelay(this.#ports, call, answer, done)
      : new StreamRelay(this.#ports, call, { ...answer, framing, frameBytesMax }, done);
  }

  /** An answer that the caller could not read: the rest of it is not read. */
  #turnDown(status: number, flow: AnswerFlow, message: string): AnswerSink {
    this.#stopWaiting();
    flow.abort();
    this.#fail(new GatewayError('bad_gateway', { message }), status);
    return NO_SINK;
  }

  /** A refusal is read whole, for the dialect to interpret. */
  #readRefusal(status: number, headers: AnswerHeaders, echo: CredentialEcho): AnswerSink {
    const give = (body: Buffer) => {
      try {
        const upstream = this.#lane.own ?? this.#lane.upstream;
        const error = readRefusal(this.#call, upstream, echo, { status, headers, body });
        this.#fail(error, status, { signAgain: this.#signed?.refused?.(status, headers) ?? false });
      } catch (error) {
        this.#failHere(error);
      }
    };
    return new BodyCollector(ERROR_BODY_BYTES_MAX, {
      whole: give,
      tooLarge: () => {
        this.#flow?.abort();
        give(Buffer.alloc(0));
      },
      broken: () => give(Buffer.alloc(0)),
    });
  }

  /** Ends the call before an answer has begun. */
  cancel(ending: Ending): void {
    this.#letGo(ending);
    if (ending !== 'caller_left') return this.#giveUp(cutError(ending));
    this.#call.status = 499;
    finish(this.#ports, this.#call, 'caller_left').then(
      () => this.#done(null),
      (error) => this.#giveUp(settleFailure(error)),
    );
  }

  /** Stops waiting for this target. */
  #letGo(reason: string): void {
    this.#stopWaiting();
    this.#flow?.abort();
    this.#note(null, reason);
  }

  /** Fails without trying another target. */
  #giveUp(error: GatewayError): void {
    this.#done({ error, anotherMayServe: false, ...ASKED_ONCE });
  }

  #fail(
    error: GatewayError,
    status: number | null,
    how: Partial<Pick<FailedAttempt, 'connectionReset' | 'connectionWasStale' | 'signAgain'>> = {},
  ): void {
    this.#stopWaiting();
    this.#note(status, error.code);
    // Without a connection nothing was asked, however long that took.
    const neverAsked = error.code === 'upstream_timeout' && !this.#call.sent;
    const theirFailure = status !== null && (status >= 500 || status === 408);
    const canRepeat = this.#canRepeat();
    const anotherMayServe =
      canRepeat &&
      (how.connectionReset === true ||
        how.signAgain === true ||
        neverAsked ||
        theirFailure ||
        ANOTHER_MAY_SERVE.has(error.code));
    this.#done({ error, anotherMayServe, ...ASKED_ONCE, ...(canRepeat && how) });
  }

  /** Whether the request could be sent once more. */
  #canRepeat(): boolean {
    return this.#upload?.isRepeatable ?? true;
  }

  #noteSent(): void {
    // A provider that did not get all of a file has not worked on it.
    if (this.#flow?.sent && this.#upload?.isSent !== false) this.#call.sent = true;
  }

  #stopWaiting(): void {
    this.#noteSent();
    this.#ports.watch.delete(this);
    this.#call.active = null;
  }

  #note(status: number | null, error: string | null): void {
    this.#call.attempts.push({
      provider: this.#target.provider,
      upstreamModel: this.#target.upstreamModel,
      status,
      error,
      reason: this.#turn.reason,
      startMs: reportedMs(this.#startedAt - this.#call.startedAt),
      durationMs: reportedMs(this.#ports.clock.monotonic() - this.#startedAt),
    });
  }
}

function routeOf({ operation, peek }: Admitted, target: Target, provider: Provider, { upstream, own }: Lane): Route {
  const { upstreamModel: model } = target;
  const route = provider.route(upstream.name, routeRequest(operation.name, model, peek));
  assert(route !== null, `the provider ${target.provider} has a route for every call in a dialect it speaks`);
  return own === null ? route : routeBelow(route, own.place);
}

function routeRequest(operation: OperationName, model: string, { stream, requests }: Peek): RouteRequest {
  return requests === undefined ? { operation, model, stream } : { operation, model, stream, isBatch: true };
}

/** Resets what an earlier, failed attempt left. */
function ask(call: Admitted, upstream: string, meter: Meter, startedAt: number): asserts call is Asked {
  call.upstreamDialect = upstream;
  call.meter = meter;
  call.askedAt = startedAt;
  call.tries += 1;
  call.sent = false;
  call.answered = false;
  call.firstTokenAt = 0;
  call.refusalCode = null;
  call.answerFault = null;
  call.echo = null;
}

const AS_USUAL: StreamingPart = {};

const ASKED_ONCE = { connectionReset: false, connectionWasStale: false, signAgain: false } as const;

const NO_SINK: AnswerSink = { chunk: () => undefined, end: () => undefined, fail: () => undefined };
