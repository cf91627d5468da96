/** Finds the key that a command names by id, label or name. */
import type { CommandContext } from '../../command.ts';
import { CommandFailed } from '../../command-errors.ts';
import { withQuery } from '../../control-client.ts';
import { readPages } from '../../read-pages.ts';
import type { Named } from '../accounts/find-account.ts';
import type { FoundKey } from './key-row.ts';

export const KEY_REFERENCE = { parameters: '<id|label|name>', parameterCount: { min: 1, max: 1 } } as const;

/**
 * By id, label or name, in any account. More than one match is refused: revoking the wrong key cannot be undone. A rotated key and its
 * successor have the same name: with `isSuccessorMeant` the successor is chosen. Throws `CommandFailed`.
 */
export function findKey(context: CommandContext, isSuccessorMeant: boolean): Promise<FoundKey> {
  return findKeyCalled(context, context.parameters[0] ?? '', isSuccessorMeant);
}

/** The same for a key that is named elsewhere, such as in a flag. */
export async function findKeyCalled(
  context: CommandContext,
  reference: string,
  isSuccessorMeant: boolean,
): Promise<FoundKey> {
  const matches = await keysCalled(context, reference, true);
  const unrevoked = matches.filter((key) => key.revoked_at === null);
  const current = unrevoked.filter(
    (key) => key.status !== 'expired' && !(isSuccessorMeant && key.retiring_at !== null),
  );
  // A revoked key is found only if no other matches: revoking twice changes nothing.
  const candidates = [current, unrevoked, matches.slice(-1)].find((keys) => keys.length > 0) ?? [];
  const [found, ...others] = candidates;
  if (found === undefined) throw new CommandFailed('No key has this id, label or name.');
  if (others.length > 0)
    throw new CommandFailed(`Several keys match; use one of these ids: ${candidates.map(({ id }) => id).join(', ')}.`);
  return found;
}

/** Ids of other keys with the same name, which commands then cannot use. */
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

/** The path of a key in the management API. */
export function keyPath(
  { id, account }: FoundKey,
  below = '',
  query: Readonly<Record<string, string | null>> = {},
): string {
  return withQuery(`/control/api/keys/${id}${below}`, { account: String(account.id), ...query });
}
