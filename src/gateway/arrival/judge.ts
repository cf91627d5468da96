/**
 * Rights are checked when they are used: when the head of a request has arrived, when its body is complete, and again before
 * money is held if other calls ran in between. Each time, key, project and account are looked up in the mirrors, so that a
 * revocation, a disabling or a new restriction takes effect.
 */
import { authenticate, keyOfBatch, recheck } from '../../accounts/authenticate.ts';
import type { KeyMirror } from '../../accounts/key-mirror.ts';
import type { Key } from '../../accounts/keys.ts';
import { mayUse } from '../../accounts/limits.ts';
import type { ScopeMirror } from '../../accounts/scope-mirror.ts';
import type { Model } from '../../catalog/model.ts';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Call } from '../call.ts';
import type { Identified, Understood } from '../phases.ts';
import type { ClientAddress } from './client-address.ts';
import { judgeOrigin } from './page-origin.ts';
import { permit, permitOperation } from './permit.ts';

export interface JudgePorts {
  readonly clock: Clock;
  readonly keys: KeyMirror;
  readonly scopes: ScopeMirror;
  readonly clientAddress: ClientAddress;
}

/** Finds the key: of a caller by the request's headers, of a line of a batch by its id. Throws `GatewayError` 400, 401, 403, 503. */
export function identify(ports: JudgePorts, call: Call): asserts call is Identified {
  const { request, dialect, admittedAt, line } = call;
  if (line !== null) judge(ports, call, keyOfBatch(line.keyId, ports.keys, admittedAt));
  else judge(ports, call, authenticate(request.rawHeaders, ports.keys, admittedAt, dialect.credential?.header ?? null));
}

/** Checks the key again, as it is now. Throws `GatewayError` 401 if it is no longer valid, 403 like `permit`. */
export function judgeAgain(ports: JudgePorts, call: Identified): void {
  judge(ports, call, recheck(call.key, ports.keys, ports.clock.now()));
}

/** Like `judgeAgain`, including the model chosen for the call. */
export function judgeChoice(ports: JudgePorts, call: Understood): void {
  judgeModel(ports, call, call.model);
}

/** Like `judgeAgain`, including a model that is about to serve the call. */
export function judgeModel(ports: JudgePorts, call: Identified, model: Pick<Model, 'id'>): void {
  judgeAgain(ports, call);
  const { key, project, account } = call;
  if (!mayUse(key, project, account)(model.id))
    throw new GatewayError('model_not_allowed', {
      message: 'This key is no longer allowed to use this model.',
      param: 'model',
    });
}

/** Sets the call's key, project and account, and whether its page may read the answer. Throws `GatewayError` 403 like `permit`, and for a page that may not use the key. */
function judge(ports: JudgePorts, call: Call, key: Key): asserts call is Identified {
  const project = ports.scopes.project(key.projectId);
  const account = ports.scopes.account(key.accountId);
  // Set before the checks, so that a refusal is recorded with its key.
  call.key = key;
  call.project = project;
  call.account = account;
  // Before the others, so that a page which may use the key can read why it may not do this.
  call.readableBy = null;
  if (call.origin !== null) call.readableBy = judgeOrigin(key, call.origin);
  const hasAddresses =
    key.permissions.ips !== undefined || project.permissions.ips !== undefined || account.permissions.ips !== undefined;
  // Hardly any key has a list of addresses; without one, the address is not needed.
  permit(call.permission, key, project, account, hasAddresses ? ports.clientAddress(call.request) : null);
  if (call.line !== null) permitOperation('batches', key, project, account);
}
