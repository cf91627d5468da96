/**
 * Passwords: stored as Argon2id in PHC form, checked for strength when they are chosen. Each hash takes memory and a thread of the pool
 * that also does DNS lookups and file reads, so few run concurrently and a bounded number waits (`hash-turns.ts`).
 */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { GatewayError } from '../core/errors.ts';
import { type Hasher, HashTurns } from './hash-turns.ts';
import { passwordFault } from './weak-passwords.ts';

export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

/**
 * OWASP's minimum for Argon2id, 70 ms on one core. More would take CPU from calls on the same two cores, and 12 characters are already
 * infeasible to crack from stolen hashes. A higher cost applies to each person from their next sign-in.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
export const PASSWORD_COST: PasswordCost = { memoryKib: 19 * 1024, passes: 2, lanes: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`: https://github.com/P-H-C/phc-string-format */
const PHC = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

export interface Verdict {
  readonly isCorrect: boolean;
  /** Whether the hash has another cost than the current one and should be replaced. */
  readonly isOutdated: boolean;
}

export type DeriveHash = (parameters: Argon2Parameters) => Promise<Buffer>;

const deriveArgon2id: DeriveHash = (parameters) => promisify(argon2)('argon2id', parameters);

export class Passwords {
  readonly #cost: PasswordCost;
  readonly #derive: DeriveHash;
  readonly #turns = new HashTurns();
  /** Verified if a person has no hash: it takes as long, and fails. */
  readonly #nobody: string;

  /** Tests use another cost, and may count the calls of `derive`. */
  constructor(cost: PasswordCost = PASSWORD_COST, derive: DeriveHash = deriveArgon2id) {
    this.#cost = cost;
    this.#derive = derive;
    this.#nobody = phc(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  }

  /**
   * The PHC string of a new password. Throws `invalid_value` for one that is too short, well known, or the person's own address or name,
   * and `shedding` if too many wait.
   */
  async hash(
    password: string,
    person: { readonly email: string; readonly name: string },
    hasher: Hasher,
  ): Promise<string> {
    const fault = passwordFault(password, person);
    if (fault !== null) throw new GatewayError('invalid_value', { message: fault, param: 'password' });
    return this.rehash(password, hasher);
  }

  /** The PHC string of a password that is already in use. Throws `shedding` if too many wait. */
  async rehash(password: string, hasher: Hasher): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return phc(
      this.#cost,
      salt,
      await this.#hashOf(password, hasher, { cost: this.#cost, salt, tagLength: HASH_BYTES }),
    );
  }

  /** Takes as long for an unknown person (null) as for a known one. Throws `shedding` if too many wait. */
  async verify(password: string, hash: string | null, hasher: Hasher): Promise<Verdict> {
    const [, memory, passes, lanes, salt = '', expected = ''] = PHC.exec(hash ?? this.#nobody) ?? [];
    const cost = { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) };
    const expectedBytes = Buffer.from(expected, 'base64');
    // An invalid hash in the database must be noticed, and not be taken for a wrong password.
    if (expectedBytes.length === 0) throw new Error('a stored password hash cannot be read');
    const shape = { cost, salt: Buffer.from(salt, 'base64'), tagLength: expectedBytes.length };
    const actual = await this.#hashOf(password, hasher, shape);
    const isCorrect = timingSafeEqual(actual, expectedBytes) && hash !== null;
    return { isCorrect: isCorrect, isOutdated: !isSame(cost, this.#cost) };
  }

  #hashOf(
    password: string,
    hasher: Hasher,
    { cost, salt, tagLength }: { readonly cost: PasswordCost; readonly salt: Buffer; readonly tagLength: number },
  ): Promise<Buffer> {
    return this.#turns.run(hasher, () =>
      this.#derive({
        // The same characters typed on two systems may be two sequences: https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver
        message: Buffer.from(password.normalize('NFKC')),
        nonce: salt,
        parallelism: cost.lanes,
        tagLength,
        memory: cost.memoryKib,
        passes: cost.passes,
      }),
    );
  }
}

function isSame(a: PasswordCost, b: PasswordCost): boolean {
  return a.memoryKib === b.memoryKib && a.passes === b.passes && a.lanes === b.lanes;
}

function phc({ memoryKib, passes, lanes }: PasswordCost, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
