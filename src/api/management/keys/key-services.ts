/** What the handlers of keys work with, and how they describe keys. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Key } from '../../../accounts/keys.ts';
import type { Makers } from '../../../accounts/made-by.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import type { Bank } from '../../../billing/bank.ts';
import { moneyOf, type ScopeMoney } from '../../../billing/money-view.ts';
import type { Clock } from '../../../core/clock.ts';
import type { AccountId } from '../../../core/ids.ts';
import type { Limiter } from '../../../limits/limiter.ts';
import type { MadeInvitation } from '../people/made-invitations.ts';
import { describeKey, type KeyOut } from './describe-key.ts';

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
  /** The names of operations, for permissions: `chat`. */
  readonly operations: readonly string[];
  /** The name of `user:<id>`, `key:<id>` or `operator`; null if it no longer exists. */
  nameOf(actorId: string): Promise<string | null>;
  /** Open invitations of an account that one of these makers created. */
  invitationsBy(account: AccountId, makers: Makers): Promise<MadeInvitation[]>;
}

/** Describes a key, including the lists of a revoked one. */
export async function describeWhole(services: KeyServices, key: Key): Promise<KeyOut> {
  const [whole = key] = await services.keys.withLists([key]);
  return describe(services, whole);
}

export async function describe(services: KeyServices, key: Key): Promise<KeyOut> {
  const money = await moneyOf(services.bank.money, 'key', key.rootId);
  return describeKey(services, key, money, key.createdBy === null ? null : await services.nameOf(key.createdBy));
}

/** Describes keys in slices, so that calls are served in between; each maker's name is looked up once. */
export async function describeAll(services: KeyServices, keys: readonly Key[]): Promise<KeyOut[]> {
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

/** About 0.5 ms of work. */
const SLICE_KEYS = 40;
