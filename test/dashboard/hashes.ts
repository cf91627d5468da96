/** Argon2id at the least cost it has: a test makes many people, and is not about how long a guess takes. */
import crypto, { type Argon2Algorithm, type Argon2Parameters } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, hash: Buffer) => void;

/** How many there were so far. */
export const hashes = { count: 0 };

const original = crypto.argon2;

/** For the whole process. What is stored still says the full cost, so that nothing is hashed anew. */
export function hashCheaply(): void {
  const cheap = (algorithm: Argon2Algorithm, parameters: Argon2Parameters, done: Done) => {
    hashes.count += 1;
    original(algorithm, { ...parameters, memory: 8, passes: 1 }, done as never);
  };
  Object.assign(crypto, { argon2: cheap });
  syncBuiltinESMExports();
}
