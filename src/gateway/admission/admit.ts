/** Step 7: what limits and the bank have to say. Both in memory, each all or nothing in one synchronous step. */
import type { HoldRequest } from '../../billing/bank.ts';
import { type Bound, type BoundRequest, boundOf } from '../../billing/bound.ts';
import { type Refusal, refusalError, unlimitedUseError } from '../../billing/refusal.ts';
import type { Target } from '../../catalog/model.ts';
import { assert } from '../../core/assert.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import { NO_MEDIA } from '../../dialects/kit/media/inline-media.ts';
import { RateLimitExceeded } from '../../limits/rate-limit-exceeded.ts';
import type { Call } from '../call.ts';
import type { Gateway } from '../gateway.ts';

/** What a token of a prompt takes, about: the limit of tokens counts the true number when the call is over. */
const BYTES_PER_TOKEN = 4;

/** What the prompt is taken for until its tokens are known. */
export function promptTokensAbout({ bodyBytes }: Peek): number {
  return Math.ceil(bodyBytes / BYTES_PER_TOKEN);
}

/** Counts the call in its limits, as one of `tokens` until it is over. Throws `GatewayError` 429. */
export function countIn(gateway: Gateway, call: Call, tokens: number): void {
  const { key, project, account } = call;
  assert(key !== null && project !== null && account !== null, 'limits are those of a known key');
  const ticket = gateway.limiter.take({ id: key.rootId, limits: key.limits }, project, account, tokens);
  if (ticket !== null && ticket.refused !== null) throw new RateLimitExceeded(ticket);
  call.ticket = ticket;
}

/** A call that was counted and never admitted: as if it had not been. */
export function countOut(gateway: Gateway, call: Call): void {
  if (call.ticket === null || call.hold !== null) return;
  gateway.limiter.giveBack(call.ticket);
  call.ticket = null;
}

/**
 * Before a translation, which is work: throws `GatewayError` 402 where a balance or budget has not even what a part of the
 * request would cost at the cheapest target, so that an account with nothing left is refused at once. Nothing is held.
 */
export function refuseUnaffordable(gateway: Gateway, call: Call): void {
  const { peek, targets } = call;
  assert(peek !== null, 'a call is judged after its peek');
  const least = leastOfTranslated(peek);
  const bounds = targets.map((target) => boundIn(gateway, least, [target]));
  throwIfRefused(gateway, gateway.bank.checkAffordable(holdRequest(call, null), bounds));
}

/**
 * What is surely left of a request when it is written anew: white space, escapes and fields that have no place may go, so that
 * only a part of its bytes counts, and nothing that stands for a bound and not for a cost.
 */
function leastOfTranslated(peek: Peek): BoundRequest {
  return {
    ...peek,
    bodyBytes: Math.floor((peek.bodyBytes - peek.media.bytes) / SHRINKS_AT_MOST),
    media: NO_MEDIA,
    choices: 1,
    hasTools: false,
    namedTools: 0,
    hasFormat: false,
    promptUnbounded: false,
    serverToolUses: 0,
    searchField: null,
    compacts: false,
    values: 0,
    growth: 0,
    predictedTokens: 0,
  };
}

/** A character of two bytes may be an escape of six, and a short message may stand behind many spaces. */
const SHRINKS_AT_MOST = 16;

/** For what costs nothing itself and is of use to calls only: throws `GatewayError` 402 where no call could be paid for. */
export function refusePenniless(gateway: Gateway, call: Call, targets: readonly Target[]): void {
  const { peek } = call;
  assert(peek !== null, 'a call is judged after its peek');
  const costs = targets.every((target) => (boundIn(gateway, peek, [target])?.fixed ?? 0n) > 0n);
  if (costs) throwIfRefused(gateway, gateway.bank.checkNotEmpty(holdRequest(call, null)));
}

/**
 * Holds the most that the call can cost: what was written for the first target, or the caller's own bytes at the dearest of
 * those that take them. Throws `GatewayError` 402 or 503. Once it returns, the call is admitted and must be finished,
 * whichever way it ends.
 */
export function admit(gateway: Gateway, call: Call): void {
  const { peek, targets, translation } = call;
  assert(peek !== null && call.hold === null, 'a call is admitted once, after its peek');
  const [first] = targets;
  assert(first !== undefined, 'a call has a target');
  const bound = translation === null ? boundIn(gateway, peek, targets) : writtenBound(gateway, call, first);
  const answer = gateway.bank.hold(holdRequest(call, bound));
  assert(!(answer instanceof Promise), 'a bank with every balance in memory answers at once');
  if (answer.refused !== null) throw refusalError(answer, gateway.clock.now());
  call.hold = answer;
  call.target = first;
}

/** Whether what is held covers a later target, too, for which the request has just been written; raises the hold where it can. */
export function coverLater(gateway: Gateway, call: Call, target: Target): boolean {
  assert(call.hold !== null, 'only a hold can be raised');
  const bound = writtenBound(gateway, call, target);
  return bound === null || gateway.bank.raise(call.hold, holdRequest(call, bound));
}

function writtenBound(gateway: Gateway, call: Call, target: Target): Bound | null {
  const { peek, translation } = call;
  assert(peek !== null && translation !== null, 'what is written has been read');
  return boundIn(gateway, translation.boundRequest(peek, target, call.hold?.outputCap ?? null), [target]);
}

/** Throws `GatewayError` 400 `unsupported_value` for what has no bound and would be paid from a balance. */
function boundIn({ bank }: Gateway, request: BoundRequest, targets: readonly Target[]): Bound | null {
  const bound = boundOf(request, targets, bank.mode);
  if (bound === null || bound.unlimitedField === undefined) return bound;
  throw unlimitedUseError(bound.unlimitedField);
}

function throwIfRefused({ clock }: Gateway, refusal: Refusal | null): void {
  if (refusal !== null) throw refusalError(refusal, clock.now());
}

function holdRequest(call: Call, bound: Bound | null): HoldRequest {
  const { key, project, account } = call;
  assert(key !== null && project !== null && account !== null, 'money is held for a known key');
  return {
    callId: call.id,
    admittedAt: call.admittedAt,
    accountId: key.accountId,
    projectId: key.projectId,
    // A rotated key goes on with the budget of the one before.
    keyId: key.rootId,
    keyBudgets: key.limits.budgets,
    projectBudgets: project.limits.budgets,
    accountBudgets: account.limits.budgets,
    bound,
  };
}
