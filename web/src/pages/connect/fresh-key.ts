/**
 * The key that was made last on this page, with its secret, so that snippets can show it. It is kept in memory only:
 * a reload forgets it, and it is shown to nobody but who made it, in the account it is of.
 */
import { useSyncExternalStore } from 'react';
import { useAccount, useSession } from '../../api/session.ts';

export interface FreshKey {
  readonly id: number;
  readonly name: string;
  readonly secret: string;
  readonly userId: number;
  readonly accountId: number;
}

let fresh: FreshKey | null = null;
const listeners = new Set<() => void>();

export function rememberKey(key: FreshKey): void {
  fresh = key;
  tell();
}

/** When the key is revoked; another key's id changes nothing. */
export function forgetKey(id: number): void {
  if (fresh?.id !== id) return;
  fresh = null;
  tell();
}

export function useFreshKey(): FreshKey | null {
  const { user } = useSession();
  const account = useAccount();
  const key = useSyncExternalStore(subscribe, read);
  return key !== null && key.userId === user.id && key.accountId === account?.id ? key : null;
}

function tell(): void {
  for (const listener of listeners) listener();
}

function read(): FreshKey | null {
  return fresh;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
