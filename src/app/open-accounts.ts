/** Accounts, projects and keys: their mirror in memory, and how they change. */

import type { KeyMirror } from '../accounts/key-mirror.ts';
import { KeyRegistry, type KeyTopics } from '../accounts/key-registry.ts';
import { openMirror } from '../accounts/open-mirror.ts';
import { Pepper } from '../accounts/pepper.ts';
import { ScopeRegistry } from '../accounts/scope-registry.ts';
import type { Config } from '../config/config.ts';
import { Bus } from '../core/bus.ts';
import type { Clock } from '../core/clock.ts';
import type { Storage } from '../storage/storage.ts';

export interface Accounts {
  readonly mirror: KeyMirror;
  readonly keys: KeyRegistry;
  readonly scopes: ScopeRegistry;
  readonly news: Bus<KeyTopics>;
}

export async function openAccounts({ limits }: Config, storage: Storage, clock: Clock): Promise<Accounts> {
  const store = storage.accounts;
  const pepper = new Pepper(storage.secrets.pepper);
  const mirror = await openMirror(store, pepper, clock.now());
  const news = new Bus<KeyTopics>();
  return {
    mirror,
    news,
    keys: new KeyRegistry({ store, mirror, pepper, bus: news, clock, keysMax: limits.keysPerAccountMax }),
    scopes: new ScopeRegistry({ store, mirror: mirror.scopes, clock }),
  };
}
