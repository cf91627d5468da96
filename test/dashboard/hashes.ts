/** Argon2id at its lowest cost: a test creates many people, and is not about how long a guess takes. */
import crypto, { type Argon2Algorithm, type Argon2Parameters } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, hash: Buffer) => void;

/** How many hashes were computed so far. */
export const hashes = { count: 0 };

const original = crypto.argon2;

/** For the whole process. Stored hashes still state the full cost, so that nothing is rehashed. */
export function hashCheaply(): void {
  const cheap = (algorithm: Argon2Algorithm, parameters: Argon2Parameters, done: Done) => {
    hashes.count += 1;
    original(algorithm, { ...parameters, memory: 8, passes: 1 }, done as never);
  };
  Object.assign(crypto, { argon2: cheap });
  syncBuiltinESMExports();
}
