/**
 * Rights are judged when they are used: when the head of a request has arrived, when its body is whole, and once more
 * before money is held where others had a turn meanwhile. Each time key, project and account are looked up in the mirrors,
 * so that what was revoked, disabled or narrowed in between counts.
 */
import { recheck } from '../../accounts/authenticate.ts';
import { mayUse } from '../../accounts/limits.ts';
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Call } from '../call.ts';
import type { Gateway } from '../gateway.ts';
import { permit } from './permit.ts';

/** Sets what the call's key belongs to. Throws `GatewayError` 403 as `permit` does. */
export function judge(gateway: Gateway, call: Call): void {
  const { key } = call;
  assert(key !== null, 'rights are those of a known key');
  call.project = gateway.scopes.project(key.projectId);
  call.account = gateway.scopes.account(key.accountId);
  permit(call, hasAddresses(call) ? gateway.clientAddress(call.request) : null);
}

/** Whether any of the three has a list of addresses; nearly none has, and nobody asks where a call came from. */
function hasAddresses({ key, project, account }: Call): boolean {
  return (
    key?.permissions.ips !== undefined ||
    project?.permissions.ips !== undefined ||
    account?.permissions.ips !== undefined
  );
}

/** The same later on: the key as it is now. Throws `GatewayError` 401 where it is not good any more, 403 as `judge` does. */
export function judgeAgain(gateway: Gateway, call: Call): void {
  const { key } = call;
  assert(key !== null, 'rights are those of a known key');
  call.key = recheck(key, gateway.keys, gateway.clock.now());
  judge(gateway, call);
}

/** As `judgeAgain`, with the model that was chosen for the call. */
export function judgeChoice(gateway: Gateway, call: Call): void {
  judgeAgain(gateway, call);
  const { key, project, account, model } = call;
  assert(key !== null && project !== null && account !== null && model !== null, 'a model was chosen');
  if (!mayUse(key, project, account)(model.id))
    throw new GatewayError('model_not_allowed', {
      message: 'This key may not use this model any more.',
      param: 'model',
    });
}
