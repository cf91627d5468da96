/**
 * Step 8: tries the call's candidates in order, until one answers. Another is tried only while nothing has reached the
 * caller, and if another may succeed after such a failure.
 */
import { assert } from '../../core/assert.ts';
import { type ErrorCode, GatewayError } from '../../core/errors.ts';
import type { Candidate } from '../../routing/candidate.ts';
import { type AdmitPorts, coverLater } from '../admission/admit.ts';
import { isTranslated, translateFor } from '../admission/translate-request.ts';
import { type JudgePorts, judgeAgain } from '../arrival/judge.ts';
import type { Call } from '../call.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import type { Admitted, Translated } from '../phases.ts';
import { type AttemptPorts, attempt } from './attempt.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import { type HealthPorts, noteHealth } from './note-health.ts';

export type ExchangePorts = AttemptPorts & HealthPorts & JudgePorts & AdmitPorts;

const ATTEMPTS_MAX = 3;
/** Statuses of requests that a target's format cannot express. */
const INEXPRESSIBLE: ReadonlySet<number> = new Set([400, 413]);

/**
 * Resolves when the answer was relayed to its end, whatever that was. Throws `GatewayError` if none answered; nothing
 * was written to the caller then.
 */
export async function exchange(ports: ExchangePorts, call: Admitted): Promise<void> {
  const queue: Candidate[] = call.candidates.slice(0, ATTEMPTS_MAX);
  let triedAgain = false;
  let failed: FailedAttempt | null = null;
  for (let index = 0; ; index += 1) {
    const candidate = queue[index];
    assert(candidate !== undefined, 'the queue of candidates ends with a thrown failure');
    if (failed !== null) prepareNext(ports, call);
    const obstacle: ErrorCode | null =
      isTranslated(call) && !isReady(call, candidate, failed) ? await makeReady(ports, call, candidate, failed) : null;
    const outcome: FailedAttempt | null =
      obstacle === null || failed === null
        ? await attempt(ports, call, candidate)
        : skip(call, candidate, obstacle, failed);
    // A connection that was closed while the request was sent, and a signature that was late, say nothing about health yet: the same
    // candidate is tried again.
    const again = outcome !== null && (outcome.connectionReset || outcome.signAgain) && !triedAgain;
    if (obstacle === null && !again) noteHealth(ports, call, candidate, outcome);
    if (outcome === null) return;
    failed = outcome;
    // A kept-alive connection may be closed by its peer just as a request is sent, and a token may end: retry the same candidate once.
    if (again) {
      triedAgain = true;
      queue.splice(index + 1, 0, candidate);
    }
    if (!outcome.anotherMayServe || index + 1 >= Math.min(queue.length, ATTEMPTS_MAX)) throw outcome.error;
  }
}

/** A failed attempt costs nothing, however the call continues; and the key may have lost its rights in the meantime. */
function prepareNext(ports: ExchangePorts, call: Admitted): void {
  call.sent = false;
  call.answered = false;
  judgeAgain(ports, call);
}

/**
 * A later candidate of a translated call that cannot be tried does not change the earlier failure; the record says why it was
 * skipped.
 */
function skip(call: Call, { target }: Candidate, obstacle: ErrorCode, failed: FailedAttempt): FailedAttempt {
  const { provider, upstreamModel } = target;
  call.attempts.push({ provider, upstreamModel, status: null, error: obstacle, durationMs: 0 });
  return { ...failed, connectionReset: false, signAgain: false };
}

/** Whether the request is written for the candidate, and the hold covers it. */
function isReady(
  { translation, hold }: Admitted & Translated,
  candidate: Candidate,
  failed: FailedAttempt | null,
): boolean {
  return failed === null && translation.isFor(candidate, hold.outputCap);
}

/**
 * Writes the request for the candidate, and raises the hold to cover a later one. Null, or why a later candidate is not tried; the first one is
 * only written again, if the bank has lowered the output cap.
 */
async function makeReady(
  ports: ExchangePorts,
  call: Admitted & Translated,
  candidate: Candidate,
  failed: FailedAttempt | null,
): Promise<ErrorCode | null> {
  try {
    const written = translateFor(call, candidate);
    if (written !== null) {
      await written;
      checkGoesOn(call);
      judgeAgain(ports, call);
    }
  } catch (error) {
    if (failed !== null && error instanceof GatewayError && INEXPRESSIBLE.has(error.status)) return error.code;
    throw error;
  }
  if (failed === null) return null;
  return coverLater(ports, call, candidate) ? null : 'insufficient_balance';
}
