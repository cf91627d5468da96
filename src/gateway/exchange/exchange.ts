/**
 * Step 8: tries the call's candidates in turn (`turns.ts`), until one answers. Another is tried only while nothing has reached the
 * caller, and if another may succeed after such a failure.
 */
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
import { type HealthPorts, noteHealth, noteNothing } from './note-health.ts';
import { type Turn, type TurnPorts, Turns } from './turns.ts';

export type ExchangePorts = AttemptPorts & HealthPorts & TurnPorts & JudgePorts & AdmitPorts;

/** Statuses of requests that a target's format cannot express. */
const INEXPRESSIBLE: ReadonlySet<number> = new Set([400, 413]);

/**
 * Resolves when the answer was relayed to its end, whatever that was. Throws `GatewayError` if none answered; nothing
 * was written to the caller then.
 */
export async function exchange(ports: ExchangePorts, call: Admitted): Promise<void> {
  const turns = new Turns(ports, call);
  let turn = turns.first();
  let failed: FailedAttempt | null = null;
  for (;;) {
    const outcome: FailedAttempt | null = await tryTurn(ports, call, turns, turn, failed);
    if (outcome === null) return;
    const next = turns.after(outcome, turn);
    if (next === null) throw outcome.error;
    failed = outcome;
    turn = next;
  }
}

async function tryTurn(
  ports: ExchangePorts,
  call: Admitted,
  turns: Turns,
  turn: Turn,
  failed: FailedAttempt | null,
): Promise<FailedAttempt | null> {
  const { candidate, credential } = turn;
  try {
    if (failed !== null) prepareNext(ports, call);
    const obstacle: ErrorCode | null =
      isTranslated(call) && !isReady(call, candidate, failed) ? await makeReady(ports, call, candidate, failed) : null;
    if (obstacle !== null && failed !== null) {
      noteNothing(ports, call, turn);
      return skip(call, candidate, obstacle, failed);
    }
    const outcome = await attempt(ports, call, candidate, credential);
    // What is tried again says nothing about health yet.
    if (outcome === null || !turns.isTriedAgain(outcome)) noteHealth(ports, call, turn, outcome);
    return outcome;
  } catch (error) {
    noteNothing(ports, call, turn);
    throw error;
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
