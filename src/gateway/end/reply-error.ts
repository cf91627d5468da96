/** Every failure ends here: written in the caller's own dialect, with a stable code and a request id. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { UnknownKey } from '../../accounts/authenticate.ts';
import { LINE_ERROR_HEADER } from '../../batches/wait-of.ts';
import type { Clock } from '../../core/clock.ts';
import {
  asGatewayError,
  type ErrorCode,
  GatewayError,
  orStorageTrouble,
  type StorageTroublePorts,
} from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import { rateLimitHeadersOf } from '../../limits/rate-limit-exceeded.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { isAdmitted } from '../admission/admit.ts';
import { type OriginPorts, originOfSomeKey, VARY } from '../arrival/page-origin.ts';
import { type BadKeyPorts, badKeyAnswer, hasLongRest, TarpitFull } from '../arrival/tarpit.ts';
import type { Call } from '../call.ts';
import { ShedCall } from '../capacity/shed-call.ts';
import { CallerLeft } from '../cut-error.ts';
import { describeError } from './describe-error.ts';
import { sendBody } from './send-body.ts';
import { finish, type SettlePorts, unsettle } from './settle.ts';

/** A provider's own refusal of the request: its body goes to the caller as it is. */
export class UpstreamRefusal extends GatewayError {
  readonly upstreamStatus: number;
  readonly body: Buffer;
  /** Name and value in turn, as `writeHead` takes them. */
  readonly headers: readonly string[];

  constructor(error: GatewayError, upstreamStatus: number, body: Buffer, headers: readonly string[]) {
    super(error.code, { message: error.message });
    this.upstreamStatus = upstreamStatus;
    this.body = body;
    this.headers = headers;
  }
}

export interface ReplyPorts extends BadKeyPorts, SettlePorts, StorageTroublePorts, OriginPorts {
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly metrics: Pick<Metrics, 'alert' | 'errorAnswered'>;
}

/** How long a refused client may continue sending, so that it can read the error. */
const LINGER_MS = 1_000;
/** How long a refused client may take for a short rest of its body before the connection is closed. */
const REST_MS = 10_000;

/**
 * Ends every failed call. An admitted one is settled first, so that a caller never gets an end that is not on disk; if the
 * disk refuses, the error stays the same. Never rejects: if this fails, too, the caller gets a plain 500, or its connection is closed.
 */
export async function replyFailure(ports: ReplyPorts, call: Call, thrown: unknown): Promise<void> {
  try {
    await settleAndReply(ports, call, thrown);
  } catch (error) {
    replyWithLeast(ports, call, error);
  }
}

async function settleAndReply(ports: ReplyPorts, call: Call, thrown: unknown): Promise<void> {
  const error = thrown instanceof CallerLeft ? thrown : asGatewayError(thrown);
  if (call.key === null) call.readableBy = originOfSomeKey(ports, call.origin);
  if (error instanceof UnknownKey) {
    const badKeyError = badKeyAnswer(ports, call.request, call.response, error);
    return replyError(ports, call, badKeyError instanceof GatewayError ? badKeyError : await badKeyError);
  }
  if (isAdmitted(call)) {
    await finish(ports, call, endingOf(call, error)).catch((cause) => unsettle(ports, call, cause));
  }
  // Before its admission a call has asked only the storage; an admitted one may have failed at its provider.
  const mayBeStorage = error instanceof GatewayError && !isAdmitted(call);
  replyError(ports, call, mayBeStorage ? orStorageTrouble(error, ports) : error);
}

/** The error could not be written, or not be settled: the caller must not wait for it. */
function replyWithLeast(ports: ReplyPorts, call: Call, cause: unknown): void {
  const { response } = call;
  try {
    ports.log.error({ request: call.requestId, cause: describeError(cause) }, 'failed');
    if (response.headersSent || response.destroyed) return void response.destroy();
    const error = new GatewayError('internal_error');
    call.status = error.status;
    call.errorCode = error.code;
    const body = call.dialect.writeError(error, call.requestId);
    const headers = ['content-type', 'application/json', 'content-length', String(body.length), 'connection', 'close'];
    response.writeHead(error.status, [...call.idHeaders(), ...headers]);
    response.end(body);
  } catch {
    response.destroy();
  }
}

function endingOf({ attempts }: Call, error: Error): Ending {
  if (!(error instanceof GatewayError)) return 'caller_left';
  if (error instanceof UpstreamRefusal) return 'refused_upstream';
  switch (error.code) {
    case 'upstream_timeout':
      return 'upstream_timeout';
    case 'internal_error':
    case 'ledger_unavailable':
    case 'overloaded':
      return 'gateway_failed';
    case 'draining':
      return 'drained';
    case 'invalid_api_key':
      return 'key_cut';
    case 'permission_denied':
    case 'model_not_allowed':
    case 'origin_not_allowed':
      // Rights are also checked again after a provider has failed.
      return attempts.length === 0 ? 'key_cut' : 'upstream_failed';
    default:
      return 'upstream_failed';
  }
}

/** Before the answer began: status, headers and body. */
function replyError(ports: ReplyPorts, call: Call, thrown: unknown): void {
  const { request, response } = call;
  if (thrown instanceof CallerLeft || response.destroyed) {
    call.status = 499;
    request.destroy();
    return;
  }
  const error = asGatewayError(thrown);
  if (error.code === 'internal_error')
    ports.log.error({ request: call.requestId, cause: describeError(error.cause) }, 'failed');
  // An answer that has begun cannot become an error; the connection can only be broken.
  if (response.headersSent) return void response.destroy();
  ports.metrics.errorAnswered(call.dialect.name, error.code);
  call.errorCode = error.code;
  const relayed = error instanceof UpstreamRefusal ? error : null;
  const body = relayed?.body ?? call.dialect.writeError(error, call.requestId);
  call.status = relayed?.upstreamStatus ?? error.status;
  call.countSent(body);
  const headers = [...call.idHeaders(), 'content-type', 'application/json', 'content-length', String(body.length)];
  if (call.line !== null) headers.push(LINE_ERROR_HEADER, error.code);
  // After an ambiguous request, the rest of the connection cannot be interpreted.
  const closes = (error.code === 'bad_request' && relayed === null) || error instanceof TarpitFull;
  if (closes) headers.push('connection', 'close');
  if (error.status === 401) headers.push('www-authenticate', 'Bearer realm="turnpike"');
  if (error.code === 'origin_not_allowed') headers.push(...VARY);
  if (relayed !== null) headers.push(...relayed.headers);
  else headers.push(...retryHeaders(error), ...rateLimitHeadersOf(error));
  // The memory of what was sent is needed.
  const isOverload = error.code === 'overloaded' && relayed === null && !(error instanceof ShedCall);
  if (isOverload && request.complete) headers.push('connection', 'close');
  if (!request.complete && !closes) {
    if (error.code === 'request_timeout' || isOverload || hasLongRest(request))
      return lingeringReply(ports, call, headers, body);
    dropRest(ports, request);
  }
  response.writeHead(call.status, headers);
  sendBody(response, body);
}

/** The longest wait that a client should sit through automatically. */
const RETRY_SECONDS_MAX = 60;

/** Retrying these unchanged gives the same error. */
const NEVER_BETTER: ReadonlySet<number> = new Set([401, 402, 422]);
/** Those with 409, after which SDKs would try again at once. */
const LASTING_CONFLICTS: ReadonlySet<ErrorCode> = new Set(['idempotency_streamed', 'file_in_use']);

/** The official SDKs follow `x-should-retry` before the status. */
function retryHeaders(error: GatewayError): string[] {
  const { retryAfterSeconds: seconds } = error;
  // An SDK would sleep silently for as long as the header says, days for a monthly budget.
  if (seconds !== null) return ['retry-after', String(seconds), 'x-should-retry', String(seconds <= RETRY_SECONDS_MAX)];
  return NEVER_BETTER.has(error.status) || LASTING_CONFLICTS.has(error.code) ? ['x-should-retry', 'false'] : [];
}

/** Skips the short rest of a body, so that the connection can be reused; closes it if that takes too long. */
function dropRest(ports: ReplyPorts, request: IncomingMessage): void {
  const timer = ports.clock.after(REST_MS, () => request.destroy());
  request.once('close', () => timer.cancel()).resume();
}

/**
 * Answers while the caller is still sending. Closing immediately would reset the connection and lose the answer, so what
 * still arrives is read and dropped for a moment.
 */
function lingeringReply(ports: ReplyPorts, call: Call, headers: string[], body: Buffer): void {
  const { request, response } = call;
  response.writeHead(call.status, [...headers, 'connection', 'close']);
  response.write(body);
  const close = () => {
    timer.cancel();
    endAndClose(response);
  };
  const timer = ports.clock.after(LINGER_MS, close);
  request.on('end', close).on('close', close).resume();
  // A caller that waits for "100 Continue" sends no body, so there is nothing to read.
  if (request.headers.expect !== undefined) close();
}

function endAndClose(response: ServerResponse): void {
  if (!response.writableEnded) response.end();
}
