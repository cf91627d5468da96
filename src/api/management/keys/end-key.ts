/** Handlers that rotate and revoke keys, with what a management key created. */
import { checkOpen } from '../../../accounts/check-open.ts';
import type { Key } from '../../../accounts/keys.ts';
import { makersOfKey } from '../../../accounts/made-by.ts';
import type { keyRoutes } from '../../contract/keys.ts';
import type { Context, Handler } from '../door/handler.ts';
import { checkMayChange, checkMayRevoke, findKey, noKey } from './find-key.ts';
import { describePredecessors, keyRevoked, keyRotated } from './key-changes.ts';
import { describe, type KeyServices } from './key-services.ts';
import { levelOf } from './level-of.ts';
import { describeKeysMade, endMade } from './made-by.ts';
import { checkNotArchived } from './project-of-key.ts';

type Routes = typeof keyRoutes;

export function revokeKey(services: KeyServices): Handler<Routes['revokeKey']> {
  return async (context, { params, query }) => {
    const key = findKey(services.keys, context.account.id, params.key);
    checkMayRevoke(context, key);
    const now = query.now === 'true';
    const revoked = await context.change(async () => {
      const ended = await services.keys.revoke(key.id, { now, by: levelOf(context) });
      if (ended === null) throw noKey();
      for (const { before } of [...ended.predecessors, ended]) {
        const entry = keyRevoked(before, { now });
        if (entry !== null) await context.audit(entry);
      }
      return ended;
    });
    const made = key.kind === 'management' ? await endMadeBy(services, context, key, query.with_made === 'true') : null;
    return {
      deleted: true,
      data: await describe(services, revoked.after),
      predecessors: describePredecessors(revoked.predecessors, services.scopes, services.clock.now()),
      made,
    };
  };
}

/** Called after the revocation, so that nothing more can be created. */
async function endMadeBy(services: KeyServices, context: Context, key: Key, isRevoked: boolean) {
  const makers = await makersOfKey(services.keys.newestFirst(), key);
  return endMade(services, context.account.id, { makers, isRevoked }, (change) => context.audit(change));
}

export function readKeyMade(services: KeyServices): Handler<Routes['readKeyMade']> {
  return async ({ account }, { params }) => {
    const key = findKey(services.keys, account.id, params.key);
    const makers = await makersOfKey(services.keys.newestFirst(), key);
    const made = await describeKeysMade(services, account.id, makers);
    return { data: { ...made, invitations: await services.invitationsBy(account.id, makers) } };
  };
}

export function rotateKey(services: KeyServices): Handler<Routes['rotateKey']> {
  return async (context, { params, body }) => {
    const key = findKey(services.keys, context.account.id, params.key);
    checkMayChange(context, key);
    checkOpen(context.account);
    checkNotArchived(services.scopes.project(key.projectId));
    // It is the same key with another secret, so it keeps its maker. A management key belongs to the person who knows its secret: it ends
    // when they lose the admin role.
    const createdBy = (key.kind === 'management' ? null : key.createdBy) ?? context.actorId;
    const { retiring, successor } = await context.change(async () => {
      const rotated = await services.keys.rotate(key.id, { graceMs: body.grace_ms, createdBy });
      if (rotated === null) throw noKey();
      await context.audit(keyRotated(rotated.retiring, rotated.successor.key));
      return rotated;
    });
    const [data, old] = await Promise.all([describe(services, successor.key), describe(services, retiring)]);
    return { data, retiring: old, key: successor.secret.reveal() };
  };
}
