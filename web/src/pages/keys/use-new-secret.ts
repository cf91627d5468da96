import { useAccount, useSession } from '../../api/session.ts';
import type { Key } from '../../api/types.ts';
import { rememberKey } from '../connect/fresh-key.ts';

/** Keeps a new secret in memory for the snippets of this page; not for management keys. */
export function useNewSecret(): (key: Key, secret: string) => void {
  const { user } = useSession();
  const account = useAccount();
  return (key, secret) => {
    if (account === null || key.kind !== 'inference') return;
    rememberKey({ id: key.id, name: key.name, secret, userId: user.id, accountId: account.id });
  };
}
