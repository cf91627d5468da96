/** Keys of an account: listed, made, changed, rotated, revoked. A secret is told once, in the answer that made it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkOpen } from '../../../accounts/check-open.ts';
import type { KeyRegistry, KeyRequest, KeyUpdate } from '../../../accounts/key-registry.ts';
import type { Key } from '../../../accounts/keys.ts';
import { type Makers, makersOfKey } from '../../../accounts/made-by.ts';
import { NO_RESTRICTIONS, restrict, UNRESTRICTED } from '../../../accounts/restrictions.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import type { Bank } from '../../../billing/bank.ts';
import { moneyOf, type ScopeMoney } from '../../../billing/money-view.ts';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { AccountId } from '../../../core/ids.ts';
import type { Limiter } from '../../../limits/limiter.ts';
import type { keyRoutes } from '../../contract/keys.ts';
import { changedLimits, changedPermissions } from '../../contract/limits-input.ts';
import type { RouteInput } from '../../contract/route.ts';
import { type Context, type Handler, type Handlers, TableAnswer } from '../door/handler.ts';
import type { MadeInvitation } from '../people/made-invitations.ts';
import { listAllKeys } from './all-keys.ts';
import { describeKey, type KeyOut, shownBudget } from './describe-key.ts';
import { checkMayChange, checkMayManage, checkMayRevoke, findKey, isAdmin, noKey } from './find-key.ts';
import { withBudget } from './key-budget.ts';
import { describePredecessors, keyCreated, keyRevoked, keyRotated, keyUpdated } from './key-changes.ts';
import { fieldsGivenOf, readExpiry } from './key-input.ts';
import { describeKeyLimits } from './key-limits.ts';
import { KEY_COLUMNS, keyRows } from './key-rows.ts';
import { levelOf } from './level-of.ts';
import { pageOfKeys, readKeysCursor } from './list-keys.ts';
import { describeKeysMade, endMade } from './made-by.ts';
import { checkNotArchived, projectForKey, projectOf, workspaceOf } from './project-of-key.ts';

export interface KeyServices {
  readonly keys: Pick<
    KeyRegistry,
    | 'create'
    | 'update'
    | 'rotate'
    | 'revoke'
    | 'revokeMadeBy'
    | 'get'
    | 'withLists'
    | 'findDigest'
    | 'newestFirst'
    | 'scopes'
  >;
  readonly scopes: Pick<ScopeMirror, 'project' | 'account' | 'projects' | 'findProject'>;
  readonly bank: Pick<Bank, 'mode' | 'money'>;
  readonly limiter: Pick<Limiter, 'readings'>;
  readonly clock: Clock;
  /** The names of what routes do, for permissions: `chat`. */
  readonly operations: readonly string[];
  /** What `user:<id>`, `key:<id>` or `operator` is called; null where nobody knows any more. */
  nameOf(actorId: string): Promise<string | null>;
  /** Open invitations of an account that one of these made. */
  invitationsBy(account: AccountId, makers: Makers): Promise<MadeInvitation[]>;
}

type Routes = typeof keyRoutes;

export function keyHandlers(services: KeyServices): Handlers<Routes> {
  return {
    listKeys: listKeys(services),
    listAllKeys: listAllKeys(services, (keys) => describeAll(services, keys)),
    createKey: createKey(services),
    readKey: async ({ account }, { params }) => ({
      data: await describeWhole(services, findKey(services.keys, account.id, params.key)),
    }),
    updateKey: updateKey(services),
    revokeKey: revokeKey(services),
    readKeyMade: readKeyMade(services),
    rotateKey: rotateKey(services),
    readKeyLimits: async ({ account }, { params }) => ({
      data: await describeKeyLimits(services, findKey(services.keys, account.id, params.key)),
    }),
  };
}

function listKeys(services: KeyServices): Handler<Routes['listKeys']> {
  return async ({ account }, { query }) => {
    const asked = query.project ?? workspaceOf(query.workspace_id);
    const project = asked === null ? null : projectOf(services.scopes, account.id, asked);
    const search = query.search?.toLowerCase() ?? '';
    const isMeant = (key: Key) =>
      key.accountId === account.id &&
      (project === null || key.projectId === project.id) &&
      (query.include_revoked === 'true' || key.revokedAt === null) &&
      (query.include_disabled === 'true' || !key.disabled) &&
      (search === '' || key.name.toLowerCase().includes(search) || key.label.toLowerCase().includes(search));
    if (query.format === 'csv')
      return new TableAnswer(
        KEY_COLUMNS,
        keyRows(services.keys, isMeant, (keys) => describeAll(services, keys)),
        'keys',
        'now',
      );
    const { keys, total, hasMore } = await pageOfKeys(services.keys.newestFirst(), {
      isMeant,
      before: readKeysCursor(query.cursor),
      offset: query.offset ?? 0,
      limit: query.limit,
    });
    const last = keys.at(-1);
    return {
      data: await describeAll(services, await services.keys.withLists(keys)),
      next_cursor: hasMore && last !== undefined ? String(last.id) : null,
      total_count: total,
    };
  };
}

function createKey(services: KeyServices): Handler<Routes['createKey']> {
  return async (context, { body }) => {
    const { account, actorId } = context;
    checkOpen(context.account);
    checkMayManage(context, body.kind);
    if (body.kind === 'management' && !isAdmin(context))
      throw new GatewayError('permission_denied', { message: 'Management keys are made by admins.' });
    if (body.creator_user_id != null && body.creator_user_id !== actorId)
      throw new GatewayError('invalid_value', {
        message: 'creator_user_id is not accepted: a key is made by who asks.',
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
    };
    const { key, secret } = await context.change(async () => {
      const made = await services.keys.create(request);
      await context.audit(keyCreated(made.key));
      return made;
    });
    return { data: await describe(services, key), key: secret.reveal() };
  };
}

function updateKey(services: KeyServices): Handler<Routes['updateKey']> {
  return async (context, { params, body }) => {
    const key = findKey(services.keys, context.account.id, params.key);
    checkMayChange(context, key);
    checkOpen(context.account);
    checkStanding(key);
    const money = await moneyOf(services.bank.money, 'key', key.rootId);
    const changed = await context.change(async () => {
      const made = await services.keys.update(key.id, (standing) =>
        changesOf(services, context, { standing, body, money }),
      );
      if (made === null) throw noKey();
      for (const { before, after } of [...made.predecessors, made]) {
        const told = keyUpdated(before, after);
        if (told !== null) await context.audit(told);
      }
      return made;
    });
    return {
      data: await describe(services, changed.after),
      predecessors: describePredecessors(changed.predecessors, services.scopes, services.clock.now()),
    };
  };
}

type UpdateBody = RouteInput<Routes['updateKey']>['body'];

/** Throws `GatewayError`: `conflict` for a key that is revoked; `permission_denied` for what would undo somebody above. */
function changesOf(
  services: KeyServices,
  context: Context,
  { standing, body, money }: { readonly standing: Key; readonly body: UpdateBody; readonly money: ScopeMoney },
): KeyUpdate {
  checkStanding(standing);
  const { name, disabled, expires_at: expiry } = body;
  const { limits, permissions } = standing;
  const shown = shownBudget(standing, money, services.clock.now())?.window ?? null;
  const limitsAsked = withBudget(body.limits, body, limits, shown);
  const changes = {
    disabled: disabled ?? standing.disabled,
    expiresAt: expiry === undefined ? standing.expiresAt : readExpiry(services, expiry),
    limits: changedLimits(limits, limitsAsked),
    permissions: changedPermissions(permissions, body.permissions, services.operations),
  };
  const given = fieldsGivenOf({ ...body, limits: limitsAsked });
  const restrictions = restrict(standing, changes, standing.restrictions ?? NO_RESTRICTIONS, levelOf(context), given);
  return { ...changes, restrictions, ...(name === undefined ? {} : { name }) };
}

function checkStanding({ id, revokedAt }: Key): void {
  if (revokedAt !== null) throw new GatewayError('conflict', { message: `Key ${id} is revoked, for good.` });
}

function revokeKey(services: KeyServices): Handler<Routes['revokeKey']> {
  return async (context, { params, query }) => {
    const key = findKey(services.keys, context.account.id, params.key);
    checkMayRevoke(context, key);
    const now = query.now === 'true';
    const revoked = await context.change(async () => {
      const ended = await services.keys.revoke(key.id, { now, by: levelOf(context) });
      if (ended === null) throw noKey();
      for (const { before } of [...ended.predecessors, ended]) {
        const told = keyRevoked(before, { now });
        if (told !== null) await context.audit(told);
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

/** After the revocation, so that nothing can be made any more. */
async function endMadeBy(services: KeyServices, context: Context, key: Key, isRevoked: boolean) {
  const makers = await makersOfKey(services.keys.newestFirst(), key);
  return endMade(services, context.account.id, { makers, isRevoked }, (change) => context.audit(change));
}

function readKeyMade(services: KeyServices): Handler<Routes['readKeyMade']> {
  return async ({ account }, { params }) => {
    const key = findKey(services.keys, account.id, params.key);
    const makers = await makersOfKey(services.keys.newestFirst(), key);
    const made = await describeKeysMade(services, account.id, makers);
    return { data: { ...made, invitations: await services.invitationsBy(account.id, makers) } };
  };
}

function rotateKey(services: KeyServices): Handler<Routes['rotateKey']> {
  return async (context, { params, body }) => {
    const key = findKey(services.keys, context.account.id, params.key);
    checkMayChange(context, key);
    checkOpen(context.account);
    checkNotArchived(services.scopes.project(key.projectId));
    // It is the same key with another secret: whoever made it goes on managing it, whoever rotated it. One that manages is of
    // whoever knows its secret: it ends when they are no admin any more.
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

/** With the lists that it had, where it is revoked. */
async function describeWhole(services: KeyServices, key: Key): Promise<KeyOut> {
  const [whole = key] = await services.keys.withLists([key]);
  return describe(services, whole);
}

async function describe(services: KeyServices, key: Key): Promise<KeyOut> {
  const money = await moneyOf(services.bank.money, 'key', key.rootId);
  return describeKey(services, key, money, key.createdBy === null ? null : await services.nameOf(key.createdBy));
}

/** Each name is looked up once; keys are told a slice at a time, and calls go on between slices. */
async function describeAll(services: KeyServices, keys: readonly Key[]): Promise<KeyOut[]> {
  const names = new Map<string, string | null>();
  for (const { createdBy } of keys)
    if (createdBy !== null && !names.has(createdBy)) names.set(createdBy, await services.nameOf(createdBy));
  const money = await services.bank.money.of(keys.map(({ rootId }) => ({ scope: 'key', id: rootId })));
  const described: KeyOut[] = [];
  for (const [index, key] of keys.entries()) {
    if (index % SLICE_KEYS === SLICE_KEYS - 1) await nextTurn();
    const createdBy = key.createdBy === null ? null : (names.get(key.createdBy) ?? null);
    described.push(describeKey(services, key, money[index] as ScopeMoney, createdBy));
  }
  return described;
}

/** Some 0.5 ms. */
const SLICE_KEYS = 40;
