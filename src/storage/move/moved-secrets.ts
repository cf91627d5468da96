/** The secrets of a ledger that moves to PostgreSQL: the keys of its ring become rows there, and what identifies pepper and master key is noted. */
import type { Secret } from '../../core/secret.ts';
import type { RingEntry } from '../../credentials/ports.ts';
import type { MaintenanceConnection } from '../postgres/maintenance/maintenance-connection.ts';
import { digestOf, idOfKey, MasterKey } from '../postgres/secrets/master-key.ts';

export interface MovedSecrets {
  readonly pepper: Secret;
  readonly masterKey: Secret;
  /** The active key first. */
  readonly ring: readonly RingEntry[];
  /** Wall time, ms. */
  readonly nowMs: number;
}

export async function writeSecrets(
  target: MaintenanceConnection,
  { pepper, masterKey, ring, nowMs }: MovedSecrets,
): Promise<void> {
  const master = new MasterKey(masterKey);
  for (const [index, { secret, retiredAt }] of ring.entries()) {
    const id = idOfKey(secret);
    await target.rows('insert into sealing_keys (id, wrapped, created_at, retired_at) values ($1, $2, $3, $4)', [
      id,
      master.wrap(id, secret),
      nowMs - index,
      // Only the first one seals; of an older one the time may not be known.
      index === 0 ? null : (retiredAt ?? nowMs - index),
    ]);
  }
  for (const [name, digest] of [
    ['pepper_digest', digestOf(pepper, 'pepper')],
    ['sealingKey_digest', digestOf(masterKey, 'master key')],
  ])
    await target.rows('insert into facts (name, value) values ($1, $2)', [name, digest]);
}
