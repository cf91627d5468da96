/**
 * Bounds on what tenants keep in memory. Permission lists are in the mirror that every call reads, so they are bounded per key, project and
 * account, and keys are bounded per account.
 */
import { GatewayError } from '../core/errors.ts';
import type { KeyCounts } from './key-counts.ts';
import { listsOf, type Permissions, permissionsLength } from './limits.ts';
import { LIST_MAX, PERMISSIONS_LENGTH_MAX } from './list-bounds.ts';

/** Total characters in the lists of all keys of an account. */
export const ACCOUNT_PERMISSIONS_LENGTH_MAX = 4_194_304;
/** Projects of an account, archived ones included. */
export const PROJECTS_MAX = 1_000;
/** Keys of an account that are neither revoked nor rotated, unless configured otherwise. */
export const KEYS_MAX = 10_000;
/** Revoked or rotated keys allowed for each of those: reports name them for ever. */
const EARLIER_A_KEY = 10;

/** Returns the permissions, or ones that permit nothing if they exceed the limits: the row may have been written by another program. */
export function boundedPermissions(permissions: Permissions): Permissions {
  const lists = listsOf(permissions);
  if (lists.length === 0) return permissions;
  const isBounded = lists.every((list) => list.length <= LIST_MAX);
  return isBounded && permissionsLength(permissions) <= PERMISSIONS_LENGTH_MAX ? permissions : NOTHING_PERMITTED;
}

const NOTHING_PERMITTED: Permissions = Object.freeze({ operations: [], modelsAllow: [], ips: [] });

/** Throws `GatewayError` `conflict` if the account already has the maximum number of keys. */
export function checkKeyCount(counts: KeyCounts, keysMax: number): void {
  const { live } = counts;
  if (live < keysMax) return checkSuccessorCount(counts, keysMax);
  throw new GatewayError('conflict', {
    message: `This account has ${live} keys, and the limit is ${keysMax} (limits.keysPerAccountMax). Revoke some first.`,
  });
}

/** The same for a key that replaces another one: a leaked key can be rotated while the account is full. */
export function checkSuccessorCount({ keys }: KeyCounts, keysMax: number): void {
  if (keys < keysMax * (1 + EARLIER_A_KEY)) return;
  throw new GatewayError('conflict', {
    message: `This account has ${keys} keys including revoked and rotated ones, which is eleven times limits.keysPerAccountMax. Ask the operator to raise that limit.`,
  });
}

/** Throws `GatewayError` `conflict` if the lists of an account's keys would exceed their limit. */
export function checkListsLength({ listsLength }: KeyCounts, grown: number): void {
  const length = listsLength + grown;
  if (grown <= 0 || length <= ACCOUNT_PERMISSIONS_LENGTH_MAX) return;
  throw new GatewayError('conflict', {
    message: `The model and address lists of this account's keys would have ${length} characters in total, and the limit is ${ACCOUNT_PERMISSIONS_LENGTH_MAX}. Revoke keys that are no longer used, including rotated ones, or set the lists on the project or account.`,
  });
}

/** By how many characters the lists of keys that change together grow; negative if they shrink. */
export function growthOf(
  changes: readonly Record<'before' | 'after', { readonly permissions: Permissions }>[],
): number {
  let grown = 0;
  for (const { before, after } of changes)
    grown += permissionsLength(after.permissions) - permissionsLength(before.permissions);
  return grown;
}
