/**
 * One request through the data plane: a flat record that the steps of `serve-call.ts` fill in.
 * All fields exist from the start, so that every call has the same shape.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Key } from '../accounts/keys.ts';
import type { Account, Project } from '../accounts/ports.ts';
import type { Hold } from '../billing/bank.ts';
import type { CallCapture } from '../capture/call-capture.ts';
import type { Model, Target } from '../catalog/model.ts';
import { bytesOf, type WholeBody } from '../core/body.ts';
import type { Clock } from '../core/clock.ts';
import { type Indexed, NO_INDEX } from '../core/dense-set.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Share } from '../core/fair-shares.ts';
import { type CallId, generationId, newCallId, requestId } from '../core/ids.ts';
import type { Ending, Settlement } from '../core/settlement.ts';
import type { AnyCallerDialect, ProviderDialectName } from '../dialects/index.ts';
import type { Inbound } from '../dialects/interface/inbound.ts';
import type { Meter } from '../dialects/interface/meter.ts';
import type { Peek } from '../dialects/interface/peek.ts';
import type { Ticket } from '../limits/limiter.ts';
import type { Operation } from '../operations/operation.ts';
import type { Provider } from '../providers/provider.ts';
import type { ReplayTicket } from '../replay/replay-ticket.ts';
import type { Attempt } from '../stats/record.ts';
import type { Translation } from './admission/translation.ts';
import type { MemoryShare } from './capacity/memory-budget.ts';
import type { CredentialEcho } from './exchange/credential-echo.ts';

/**
 * A step that takes time can be ended from outside: `caller_left` when the response was closed (at the
 * very end also because it was all taken), else by the drain deadline or a key cut off.
 * It is an object and no function, because V8 makes a function that is assigned to a property in the
 * old generation, where until the next full collection it keeps the whole call, long over, alive.
 */
export interface Cancellable {
  cancel(ending: Ending): void;
}

/** As Node and undici write them; nothing else reaches the log. */
const ERROR_CODE = /^[A-Z][A-Z0-9_]{0,63}$/;
const NO_PROVIDERS: ReadonlyMap<string, Provider> = new Map();

export class Call implements Indexed {
  index = NO_INDEX;
  readonly id: CallId;
  readonly dialect: AnyCallerDialect;
  readonly operation: Operation;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Monotonic, ms. */
  readonly startedAt: number;
  /** Wall time, ms. */
  readonly admittedAt: number;

  key: Key | null = null;
  /** The key's. */
  project: Project | null = null;
  account: Account | null = null;
  inbound: Inbound | null = null;
  peek: Peek | null = null;
  model: Model | null = null;
  targets: readonly Target[] = [];
  /** Whom its targets name; taken together with the model, so that a change of providers is none of a running call. */
  providers: ReadonlyMap<string, Provider> = NO_PROVIDERS;
  /** Set where no target speaks the caller's format. */
  translation: Translation | null = null;
  /** The target of the running or last attempt. */
  target: Target | null = null;
  upstreamDialect: ProviderDialectName | null = null;
  meter: Meter | null = null;
  /** Knows the credential of the running or last attempt. */
  echo: CredentialEcho | null = null;
  /** What it takes of the memory for bodies; null while that is too little to be counted. */
  memory: MemoryShare | null = null;
  /** Its key's share of places while its request is on its way: see `RunningCalls`. */
  arriving: Share | null = null;
  /** Where a rate limit counts it. */
  ticket: Ticket | null = null;
  /** Set once the call is admitted: from then on it is finished, whichever way it ends. */
  hold: Hold | null = null;
  /** Set while a stream's hold is on its way to the disk, and where the disk refused it. */
  persistingHold: Promise<void> | null = null;
  /** Whether the request left for a provider: before that nothing can cost. */
  sent = false;
  /** Whether a provider began a 2xx answer. */
  answered = false;
  readonly attempts: Attempt[] = [];
  /** Why a connection to a provider failed last, as Node names it (`ECONNREFUSED`); null while none did, or it has no name. */
  connectionError: string | null = null;
  /** What a refusal of the running or last attempt was for, by its status and codes; its words may quote the caller. Null while there is none. */
  refusalCode: ErrorCode | null = null;
  /** What an error inside the answer of the running or last attempt was about; null while there is none. */
  answerFault: ErrorCode | null = null;
  /** Whether it was ended for its length, which a caller that reads slowly decides. */
  outlasted = false;
  /** What of the request the provider could not be told. */
  warnings: readonly string[] = [];

  /** Set where the caller sent an idempotency key. */
  replay: ReplayTicket | null = null;

  /** The status the caller saw, 0 while there is none. */
  status = 0;
  errorCode: string | null = null;
  /** Monotonic, ms: when the running or last attempt began; 0 before the first. */
  askedAt = 0;
  /** Monotonic, ms; 0 until the provider's first byte. */
  firstByteAt = 0;
  responseBytes = 0;
  /** Its bodies, where its account lets them be kept. */
  capture: CallCapture | null = null;

  ending: Ending | null = null;
  settlement: Settlement | null = null;
  /** Set by the first `finish`; resolves when the terminal entry is durable. */
  settled: Promise<void> | null = null;

  /** The step that takes time right now; null while none does. */
  active: Cancellable | null = null;
  /** Why the call was cut while no step ran that could end it; see `checkGoesOn`. */
  cutBetweenSteps: Ending | null = null;

  constructor(
    dialect: AnyCallerDialect,
    operation: Operation,
    request: IncomingMessage,
    response: ServerResponse,
    clock: Clock,
  ) {
    this.dialect = dialect;
    this.operation = operation;
    this.request = request;
    this.response = response;
    this.startedAt = clock.monotonic();
    this.admittedAt = clock.now();
    this.id = newCallId(this.admittedAt);
    response.on('close', () => this.active?.cancel('caller_left'));
  }

  get requestId(): string {
    return requestId(this.id);
  }

  /** Ends the call from outside: now, or where it is between two steps, before the next one begins. */
  cancel(ending: Ending): void {
    if (this.active === null) this.cutBetweenSteps = ending;
    else this.active.cancel(ending);
  }

  /** Notes bytes of the answer that are on their way to the caller. */
  countSent(body: WholeBody): void {
    this.responseBytes += body.length;
    if (this.capture !== null) this.capture.response.add(bytesOf(body));
  }

  /** Of an error only its code is kept: a message may quote anything. */
  connectionFailed(error: unknown): void {
    const { code } = error as { code?: unknown };
    this.connectionError = typeof code === 'string' && ERROR_CODE.test(code) ? code : null;
  }

  /** Headers that every answer of the data plane carries, as `writeHead` takes them. */
  idHeaders(): string[] {
    const headers = [this.dialect.requestIdHeader, requestId(this.id), 'x-generation-id', generationId(this.id)];
    if (this.ticket !== null) headers.push(...this.ticket.headers());
    return headers;
  }
}
