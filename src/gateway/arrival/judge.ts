/**
 * Rights are judged when they are used: when the head of a request has arrived, when its body is whole, and once more
 * before money is held where others had a turn meanwhile. Each time key, project and account are looked up in the mirrors,
 * so that what was revoked, disabled or narrowed in between counts.
 */
import { authenticate, recheck } from '../../accounts/authenticate.ts';
import type { KeyMirror } from '../../accounts/key-mirror.ts';
import type { Key } from '../../accounts/keys.ts';
import { mayUse } from '../../accounts/limits.ts';
import type { ScopeMirror } from '../../accounts/scope-mirror.ts';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Call } from '../call.ts';
import type { Identified, Understood } from '../phases.ts';
import type { ClientAddress } from './client-address.ts';
import { permit } from './permit.ts';

export interface JudgePorts {
  readonly clock: Clock;
  readonly keys: KeyMirror;
  readonly scopes: ScopeMirror;
  readonly clientAddress: ClientAddress;
}

/** By the headers of the request. Throws `GatewayError` 400, 401, 403. */
export function identify(ports: JudgePorts, call: Call): asserts call is Identified {
  judge(ports, call, authenticate(call.request.rawHeaders, ports.keys, call.admittedAt));
}

/** The same later on: the key as it is now. Throws `GatewayError` 401 where it is not good any more, 403 as `permit` does. */
export function judgeAgain(ports: JudgePorts, call: Identified): void {
  judge(ports, call, recheck(call.key, ports.keys, ports.clock.now()));
}

/** As `judgeAgain`, with the model that was chosen for the call. */
export function judgeChoice(ports: JudgePorts, call: Understood): void {
  judgeAgain(ports, call);
  const { key, project, account, model } = call;
  if (!mayUse(key, project, account)(model.id))
    throw new GatewayError('model_not_allowed', {
      message: 'This key is no longer allowed to use this model.',
      param: 'model',
    });
}

/** Sets the call's key, and what it belongs to. Throws `GatewayError` 403 as `permit` does. */
function judge(ports: JudgePorts, call: Call, key: Key): asserts call is Identified {
  const project = ports.scopes.project(key.projectId);
  const account = ports.scopes.account(key.accountId);
  // Also of a call that is refused here: its refusal is noted with its key.
  call.key = key;
  call.project = project;
  call.account = account;
  const hasAddresses =
    key.permissions.ips !== undefined || project.permissions.ips !== undefined || account.permissions.ips !== undefined;
  // Nearly no key has a list of addresses, and nobody asks where a call came from.
  permit(call.operation.permission, key, project, account, hasAddresses ? ports.clientAddress(call.request) : null);
}
