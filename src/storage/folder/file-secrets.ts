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

function checkGiven(secret: Secret | null, where: string): Secret | null {
  return secret === null ? null : checkSecret(secret.reveal(), where);
}

function ringWith(secret: Secret, path: string): readonly RingEntry[] {
  const older = existsSync(path) ? openRingFile(path) : [];
  const active: RingEntry = { secret, retiredAt: null };
  return [active, ...older.filter((entry) => entry.secret.reveal() !== secret.reveal())];
}
