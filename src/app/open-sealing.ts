/** Opens the keys that encrypt secrets in the database, and their rotation. */
import { assert } from '../core/assert.ts';
import type { Clock } from '../core/clock.ts';
import type { Secret } from '../core/secret.ts';
import { KeyKeeper } from '../credentials/key-keeper.ts';
import { KeyRing } from '../credentials/key-ring.ts';
import type { Storage } from '../storage/storage.ts';
import type { Log } from '../telemetry/log.ts';

export interface Sealing {
  readonly ring: KeyRing;
  readonly activeKey: Secret;
  readonly olderKeys: readonly Secret[];
}

export function openSealing({ secrets }: Storage): Sealing {
  const [activeKey, ...olderKeys] = secrets.sealingKeys.map(({ secret }) => secret);
  assert(activeKey !== undefined, 'a ring has an active key');
  return { ring: new KeyRing([activeKey, ...olderKeys]), activeKey, olderKeys };
}

export interface RotationParts {
  readonly storage: Storage;
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly log: Log;
  /** For parts that hold their own copy of the active key. */
  readonly onNewKey: (secret: Secret) => void;
}

/** Resumes an interrupted rotation. */
export async function openRotation({ storage, ring, clock, log, onNewKey }: RotationParts): Promise<KeyKeeper> {
  const { sealingKeys, ringStore } = storage.secrets;
  const keyKeeper = new KeyKeeper({
    ring,
    entries: sealingKeys,
    ringStore,
    store: storage.sealed,
    transactions: storage.transactions,
    headsElsewhere: async () => [...(await storage.captures.heads()), ...(await storage.files.heads())],
    clock,
    onNewKey: (secret) => {
      onNewKey(secret);
      log.info({ activeKey: ring.activeId }, 'sealing_key_rotated');
    },
  });
  await keyKeeper.resume().then(
    ({ unopened }) => {
      if (unopened.length > 0) log.error({ unopened }, 'sealed_values_not_opened');
    },
    // For example a full disk. Sealed values can still be opened, and the next start tries again.
    (error: Error) => log.error({ cause: error.message }, 'sealing_keys_not_resumed'),
  );
  return keyKeeper;
}
