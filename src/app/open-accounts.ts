/** Opens accounts, projects and keys: their mirror in memory, and the registries that change them. */

import type { KeyMirror } from '../accounts/key-mirror.ts';
import { KeyRegistry } from '../accounts/key-registry.ts';
import { openMirror } from '../accounts/open-mirror.ts';
import { ScopeRegistry } from '../accounts/scope-registry.ts';
import { Pepper } from '../accounts/secret/pepper.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Storage } from '../storage/storage.ts';

export interface Accounts {
  readonly mirror: KeyMirror;
  readonly keys: KeyRegistry;
  readonly scopes: ScopeRegistry;
  /** Publishes their changes on commit. */
  readonly feed: Storage['feed'];
}

export async function openAccounts({ limits }: Config, storage: Storage, clock: Clock): Promise<Accounts> {
  const { accounts: store, transactions, feed } = storage;
  const pepper = new Pepper(storage.secrets.pepper);
  const mirror = await openMirror({ store, feed }, pepper, clock.now());
  return {
    mirror,
    feed,
    keys: new KeyRegistry({ store, transactions, mirror, pepper, clock, keysMax: limits.keysPerAccountMax }),
    scopes: new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock }),
  };
}
