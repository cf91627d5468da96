/** Step 7: what limits and the bank have to say. All or nothing, in memory, in one synchronous step. */
import type { Hold } from '../billing/bank.ts';
import { type BoundRequest, boundOf } from '../billing/bound.ts';
import { assert } from '../core/assert.ts';
import type { Peek } from '../dialects/dialect.ts';
import type { Call } from './call.ts';
import type { Gateway } from './gateway.ts';

/** What a token of a prompt takes, about: the limit of tokens counts the true number when the call is over. */
const BYTES_PER_TOKEN = 4;

/**
 * Throws `GatewayError` 402, 429 or 503. Once it returns, the call is admitted and must be
 * finished, whichever way it ends.
 */
export function admit(gateway: Gateway, call: Call): void {
  const { key, project, account, peek } = call;
  assert(key !== null && project !== null && account !== null && peek !== null, 'a call is admitted after its peek');
  assert(call.hold === null, 'a call is admitted once');
  const { limiter } = gateway;
  const ticket = limiter.take(
    { id: key.rootId, limits: key.limits },
    project,
    account,
    Math.ceil(peek.bodyBytes / BYTES_PER_TOKEN),
  );
  try {
    call.hold = hold(gateway, call);
  } catch (error) {
    if (ticket !== null) limiter.giveBack(ticket);
    throw error;
  }
  call.ticket = ticket;
  call.target = call.targets[0] ?? null;
}

function hold(gateway: Gateway, call: Call): Hold {
  const { key, project, account, peek } = call;
  assert(key !== null && project !== null && account !== null && peek !== null, 'a call is admitted after its peek');
  return gateway.bank.hold({
    callId: call.id,
    admittedAt: call.admittedAt,
    accountId: key.accountId,
    projectId: key.projectId,
    // A rotated key goes on with the budget of the one before.
    keyId: key.rootId,
    keyBudgets: key.limits.budgets,
    projectBudgets: project.limits.budgets,
    accountBudgets: account.limits.budgets,
    bound: boundOf(toBeSent(call, peek), call.targets, gateway.bank.mode),
  });
}

/** What is sent is what costs: a translation may be longer than what the caller sent. */
function toBeSent({ targets, translation }: Call, peek: Peek): BoundRequest {
  const [first] = targets;
  return translation === null || first === undefined ? peek : translation.boundRequest(peek, first);
}
