/** Handlers that create and change keys. */
import { checkOpen } from '../../../accounts/check-open.ts';
import type { KeyRequest, KeyUpdate } from '../../../accounts/key-registry.ts';
import type { Key } from '../../../accounts/keys.ts';
import { NO_RESTRICTIONS, restrict, UNRESTRICTED } from '../../../accounts/restrictions.ts';
import { moneyOf, type ScopeMoney } from '../../../billing/money-view.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { keyRoutes } from '../../contract/keys.ts';
import type { RouteInput } from '../../contract/route.ts';
import { changedLimits, changedPermissions } from '../accounts/limits.ts';
import type { Context, Handler } from '../door/handler.ts';
import { shownBudget } from './describe-key.ts';
import { checkMayChange, checkMayManage, findKey, isAdmin, noKey } from './find-key.ts';
import { withBudget } from './key-budget.ts';
import { describePredecessors, keyCreated, keyUpdated } from './key-changes.ts';
import { fieldsGivenOf, readExpiry, readOrigins } from './key-input.ts';
import { describe, type KeyServices } from './key-services.ts';
import { levelOf } from './level-of.ts';
import { projectForKey } from './project-of-key.ts';

type Routes = typeof keyRoutes;
type UpdateBody = RouteInput<Routes['updateKey']>['body'];

export function createKey(services: KeyServices): Handler<Routes['createKey']> {
  return async (context, { body }) => {
    const { account, actorId } = context;
    checkOpen(context.account);
    checkMayManage(context, body.kind);
    if (body.kind === 'management' && !isAdmin(context))
      throw new GatewayError('permission_denied', { message: 'Only admins can create management keys.' });
    if (body.creator_user_id != null && body.creator_user_id !== actorId)
      throw new GatewayError('invalid_value', {
        message: 'creator_user_id is not accepted: the creator is whoever makes the request.',
        param: 'creator_user_id',
      });
    const expiresAt = readExpiry(services, body.expires_at ?? null);
    const limits = changedLimits({}, withBudget(body.limits, body, {}, null));
    const permissions = changedPermissions({}, body.permissions, services.operations);
    const level = levelOf(context);
    const request: KeyRequest = {
      projectId: projectForKey(services.scopes, account.id, body).id,
      name: body.name ?? null,
      kind: body.kind,
      createdBy: actorId,
      expiresAt,
      limits,
      permissions,
      restrictions: restrict(UNRESTRICTED, { expiresAt, limits, permissions }, NO_RESTRICTIONS, level),
      restrictedAs: level === 'developer' ? actorId : null,
      cacheSeconds: body.cache_seconds ?? undefined,
      origins: readOrigins(body.kind, body.origins) ?? undefined,
    };
    const { key, secret } = await context.change(async () => {
      const made = await services.keys.create(request);
      await context.audit(keyCreated(made.key));
      return made;
    });
    return { data: await describe(services, key), key: secret.reveal() };
  };
}

export function updateKey(services: KeyServices): Handler<Routes['updateKey']> {
  return async (context, { params, body }) => {
    const key = findKey(services.keys, context.account.id, params.key);
    checkMayChange(context, key);
    checkOpen(context.account);
    checkStanding(key);
    const money = await moneyOf(services.bank.money, 'key', key.rootId);
    const changed = await context.change(async () => {
      const made = await services.keys.update(key.id, (current) =>
        changesOf(services, context, { current, body, money }),
      );
      if (made === null) throw noKey();
      for (const { before, after } of [...made.predecessors, made]) {
        const entry = keyUpdated(before, after);
        if (entry !== null) await context.audit(entry);
      }
      return made;
    });
    return {
      data: await describe(services, changed.after),
      predecessors: describePredecessors(changed.predecessors, services.scopes, services.clock.now()),
    };
  };
}

/** Throws `GatewayError`: `conflict` for a revoked key; `permission_denied` if it would undo what somebody above set. */
function changesOf(
  services: KeyServices,
  context: Context,
  { current, body, money }: { readonly current: Key; readonly body: UpdateBody; readonly money: ScopeMoney },
): KeyUpdate {
  checkStanding(current);
  const { name, disabled, expires_at: expiry, cache_seconds: cacheSeconds } = body;
  const origins = readOrigins(current.kind, body.origins);
  const { limits, permissions } = current;
  const shown = shownBudget(current, money, services.clock.now())?.window ?? null;
  const limitsAsked = withBudget(body.limits, body, limits, shown);
  const changes = {
    disabled: disabled ?? current.disabled,
    expiresAt: expiry === undefined ? current.expiresAt : readExpiry(services, expiry),
    limits: changedLimits(limits, limitsAsked),
    permissions: changedPermissions(permissions, body.permissions, services.operations),
  };
  const given = fieldsGivenOf({ ...body, limits: limitsAsked });
  const restrictions = restrict(current, changes, current.restrictions ?? NO_RESTRICTIONS, levelOf(context), given);
  return {
    ...changes,
    restrictions,
    ...(name === undefined ? {} : { name }),
    ...(cacheSeconds === undefined ? {} : { cacheSeconds }),
    ...(origins === undefined ? {} : { origins }),
  };
}

function checkStanding({ id, revokedAt }: Key): void {
  if (revokedAt !== null) throw new GatewayError('conflict', { message: `Key ${id} is permanently revoked.` });
}
