/** The key that a command names by its id, its label or its name. */
import type { CommandContext } from '../../command.ts';
import { CommandFailed } from '../../command-errors.ts';
import { withQuery } from '../../control-client.ts';
import { readPages } from '../../read-pages.ts';
import type { Named } from '../accounts/find-account.ts';
import type { FoundKey } from './key-row.ts';

export const KEY_REFERENCE = { parameters: '<id|label|name>', parameterCount: { min: 1, max: 1 } } as const;

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
  if (found === undefined) throw new CommandFailed('No key has this id, label or name.');
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

/** Where the management API has a key. */
export function keyPath(
  { id, account }: FoundKey,
  below = '',
  query: Readonly<Record<string, string | null>> = {},
): string {
  return withQuery(`/control/api/keys/${id}${below}`, { account: String(account.id), ...query });
}
