/** Stores the secrets of an installation as files in its data folder, readable by their owner only. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Secret } from '../../core/secret.ts';
import type { GivenSecrets, RingEntry, Secrets } from '../../credentials/ports.ts';
import { checkSecret, openRingFile, openSecretFile, ringFileAt } from './secret-file.ts';

export const PEPPER_FILE = 'pepper';
export const RING_FILE = 'sealing.key';

/** Creates them if they do not exist. Throws an error that says what to do if one cannot be used. */
export function openFileSecrets(folder: string, { pepper, sealingKey }: GivenSecrets): Secrets {
  const ringPath = join(folder, RING_FILE);
  const given = checkGiven(sealingKey, 'the given sealing key');
  const sealingKeys = given === null ? openRingFile(ringPath) : ringWith(given, ringPath);
  return {
    pepper: checkGiven(pepper, 'the given pepper') ?? openSecretFile(join(folder, PEPPER_FILE)),
    sealingKeys,
    ringStore: given === null ? ringFileAt(ringPath) : null,
  };
}

/**
 * Why the keys of a ledger in this folder would stop working with this pepper, and what to do; null if they work. Creates nothing.
 */
export function pepperComplaint(folder: string, { pepper }: Pick<GivenSecrets, 'pepper'>): string | null {
  const path = join(folder, PEPPER_FILE);
  if (!existsSync(path))
    return pepper === null
      ? `The keys of this ledger cannot be used without its pepper: there is no file ${path}, and TURNPIKE_PEPPER (pepper) is not set. Bring the file back from a backup, or set TURNPIKE_PEPPER to the value that this installation was served with.`
      : null;
  if (pepper === null || openSecretFile(path).reveal() === pepper.reveal()) return null;
  return `TURNPIKE_PEPPER (pepper) is another one than that in ${path}. The keys of this ledger work with only one of them. Unset TURNPIKE_PEPPER, and the file is used. If this installation was served with TURNPIKE_PEPPER all the time, move the file away instead.`;
}

function checkGiven(secret: Secret | null, where: string): Secret | null {
  return secret === null ? null : checkSecret(secret.reveal(), where);
}

function ringWith(secret: Secret, path: string): readonly RingEntry[] {
  const older = existsSync(path) ? openRingFile(path) : [];
  const active: RingEntry = { secret, retiredAt: null };
  return [active, ...older.filter((entry) => entry.secret.reveal() !== secret.reveal())];
}
