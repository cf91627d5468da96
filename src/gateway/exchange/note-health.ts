/**
 * What an attempt at a candidate says about its provider's health, for operators and for choosing: nothing if the caller left, the request
 * was at fault, or the gateway failed.
 */
import type { OwnStanding } from '../../byok/ports.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { AttemptAt, Breakers } from '../../routing/breaker/breakers.ts';
import type { Suspect } from '../../routing/breaker/failures.ts';
import type { OwnCredential } from '../../routing/own-credential.ts';
import type { FailureReason } from '../../telemetry/call-health.ts';
import type { ProviderHealth } from '../../telemetry/provider-health.ts';
import type { Call } from '../call.ts';
import type { Admitted } from '../phases.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import { serviceOf, type Turn } from './turns.ts';

export interface HealthPorts {
  /** Records how every attempt at a target ended, to be shown. */
  readonly health: Pick<ProviderHealth, 'good' | 'streamed' | 'failed' | 'limited' | 'modelFailed'>;
  /** The same, for choosing. */
  readonly breakers: Pick<Breakers, 'good' | 'failed' | 'limited' | 'rejected' | 'showedNothing'>;
  /** The owner of an own credential sees how its last use went. */
  readonly noteOwn: (credential: OwnCredential, standing: OwnStanding, status: number | null) => void;
}

/**
 * `failed` as returned by `attempt`: null if an answer was relayed, to whatever end. `isLoss`: the retry budget leaves the caller without
 * an answer, though another provider is ready to give one.
 */
export function noteHealth(
  ports: HealthPorts,
  call: Admitted,
  turn: Turn,
  failed: FailedAttempt | null,
  isLoss = false,
): void {
  const isOfProvider = call.answerFault === null || IN_ANSWERS.has(call.answerFault);
  // What a refusal says is not known if it could not be processed.
  const isOurs = failed?.error.code === 'internal_error';
  if (call.outlasted || !isOfProvider || isOurs) return noteNothing(ports, call, turn);
  if (failed === null) return noteEnding(ports, call, turn);
  // A refusal may quote the caller, so its text does not decide whose fault it is.
  const reason = reasonOf(call, call.refusalCode ?? failed.error.code);
  const seconds = failed.error.retryAfterSeconds;
  noteFailure(ports, call, turn, reason, seconds === null ? null : seconds * 1000, isLoss);
}

/** The turn was not used, or what came of it says nothing: if it was to probe the provider, another call may. */
export function noteNothing({ breakers }: HealthPorts, call: Admitted, turn: Turn): void {
  breakers.showedNothing(attemptAt(call, turn));
}

/** An answer was relayed, to whatever end. */
function noteEnding(ports: HealthPorts, call: Admitted, turn: Turn): void {
  const { ending } = call;
  if (call.answerFault === 'upstream_rate_limited')
    return noteFailure(ports, call, turn, reasonOf(call, call.answerFault), null);
  if (ending === 'upstream_failed') return noteFailure(ports, call, turn, reasonOf(call, 'bad_gateway'), null);
  if (ending === 'upstream_timeout') return noteFailure(ports, call, turn, reasonOf(call, ending), null);
  if (ending !== 'complete' && ending !== 'empty') return noteNothing(ports, call, turn);
  const at = attemptAt(call, turn);
  ports.breakers.good(at, call.key.accountId);
  const { own } = turn.candidate;
  if (own !== null) return ports.noteOwn(own, 'good', null);
  ports.health.good(at.provider, at.model, call.firstByteAt - call.askedAt);
  noteStream(ports, call, at);
}

function noteStream({ health }: HealthPorts, call: Admitted, { provider, model, askedAt }: AttemptAt): void {
  const { firstTokenAt, lastTokenAt, settlement } = call;
  const tokens = settlement?.usage.outputTokens ?? 0;
  if (settlement === null || firstTokenAt === 0 || tokens < STREAMED_TOKENS_MIN) return;
  // Reasoning that is not shown takes its time before the first token.
  const from = settlement.usage.reasoningTokens > 0 ? askedAt : firstTokenAt;
  const seconds = Math.max(STREAMED_MS_MIN, lastTokenAt - from) / 1000;
  health.streamed(provider, model, firstTokenAt - askedAt, tokens / seconds);
}

/** `restMs`: how long the provider asks to wait; null if it does not say. */
function noteFailure(
  { breakers, health, noteOwn }: HealthPorts,
  call: Admitted,
  turn: Turn,
  reason: FailureReason,
  restMs: number | null,
  isLoss = false,
): void {
  const at = attemptAt(call, turn);
  const { provider, model } = at;
  const { own } = turn.candidate;
  const isShown = own === null;
  if (own !== null) noteOfOwner(noteOwn, own, reason);
  if (reason.code === 'upstream_rate_limited') {
    breakers.limited(at, restMs);
    if (isShown) health.limited(provider, model, reason);
  } else if (isTheirFailure(reason)) {
    const isCredential = reason.code === 'upstream_credential_rejected';
    const isTheirs = !isCredential || breakers.rejected(at, reason.status, call.key.accountId);
    if (!isCredential) breakers.failed(at, suspectOf(call, reason), restMs, isLoss);
    if (isShown && isTheirs) health.failed(provider, model, reason);
  } else {
    breakers.showedNothing(at);
    if (isShown && reason.code === 'model_not_found') health.modelFailed(provider, model, reason);
  }
}

function attemptAt(call: Admitted, { candidate, credential }: Turn): AttemptAt {
  return { provider: serviceOf(call, candidate), model: candidate.model.id, credential, askedAt: call.askedAt };
}

/** What an owner can do something about. */
function noteOfOwner(note: HealthPorts['noteOwn'], own: OwnCredential, { code, status }: FailureReason): void {
  if (code === 'upstream_credential_rejected') note(own, 'rejected', status);
  else if (code === 'upstream_rate_limited') note(own, 'limited', status);
  else if (code === 'upstream_unreachable') note(own, 'unreachable', status);
}

/** No request can keep a connection from being made. */
function suspectOf(call: Admitted, { neverAsked }: FailureReason): Suspect {
  return neverAsked ? null : call.key.accountId;
}

/** A stream of a single token has no speed; and one that came in one piece would have any. */
const STREAMED_TOKENS_MIN = 2;
const STREAMED_MS_MIN = 1;

const FAILURES: ReadonlySet<ErrorCode> = new Set([
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_overloaded',
  'upstream_credential_rejected',
  'bad_gateway',
]);
/**
 * The codes of errors inside a 2xx answer that concern the provider: the credential and the model were valid, and other
 * errors are about the request.
 */
const IN_ANSWERS: ReadonlySet<ErrorCode> = new Set([
  'upstream_rate_limited',
  'upstream_timeout',
  'upstream_overloaded',
  'bad_gateway',
]);
/** There is nothing at the address that the operator configured. */
const WRONG_ADDRESS: ReadonlySet<number> = new Set([404, 405]);

function isTheirFailure({ code, status }: FailureReason): boolean {
  if (!FAILURES.has(code)) return false;
  // A refusal that is not in the provider's format may still be about the request.
  if (code === 'bad_gateway' && status !== null && status >= 400 && status < 500) return WRONG_ADDRESS.has(status);
  return true;
}

/** The connection's error is relevant only if the attempt failed for lack of a connection. */
const WITHOUT_CONNECTION: ReadonlySet<ErrorCode> = new Set(['upstream_unreachable', 'bad_gateway']);

/** Nothing was sent because there was no connection. */
const NEVER_ASKED: ReadonlySet<ErrorCode> = new Set(['upstream_unreachable', 'upstream_timeout']);

function reasonOf({ attempts, connectionError, sent }: Call, code: ErrorCode): FailureReason {
  return {
    code,
    status: attempts.at(-1)?.status ?? null,
    connectionError: WITHOUT_CONNECTION.has(code) ? connectionError : null,
    neverAsked: !sent && NEVER_ASKED.has(code),
  };
}
