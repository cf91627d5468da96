/** A key as commands print it, and the key that a command names. */
import type { CommandContext } from '../command.ts';
import { CommandFailed } from '../command-errors.ts';
import { readPages } from '../read-pages.ts';
import type { Named } from './find-account.ts';
import type { LimitRow, PermissionRow } from './limit-flags.ts';

/** As the management API gives one; money is decimal digits. */
export interface ManagedKey {
  readonly id: number;
  readonly root_id: number;
  readonly label: string;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly disabled: boolean;
  readonly project: Named;
  readonly created_at: string;
  readonly creator_user_id: string | null;
  readonly expires_at: string | null;
  readonly retiring_at: string | null;
  readonly revoked_at: string | null;
  readonly usage: string;
  readonly limits: LimitRow;
  readonly permissions: PermissionRow;
}

export interface FoundKey extends ManagedKey {
  readonly account: Named;
}

export type KeyRow = ReturnType<typeof keyRow>;

export function keyRow(key: ManagedKey, account: Named) {
  return {
    id: key.id,
    root_id: key.root_id,
    label: key.label,
    name: key.name,
    kind: key.kind,
    status: key.status,
    disabled: key.disabled,
    project: key.project,
    account: { id: account.id, name: account.name },
    created_at: key.created_at,
    created_by: key.creator_user_id,
    expires_at: key.expires_at,
    retiring_at: key.retiring_at,
    revoked_at: key.revoked_at,
    /** By this key and those it was rotated from. */
    spent: key.usage,
    limits: key.limits,
    permissions: key.permissions,
  };
}

/**
 * By id, label or name, in any account. More than one match is refused: revoking the wrong key cannot be undone. A rotated key and
 * its successor have one name: the successor is meant, where `isSuccessorMeant` says so. Throws `CommandFailed`.
 */
export async function findKey(context: CommandContext, isSuccessorMeant: boolean): Promise<FoundKey> {
  const [reference = ''] = context.parameters;
  const matches = await keysCalled(context, reference, true);
  const standing = matches.filter((key) => key.revoked_at === null);
  const current = standing.filter((key) => key.status !== 'expired' && !(isSuccessorMeant && key.retiring_at !== null));
  // Only where nothing is left does a revoked key answer: revoking twice changes nothing.
  const candidates = [current, standing, matches.slice(-1)].find((keys) => keys.length > 0) ?? [];
  const [found, ...others] = candidates;
  if (found === undefined) throw new CommandFailed('There is no key of this id, label or name.');
  if (others.length > 0)
    throw new CommandFailed(`Several keys match; use one of these ids: ${candidates.map(({ id }) => id).join(', ')}.`);
  return found;
}

/** Ids of the other keys that its name stands for, so that commands need its id. */
export async function namesakes(context: CommandContext, { id, name }: Named): Promise<readonly number[]> {
  const keys = await keysCalled(context, name, false);
  return keys
    .filter((key) => key.name === name && key.id !== id && key.retiring_at === null && key.status !== 'expired')
    .map((key) => key.id);
}

/** Oldest first. */
async function keysCalled(
  context: CommandContext,
  reference: string,
  includeRevoked: boolean,
): Promise<readonly FoundKey[]> {
  const query = { reference, include_revoked: String(includeRevoked) };
  return (await readPages<FoundKey>(await context.control(), '/control/api/all/keys', query)).toReversed();
}
