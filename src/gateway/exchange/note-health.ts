/**
 * What an attempt at a candidate says about its provider's health: nothing if the caller left, the request was at fault, or the
 * gateway failed.
 */
import type { ErrorCode } from '../../core/errors.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { FailureReason } from '../../telemetry/call-health.ts';
import type { ProviderHealth } from '../../telemetry/provider-health.ts';
import type { Call } from '../call.ts';
import type { Admitted } from '../phases.ts';
import type { FailedAttempt } from './failed-attempt.ts';

export interface HealthPorts {
  /** Records how every attempt at a target ended. */
  readonly health: Pick<ProviderHealth, 'good' | 'failed' | 'limited' | 'modelFailed'>;
}

/** `failed` as returned by `attempt`: null if an answer was relayed, to whatever end. */
export function noteHealth(
  { health }: HealthPorts,
  call: Admitted,
  { model, target }: Candidate,
  failed: FailedAttempt | null,
): void {
  const provider = call.providers.get(target.provider);
  if (provider === undefined || call.outlasted) return;
  if (call.answerFault !== null && !IN_ANSWERS.has(call.answerFault)) return;
  if (failed === null) {
    if (call.answerFault === 'upstream_rate_limited')
      health.limited(provider, model.id, reasonOf(call, call.answerFault));
    else if (call.ending === 'complete' || call.ending === 'empty')
      health.good(provider, model.id, call.firstByteAt - call.askedAt);
    else if (call.ending === 'upstream_failed' || call.ending === 'upstream_timeout')
      health.failed(
        provider,
        model.id,
        reasonOf(call, call.ending === 'upstream_timeout' ? call.ending : 'bad_gateway'),
      );
    return;
  }
  // A refusal may quote the caller, so its text does not decide whose fault it is.
  const reason = reasonOf(call, call.refusalCode ?? failed.error.code);
  if (reason.code === 'upstream_rate_limited') health.limited(provider, model.id, reason);
  else if (reason.code === 'model_not_found') health.modelFailed(provider, model.id, reason);
  else if (isTheirFailure(reason)) health.failed(provider, model.id, reason);
}

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
