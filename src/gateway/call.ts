/**
 * One request in the data plane: a flat record that the steps of `serve-call.ts` fill in.
 * All fields exist from the start, so that every call has the same shape.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Key } from '../accounts/keys.ts';
import type { Account, Project } from '../accounts/ports.ts';
import type { Hold } from '../billing/bank.ts';
import { LIST_PRICES, type PinnedRates } from '../billing/rates.ts';
import type { CallCapture } from '../capture/call-capture.ts';
import type { Model, Target } from '../catalog/model.ts';
import { bytesOf, type WholeBody } from '../core/body.ts';
import type { Clock } from '../core/clock.ts';
import { type Indexed, NO_INDEX } from '../core/dense-set.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Share } from '../core/fair-shares.ts';
import { type CallId, generationId, newCallId, requestId } from '../core/ids.ts';
import { type Money, NO_MONEY } from '../core/money.ts';
import type { Ending, Settlement } from '../core/settlement.ts';
import type { AnyCallerDialect } from '../dialects/index.ts';
import type { Inbound } from '../dialects/interface/inbound.ts';
import type { Meter } from '../dialects/interface/meter.ts';
import type { Peek } from '../dialects/interface/peek.ts';
import type { Ticket } from '../limits/limiter.ts';
import type { Permission } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { Provider } from '../providers/provider.ts';
import type { ReplayTicket } from '../replay/replay-ticket.ts';
import type { Candidate } from '../routing/candidate.ts';
import type { Wishes } from '../routing/order-candidates.ts';
import type { PinnedCredential } from '../routing/pinned-credential.ts';
import type { Attempt } from '../stats/record.ts';
import type { Translation } from './admission/translation.ts';
import { originHeaders, originOf } from './arrival/page-origin.ts';
import { type CacheUse, cacheHeaders } from './cached/cache-use.ts';
import type { KeyShare } from './capacity/call-shares.ts';
import type { MemoryShare } from './capacity/memory-budget.ts';
import type { CredentialEcho } from './exchange/credential-echo.ts';
import type { Line } from './lines/line.ts';
import type { FormUpload } from './uploads/form-upload.ts';

/**
 * A step that takes time and can be ended from outside: with `caller_left` when the response is closed (at the very end also
 * because all of it was sent), otherwise by the drain deadline or a revoked key. It is an object, not a function, because V8
 * allocates a function that is assigned to a property in the old generation, where it would keep the finished call alive
 * until the next full collection.
 */
export interface Cancellable {
  cancel(ending: Ending): void;
}

/** As Node and undici write error codes; nothing else reaches the log. */
const ERROR_CODE = /^[A-Z][A-Z0-9_]{0,63}$/;
const NO_PROVIDERS: ReadonlyMap<string, Provider> = new Map();

export class Call implements Indexed {
  index = NO_INDEX;
  readonly id: CallId;
  readonly dialect: AnyCallerDialect;
  readonly operation: Operation;
  /** What its key must be permitted to do. */
  readonly permission: Permission;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The line of a batch that the gateway makes it for; null for a caller's request. */
  readonly line: Line | null;
  /** Monotonic, ms. */
  readonly startedAt: number;
  /** Wall time, ms. */
  readonly admittedAt: number;

  /** The page that the request came from, as its browser says; null for other programs. */
  readonly origin: string | null;
  /** The same, if the page may read the answer. */
  readableBy: string | null = null;
  key: Key | null = null;
  /** The key's project. */
  project: Project | null = null;
  account: Account | null = null;
  inbound: Inbound | null = null;
  /** Set for a form with files. */
  upload: FormUpload | null = null;
  peek: Peek | null = null;
  model: Model | null = null;
  /** The model that the request's own name of it means; null if that is an alias. */
  named: Model | null = null;
  /** The ways to serve it, in the order in which they are tried. */
  candidates: readonly Candidate[] = [];
  /** What the caller states about them; null if nothing. */
  wishes: Wishes | null = null;
  /** The name of its conversation; null without one, or while nothing depends on it. */
  conversation: string | null = null;
  /** Whether it has thoughts that only their vendor reads, and forbids to leave them out. */
  keepsThoughts = false;
  /**
   * The providers of its candidates; set together with the model, so that a change of providers does not affect a running call.
   */
  providers: ReadonlyMap<string, Provider> = NO_PROVIDERS;
  /** At what it is charged; set together with the model and its prices, so that a change of rates does not affect a running call. */
  rates: PinnedRates = LIST_PRICES;
  /** Set once the request was read into the neutral form, for a candidate that does not speak the caller's format. */
  translation: Translation | null = null;
  /** The candidate of the running or last attempt, before it the first; `model` and `target` are its own. */
  candidate: Candidate | null = null;
  target: Target | null = null;
  /** The number of the provider's credential in the running or last attempt. */
  credential = 0;
  /** Where its provider has several credentials, the one to use there; null if any will do. */
  pinned: PinnedCredential | null = null;
  /** The provider's dialect, or its own format of the operation, in the running or last attempt. */
  upstreamDialect: string | null = null;
  meter: Meter | null = null;
  /** Detects the credential of the running or last attempt. */
  echo: CredentialEcho | null = null;
  /** Its share of the memory for bodies; null while that is too small to be counted. */
  memory: MemoryShare | null = null;
  /** Its key's share of the running calls, while it is one. */
  share: KeyShare | null = null;
  /** Settles when it has a slot among the running calls, or is refused one; null if it need not wait. */
  waiting: Promise<void> | null = null;
  /** Its key's share of slots while its request is arriving: see `RunningCalls`. */
  arriving: Share | null = null;
  /** Set if a rate limit counts it. */
  ticket: Ticket | null = null;
  /** Set once the call is admitted: from then on it must be finished, however it ends. */
  hold: Hold | null = null;
  /** Set while a stream's hold is being written, and if the disk refused it. */
  persistingHold: Promise<void> | null = null;
  /** Whether the request was sent to a provider: before that, nothing can cost. */
  sent = false;
  /** Whether a provider has begun a 2xx answer. */
  answered = false;
  readonly attempts: Attempt[] = [];
  /** How often a candidate was tried; the running attempt counts. */
  tries = 0;
  /** What failed attempts are known to have cost the operator, before the running or last one. */
  lost: Money = NO_MONEY;
  /**
   * Node's code for the last failure of a connection to a provider (`ECONNREFUSED`); null if there was none, or it has no code.
   */
  connectionError: string | null = null;
  /**
   * The reason of a refusal in the running or last attempt, by its status and codes only, since its text may quote the
   * caller. Null without one.
   */
  refusalCode: ErrorCode | null = null;
  /** The code of an error inside the answer of the running or last attempt; null without one. */
  answerFault: ErrorCode | null = null;
  /** Whether it was ended for its duration, which a slow caller may cause. */
  outlasted = false;
  /** What of the request could not be expressed to the provider. */
  warnings: readonly string[] = [];

  /** Set if the caller sent an idempotency key, and for a line of a batch. */
  replay: ReplayTicket | null = null;
  /** Whether only this node knows its idempotency key, because no other could be asked. */
  isReplayOfNode = false;
  /** Set if its caller or key wants it to be answered from the response cache. */
  caching: CacheUse | null = null;

  /** The status sent to the caller, 0 before that. */
  status = 0;
  errorCode: string | null = null;
  /** Monotonic, ms: when the running or last attempt began; 0 before the first. */
  askedAt = 0;
  /** Monotonic, ms; 0 until the provider's first byte. */
  firstByteAt = 0;
  /** Monotonic, ms, of a stream: when its first and its last frame arrived that had any output; 0 before. */
  firstTokenAt = 0;
  lastTokenAt = 0;
  /** Monotonic, ms: when the caller had its answer or had disconnected; 0 before. */
  endedAt = 0;
  responseBytes = 0;
  /** Its bodies, if its account allows them to be stored. */
  capture: CallCapture | null = null;

  ending: Ending | null = null;
  settlement: Settlement | null = null;
  /** Set by the first `finish`; resolves when the settlement is durable. */
  settled: Promise<void> | null = null;

  /** The step that is taking time now; null without one. */
  active: Cancellable | null = null;
  /** Why the call was cut off while no step ran that could be ended; see `checkGoesOn`. */
  cutBetweenSteps: Ending | null = null;

  constructor(
    dialect: AnyCallerDialect,
    operation: Operation,
    request: IncomingMessage,
    response: ServerResponse,
    clock: Clock,
    permission: Permission = operation.permission,
    line: Line | null = null,
  ) {
    this.line = line;
    this.dialect = dialect;
    this.operation = operation;
    this.permission = permission;
    this.request = request;
    this.response = response;
    this.origin = originOf(request);
    this.startedAt = clock.monotonic();
    this.admittedAt = clock.now();
    this.id = newCallId(this.admittedAt);
    response.on('close', () => this.active?.cancel('caller_left'));
  }

  get requestId(): string {
    return requestId(this.id);
  }

  /** Ends the call from outside: now or, between two steps, before the next one begins. */
  cancel(ending: Ending): void {
    if (this.active === null) this.cutBetweenSteps = ending;
    else this.active.cancel(ending);
  }

  /** Counts bytes that are being sent to the caller; `isAnswer`: whether they are part of the answer, and not only keep the connection open. */
  countSent(body: WholeBody, isAnswer = true): void {
    this.responseBytes += body.length;
    if (this.capture !== null) this.capture.response.add(bytesOf(body));
    if (isAnswer && this.caching !== null) this.caching.recording?.add(bytesOf(body));
  }

  /** Whether the bytes of its answer are copied once they are sent: they must then not be in memory that all calls share. */
  get isCopied(): boolean {
    return this.capture !== null || this.caching !== null;
  }

  /** Keeps only the code of an error: a message may quote anything. */
  connectionFailed(error: unknown): void {
    const { code } = error as { code?: unknown };
    this.connectionError = typeof code === 'string' && ERROR_CODE.test(code) ? code : null;
  }

  /** Headers of every answer of the data plane, as `writeHead` takes them. */
  idHeaders(): string[] {
    const headers = [this.dialect.requestIdHeader, requestId(this.id), 'x-generation-id', generationId(this.id)];
    if (this.readableBy !== null) headers.push(...originHeaders(this.readableBy));
    if (this.ticket !== null) headers.push(...this.ticket.headers());
    if (this.isReplayOfNode) headers.push('idempotency-scope', 'node');
    if (this.caching !== null) headers.push(...cacheHeaders(this.caching));
    const isCached = this.caching !== null && this.caching.answer !== null;
    if (this.tries > 0 || isCached) headers.push('x-turnpike-attempts', String(this.tries));
    return headers;
  }
}
