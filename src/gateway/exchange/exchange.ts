/**
 * Step 8: tries the call's candidates in turn (`turns.ts`), until one answers. Another is tried only while nothing has reached the
 * caller, and if another may succeed after such a failure.
 */
import { type ErrorCode, GatewayError } from '../../core/errors.ts';
import type { Money } from '../../core/money.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { RoutingPorts } from '../../routing/ports.ts';
import type { Reason } from '../../routing/reason.ts';
import { thoughtsUnreadable } from '../../routing/signer-first.ts';
import { type AdmitPorts, coverLater } from '../admission/admit.ts';
import { expressibleTargets } from '../admission/own-format.ts';
import { isRelayed, translateFor } from '../admission/translate-request.ts';
import { type JudgePorts, judgeAgain, judgeModel } from '../arrival/judge.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import { lostCost } from '../end/lost-cost.ts';
import type { Admitted } from '../phases.ts';
import { type AttemptPorts, attempt } from './attempt.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import { noteSkipped } from './note-attempt.ts';
import { type HealthPorts, noteHealth, noteNothing } from './note-health.ts';
import { serviceOf, type Turn, type TurnPorts, Turns } from './turns.ts';

export type ExchangePorts = AttemptPorts &
  HealthPorts &
  TurnPorts &
  JudgePorts &
  AdmitPorts & { readonly routing: Pick<RoutingPorts, 'sticky'> };

/** Statuses of requests that a target's format cannot express. */
const LIMITED = 429;
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
    let outcome: FailedAttempt | null;
    try {
      const obstacle: Obstacle | null = isReady(call, turn, failed) ? null : await makeReady(ports, call, turn, failed);
      outcome =
        obstacle === null ? await attempt(ports, call, turn) : passOver(ports, call, turns, { turn, obstacle, failed });
      // What is tried again says nothing about health yet.
      if (obstacle === null && (outcome === null || !turns.isTriedAgain(outcome)))
        noteHealth(ports, call, turn, outcome, outcome !== null && turns.isLoss(outcome, turn));
    } catch (error) {
      noteNothing(ports, call, turn);
      throw error;
    }
    if (outcome === null) return keepConversation(ports, call, turn);
    const next = turns.after(outcome, turn);
    if (next === null) throw finalError(call, outcome);
    failed = outcome;
    turn = next;
  }
}

/** The next turn of an answered conversation goes to the same candidate, with the same credential. */
function keepConversation({ routing }: ExchangePorts, call: Admitted, { candidate, credential }: Turn): void {
  const { conversation, answered, key } = call;
  const { target, own } = candidate;
  if (conversation === null || !answered) return;
  const { provider, upstreamModel } = target;
  const { credentialCount, credentialMarks } = serviceOf(call, candidate);
  const mark = credentialCount > 1 ? (credentialMarks[credential] ?? null) : null;
  const at = { provider, upstreamModel, own: own?.id ?? null, mark };
  routing.sticky.keep(key.accountId, key.projectId, conversation, at);
}

/** If others could have answered without the conversation's thoughts, the caller has to know that it has forbidden that. */
function finalError({ keepsThoughts }: Admitted, { error, anotherMayServe }: FailedAttempt): GatewayError {
  return keepsThoughts && anotherMayServe && error.status !== LIMITED ? thoughtsUnreadable() : error;
}

/** Whether nothing is left to do before the attempt, as for most calls: the hold is for this candidate, and the request is written for it. */
function isReady(call: Admitted, { candidate }: Turn, failed: FailedAttempt | null): boolean {
  return failed === null && candidate === call.candidates[0] && isWritten(call, candidate);
}

/** The turn is not used: the call fails as before, or else for the obstacle, unless another candidate serves it. */
function passOver(
  ports: ExchangePorts,
  call: Admitted,
  turns: Turns,
  { turn, obstacle, failed }: { turn: Turn; obstacle: Obstacle; failed: FailedAttempt | null },
): FailedAttempt {
  noteNothing(ports, call, turn);
  noteSkipped(call, turn.candidate, obstacle.reason, obstacle.error);
  turns.skip();
  const error = failed?.error ?? new GatewayError(obstacle.error);
  return { error, anotherMayServe: true, connectionReset: false, connectionWasStale: false, signAgain: false };
}

/** A failed attempt costs the caller nothing, however the call continues; and the key may have lost its rights in the meantime. */
function prepareNext(ports: ExchangePorts, call: Admitted, { model }: Candidate): void {
  call.lost = (call.lost + lostCost(call)) as Money;
  call.sent = false;
  call.answered = false;
  judgeModel(ports, call, model);
}

/** Whether the request is written for the candidate: not if the bank has lowered the output cap. */
function isWritten(call: Admitted, candidate: Candidate): boolean {
  return isRelayed(call, candidate) || call.translation?.isFor(candidate, call.hold.outputCap) === true;
}

/** Why a later candidate is not tried. That does not change an earlier failure; the record says it. */
interface Obstacle {
  readonly reason: Reason;
  readonly error: ErrorCode;
}

/**
 * Writes the request for the candidate, if it has to be translated, and raises the hold to cover it, unless it is what the hold is for.
 * `failed`: the attempt before this one. Null, or why the candidate is not tried.
 */
async function makeReady(
  ports: ExchangePorts,
  call: Admitted,
  { candidate }: Turn,
  failed: FailedAttempt | null,
): Promise<Obstacle | null> {
  if (failed !== null) prepareNext(ports, call, candidate);
  const isHeldFor = failed === null && candidate === call.candidates[0];
  try {
    // What has arrived of a form since may be more than an own format can express.
    if (failed !== null && !call.operation.isTranslated) expressibleTargets([candidate.target], call);
    const written = isWritten(call, candidate) ? null : translateFor(ports, call, candidate, call.hold.outputCap);
    if (written !== null) {
      await written;
      checkGoesOn(call);
      judgeAgain(ports, call);
    }
  } catch (error) {
    if (!isHeldFor && error instanceof GatewayError && INEXPRESSIBLE.has(error.status))
      return { reason: 'cannot_express', error: error.code };
    throw error;
  }
  if (isHeldFor || (await isCoveredLater(ports, call, candidate))) return null;
  return { reason: 'unaffordable', error: 'insufficient_balance' };
}

/** The hold is raised; a node may have to ask for the money, and the call may end or lose its rights meanwhile. */
async function isCoveredLater(ports: ExchangePorts, call: Admitted, candidate: Candidate): Promise<boolean> {
  const covered = coverLater(ports, call, candidate);
  if (!(covered instanceof Promise)) return covered;
  const isCovered = await covered;
  checkGoesOn(call);
  judgeAgain(ports, call);
  return isCovered;
}
