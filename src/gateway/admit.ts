/** Step 7: what limits and the bank have to say. All or nothing, in memory, in one synchronous step. */
import { assert } from '../core/assert.ts';
import type { Call } from './call.ts';
import type { Gateway } from './gateway.ts';

/**
 * Throws `GatewayError` 402, 429 or 503. Once it returns, the call is admitted and must be
 * finished, whichever way it ends. The promise, when there is one, resolves when the hold is
 * durable: no byte of an answer goes out before that.
 */
export function admit(gateway: Gateway, call: Call): Promise<void> | null {
  assert(call.key !== null && !call.admitted, 'a call is admitted once, after its key is known');
  const hold = gateway.bank.hold({
    callId: call.id,
    accountId: call.key.accountId,
    projectId: call.key.projectId,
    keyId: call.key.id,
  });
  call.admitted = true;
  call.target = call.targets[0] ?? null;
  return hold.durable;
}
