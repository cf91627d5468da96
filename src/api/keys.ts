/** Keys on the control plane: listed, made, changed, rotated and revoked; a secret is told once, in the answer that made it. */
import * as z from 'zod';
import { type Key, keyStatus } from '../accounts/keys.ts';
import { makersOfKey } from '../accounts/made-by.ts';
import type { Project } from '../accounts/ports.ts';
import { NO_RESTRICTIONS, restrict, UNRESTRICTED } from '../accounts/restrictions.ts';
import { isoTime } from '../core/calendar.ts';
import { GatewayError } from '../core/errors.ts';
import { usdLiteral } from '../core/money.ts';
import {
  changedLimits,
  changedPermissions,
  describeLimits,
  describePermissions,
  limitsInput,
  permissionsInput,
} from './contract/limits-input.ts';
import { nameInput } from './contract/text-input.ts';
import { findNamed, findNamedOrFirst, isNamed, NAME_THE_ACCOUNT } from './management/accounts/find-scope.ts';
import {
  keyCreated,
  keyRevoked,
  keyRotated,
  keyUpdated,
  PredecessorsTold,
  type Told,
} from './management/keys/key-changes.ts';
import { fieldsGivenOf, readExpiry } from './management/keys/key-input.ts';
import { statusOf } from './management/keys/key-status.ts';
import { endMade } from './management/keys/made-by.ts';
import { parseInput } from './reply-error.ts';
import type { ControlServices } from './services.ts';

type Services = Pick<ControlServices, 'keys' | 'scopes' | 'projects' | 'clock' | 'bank' | 'operations' | 'audit'>;

const time = z.iso.datetime({ offset: true }).nullable();

const newKey = z.strictObject({
  name: nameInput.nullable().default(null),
  /** Name or id of the account whose projects are looked in; null is all of them. */
  account: z.union([z.string(), z.int()]).nullable().default(null),
  /** Name or id; null is the oldest one. */
  project: z.union([z.string(), z.int()]).nullable().default(null),
  expires_at: time.default(null),
  kind: z.enum(['inference', 'management']).default('inference'),
  limits: limitsInput.default({}),
  permissions: permissionsInput.default({}),
});

/** What is absent stays as it is. */
const keyChanges = z.strictObject({
  name: nameInput.optional(),
  disabled: z.boolean().optional(),
  expires_at: time.optional(),
  limits: limitsInput.default({}),
  permissions: permissionsInput.default({}),
});

const rotation = z.strictObject({ grace_ms: z.int().min(0) });
const listQuery = z.strictObject({ include_revoked: z.enum(['true', 'false']).default('false') });
const flag = z.enum(['true', 'false']).default('false');
const revokeQuery = z.strictObject({ now: flag, with_made: flag });

export async function listKeys(services: Services, query: unknown) {
  const { include_revoked } = parseInput(listQuery, query);
  const projects = await services.projects();
  const keys = [...services.keys.list()].filter((key) => include_revoked === 'true' || key.revokedAt === null);
  const whole = await services.keys.withLists(keys);
  return { data: whole.map((key) => describeKey(services, key, projects)), total_count: keys.length };
}

export async function createKey(services: Services, body: unknown) {
  const request = parseInput(newKey, body ?? {});
  const expiresAt = readExpiry(services, request.expires_at);
  const limits = changedLimits({}, request.limits);
  const permissions = changedPermissions({}, request.permissions, services.operations);
  const projects = await services.projects();
  const project = findProject(ofAccount(services, projects, request.account), request.project);
  const { key, secret } = await services.keys.create({
    projectId: project.id,
    name: request.name,
    kind: request.kind,
    expiresAt,
    limits,
    permissions,
    restrictions: restrict(UNRESTRICTED, { expiresAt, limits, permissions }, NO_RESTRICTIONS, 'operator'),
  });
  await services.audit({ ...keyCreated(key), accountId: key.accountId });
  return {
    data: describeKey(services, key, projects),
    key: secret.reveal(),
    same_name: namesakes(services, key),
  };
}

function ofAccount({ scopes }: Services, projects: readonly Project[], wanted: string | number | null) {
  if (wanted === null) return projects;
  const account = findNamed(scopes.accounts(), wanted, 'account');
  return projects.filter(({ accountId }) => accountId === account.id);
}

/**
 * A project that a key can be made in. The oldest one is meant where none is named: when it is archived no other takes its
 * place, for its limits and its bill would be another's.
 */
function findProject(projects: readonly Project[], wanted: string | number | null): Project {
  const usable = projects.filter((each) => each.archivedAt === null);
  const [oldest] = projects;
  if (wanted === null && oldest !== undefined && oldest.archivedAt !== null)
    throw new GatewayError('conflict', {
      message: `Project "${oldest.name}", the oldest, is archived; name another one (--project).`,
      param: 'project',
    });
  const archived = projects.find((each) => each.archivedAt !== null && isNamed(each, wanted));
  if (archived !== undefined && !usable.some((each) => isNamed(each, wanted)))
    throw new GatewayError('not_found', {
      message: `Project "${archived.name}" is archived: no key can be made in it.`,
      param: 'project',
    });
  return findNamedOrFirst(usable, wanted, 'project', NAME_THE_ACCOUNT);
}

export async function updateKey(services: Services, reference: string, body: unknown) {
  const request = parseInput(keyChanges, body ?? {});
  const key = findKey(services, reference, true);
  if (key.revokedAt !== null) throw new GatewayError('conflict', { message: `Key ${key.id} is revoked, for good.` });
  const { name: newName, disabled, expires_at: expiry } = request;
  let before = key;
  const predecessors = new PredecessorsTold();
  const changed = await services.keys.update(
    key.id,
    (standing) => {
      before = standing;
      const changes = {
        disabled: disabled ?? standing.disabled,
        expiresAt: expiry === undefined ? standing.expiresAt : readExpiry(services, expiry),
        limits: changedLimits(standing.limits, request.limits),
        permissions: changedPermissions(standing.permissions, request.permissions, services.operations),
      };
      const given = fieldsGivenOf(request);
      const restrictions = restrict(standing, changes, standing.restrictions ?? NO_RESTRICTIONS, 'operator', given);
      return { ...changes, restrictions, ...(newName === undefined ? {} : { name: newName }) };
    },
    undefined,
    predecessors.updated,
  );
  if (changed === null) throw noKey();
  for (const told of [...predecessors.told, keyUpdated(before, changed)])
    if (told !== null) await services.audit({ ...told, accountId: key.accountId });
  const described = await describe(services, changed, predecessors);
  return { ...described, same_name: newName === undefined ? [] : namesakes(services, changed) };
}

/** Ids of the other keys that its name stands for, so that commands need its id. */
function namesakes(services: Services, key: Key): number[] {
  return [...services.keys.list()]
    .filter((each) => each.name === key.name && each.id !== key.id && each.revokedAt === null)
    .filter((each) => each.retiringAt === null && keyStatus(each, services.clock.now()) !== 'expired')
    .map(({ id }) => id);
}

/** The successor's secret is told once; the old one is good until its grace is over. */
export async function rotateKey(services: Services, reference: string, body: unknown) {
  const { grace_ms: graceMs } = parseInput(rotation, body ?? {});
  const { id, kind, createdBy, accountId } = findKey(services, reference, true);
  // It stays the key of whoever made it, but for one that manages: that is of whoever knows its secret.
  const rotated = await services.keys.rotate(id, { graceMs, createdBy: kind === 'management' ? null : createdBy });
  if (rotated === null) throw noKey();
  await services.audit({ ...keyRotated(rotated.retiring, rotated.successor.key), accountId });
  const projects = await services.projects();
  return {
    data: describeKey(services, rotated.successor.key, projects),
    retiring: describeKey(services, rotated.retiring, projects),
    key: rotated.successor.secret.reveal(),
  };
}

/**
 * With `now`, calls that run on the key are cut; else they end by themselves. With `with_made` the keys that a management key made
 * are revoked, too.
 */
export async function revokeKey(services: Services, reference: string, query: unknown) {
  const { now, with_made } = parseInput(revokeQuery, query);
  const key = findKey(services, reference, false);
  const predecessors = new PredecessorsTold();
  const cutting = { now: now === 'true' };
  const tell = predecessors.revoked(cutting);
  const revoked = await services.keys.revoke(key.id, { ...cutting, by: 'operator' }, undefined, tell);
  if (revoked === null) throw noKey();
  for (const told of [...predecessors.told, keyRevoked(key, cutting)])
    if (told !== null) await services.audit({ ...told, accountId: key.accountId });
  const made = key.kind === 'management' ? await endMadeBy(services, key, with_made === 'true') : null;
  return { ...(await describe(services, revoked, predecessors)), made };
}

async function endMadeBy(services: Services, key: Key, isRevoked: boolean) {
  const makers = await makersOfKey(services.keys.newestFirst(), key);
  const audit = (told: Told) => services.audit({ ...told, accountId: key.accountId });
  return endMade(services, key.accountId, { makers, isRevoked }, audit);
}

/**
 * By id, label or name. More than one match is a conflict: revoking the wrong key cannot be undone. A rotated key and its
 * successor have one name: the successor is meant, where `isSuccessorMeant` says so.
 */
function findKey(services: Services, reference: string, isSuccessorMeant: boolean): Key {
  const matches = [...services.keys.list()].filter(
    (key) => String(key.id) === reference || key.label === reference || key.name === reference,
  );
  const standing = matches.filter((key) => key.revokedAt === null);
  const current = standing.filter(
    (key) => keyStatus(key, services.clock.now()) !== 'expired' && !(isSuccessorMeant && key.retiringAt !== null),
  );
  // Only where nothing is left does a revoked key answer: revoking twice changes nothing.
  const candidates = [current, standing, matches.slice(-1)].find((keys) => keys.length > 0) ?? [];
  const [found, ...others] = candidates;
  if (found === undefined)
    throw new GatewayError('not_found', { message: 'There is no key of this id, label or name.' });
  if (others.length > 0) {
    const ids = candidates.map((key) => key.id);
    throw new GatewayError('conflict', {
      message: `Several keys match; use one of these ids: ${ids.join(', ')}.`,
      facts: { ids },
    });
  }
  return found;
}

async function describe(services: Services, key: Key, predecessors: PredecessorsTold) {
  return {
    data: describeKey(services, key, await services.projects()),
    predecessors: predecessors.describe(services.keys.scopes, services.clock.now()),
  };
}

function noKey(): GatewayError {
  return new GatewayError('not_found', { message: 'There is no such key any more.' });
}

function describeKey({ bank, clock, scopes }: Services, key: Key, projects: readonly Project[]) {
  const project = projects.find((each) => each.id === key.projectId);
  return {
    id: key.id,
    root_id: key.rootId,
    label: key.label,
    name: key.name,
    kind: key.kind,
    status: statusOf(key, project, clock.now()),
    disabled: key.disabled,
    project: { id: key.projectId, name: project?.name ?? null },
    account: { id: key.accountId, name: scopes.accounts().find(({ id }) => id === key.accountId)?.name ?? null },
    created_at: isoTime(key.createdAt),
    created_by: key.createdBy,
    expires_at: isoTime(key.expiresAt),
    retiring_at: isoTime(key.retiringAt),
    revoked_at: isoTime(key.revokedAt),
    /** By this key and those it was rotated from. */
    spent: usdLiteral(bank.spent('key', key.rootId, 'total')),
    limits: describeLimits(key.limits),
    permissions: describePermissions(key.permissions),
  };
}
