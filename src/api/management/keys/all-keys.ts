/** Lists the keys of all accounts for commands, which name a key by id, label or name. */
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Key } from '../../../accounts/keys.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import type { keyRoutes } from '../../contract/keys.ts';
import type { Handler } from '../door/handler.ts';
import type { KeyOut } from './describe-key.ts';
import { pageOfKeys, readKeysCursor } from './list-keys.ts';

export interface AllKeys {
  readonly keys: Pick<KeyRegistry, 'newestFirst' | 'withLists'>;
  readonly scopes: Pick<ScopeMirror, 'account'>;
}

export function listAllKeys(
  { keys: registry, scopes }: AllKeys,
  describeAll: (keys: readonly Key[]) => Promise<readonly KeyOut[]>,
): Handler<typeof keyRoutes.listAllKeys> {
  return async (_context, { query: { reference, include_revoked, cursor, limit } }) => {
    const matches = (key: Key) =>
      (include_revoked === 'true' || key.revokedAt === null) && (reference === undefined || isCalled(key, reference));
    const before = readKeysCursor(cursor);
    const { keys, hasMore } = await pageOfKeys(registry.newestFirst(), { matches, before, offset: 0, limit });
    const described = await describeAll(await registry.withLists(keys));
    const data = described.map((key, index) => {
      const { id, name } = scopes.account((keys[index] as Key).accountId);
      return { ...key, account: { id, name } };
    });
    return { data, next_cursor: hasMore ? String(keys.at(-1)?.id) : null };
  };
}

function isCalled(key: Key, reference: string): boolean {
  return String(key.id) === reference || key.label === reference || key.name === reference;
}
