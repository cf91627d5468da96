/** The second factor: an authenticator's codes, each valid once, and recovery codes in case it is lost. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { Transactions } from '../../core/transactions.ts';
import type { Attempts, Source } from '../attempts.ts';
import { checkPassword } from '../check-password.ts';
import type { Devices } from '../devices.ts';
import type { Passwords } from '../password.ts';
import type { User, UserStore } from '../ports.ts';
import { personalChange, type Visitor } from '../visitor.ts';
import { base32 } from './base32.ts';
import { newRecoveryCodes, recoveryDigest } from './recovery-codes.ts';
import { isSixDigits, matchingStep, totpUri } from './totp.ts';

const SECRET_BYTES = 20;

export interface SecondFactorParts {
  readonly users: Pick<UserStore, 'user' | 'updateUser' | 'takeTotpStep' | 'takeRecoveryCode'>;
  readonly seal: Sealer;
  readonly clock: Clock;
  readonly attempts: Attempts;
  readonly passwords: Passwords;
  readonly devices: Devices;
  readonly transactions: Transactions;
}

export class SecondFactor {
  readonly #parts: SecondFactorParts;

  constructor(parts: SecondFactorParts) {
    this.#parts = parts;
  }

  /**
   * Creates a secret, which becomes active when `confirm` receives one of its codes. Throws `invalid_value` for a wrong password and
   * `conflict` if there is already a second factor.
   */
  async start(visitor: Visitor, user: User, password: string): Promise<{ secret: string; uri: string }> {
    await checkPassword(this.#parts, visitor, user, { password, param: 'password' });
    const { users, seal, transactions } = this.#parts;
    const secret = randomBytes(SECRET_BYTES);
    await transactions.run(async () => {
      await visitor.checkStill();
      const current = await users.user(user.id);
      if (current === null || current.totpConfirmedAt !== null)
        throw new GatewayError('conflict', {
          message: 'Two-factor authentication is already set up; remove it first.',
        });
      const totpSecret = seal.seal(secret, sealedAs(user));
      await users.updateUser(user.id, { totpSecret, totpLastStep: null, recoveryCodes: [] });
    });
    return { secret: base32(secret), uri: totpUri(secret, user.email) };
  }

  /** Returns the recovery codes, shown once. Throws `invalid_value` for a wrong code, `conflict` if nothing was started. */
  async confirm(visitor: Visitor, user: User, code: string): Promise<readonly string[]> {
    const attempt = await this.#parts.attempts.begin('code', user.email, this.#sourceOf(visitor, user));
    const { users, transactions, clock } = this.#parts;
    const made = newRecoveryCodes();
    await transactions.run(async () => {
      await visitor.checkStill();
      const current = await users.user(user.id);
      if (current === null || current.totpSecret === null || current.totpConfirmedAt !== null)
        throw new GatewayError('conflict', { message: 'There is no authenticator to confirm.' });
      if (!(await this.#takeTotp(current, bare(code)))) throw wrongCode();
      await users.updateUser(user.id, { totpConfirmedAt: clock.now(), recoveryCodes: made.digests });
      await visitor.audit(personalChange(user, 'user.totp_on', { totp: true }));
    });
    await attempt.succeeded();
    return made.codes;
  }

  /** Throws `invalid_value` for a wrong password or code, `conflict` if there is no second factor. */
  async remove(visitor: Visitor, user: User, given: { password: string; code: string }): Promise<void> {
    checkHasOne(user);
    await checkPassword(this.#parts, visitor, user, { password: given.password, param: 'password' });
    if (!(await this.take(visitor, user, given.code))) throw wrongCode();
    const { users, transactions } = this.#parts;
    await transactions.run(async () => {
      await visitor.checkStill();
      await users.updateUser(user.id, NO_SECOND_FACTOR);
      await visitor.audit(personalChange(user, 'user.totp_off', { totp: false }));
    });
  }

  /** Replaces the recovery codes; the new ones are shown once. Throws `invalid_value` and `conflict`. */
  async renewRecoveryCodes(visitor: Visitor, user: User, code: string): Promise<readonly string[]> {
    checkHasOne(user);
    if (!(await this.take(visitor, user, code))) throw wrongCode();
    const made = newRecoveryCodes();
    const { users, transactions } = this.#parts;
    const left = { recovery_codes_left: made.codes.length };
    await transactions.run(async () => {
      await visitor.checkStill();
      await users.updateUser(user.id, { recoveryCodes: made.digests });
      await visitor.audit(personalChange(user, 'user.recovery_codes_renew', left));
    });
    return made.codes;
  }

  /**
   * Whether an authenticator's code or a recovery code is valid; it is then used up. Throws `rate_limit_exceeded`: six-digit codes are also
   * limited over all addresses, and then only a recovery code works.
   */
  async take(visitor: Visitor, user: User, code: string): Promise<boolean> {
    const { attempts } = this.#parts;
    const given = bare(code);
    const tries = [await attempts.begin('code', user.email, this.#sourceOf(visitor, user))];
    if (isSixDigits(given)) tries.push(await attempts.beginSixDigits(user.email));
    const isGood = isSixDigits(given)
      ? await this.#takeTotp(user, given)
      : await this.#parts.users.takeRecoveryCode(user.id, recoveryDigest(code));
    if (isGood) for (const attempt of tries) await attempt.succeeded();
    return isGood;
  }

  #sourceOf({ ip, deviceToken }: Visitor, { email }: User): Source {
    return { address: ip, device: this.#parts.devices.find(deviceToken, email) };
  }

  async #takeTotp(user: User, code: string): Promise<boolean> {
    const { users, seal, clock } = this.#parts;
    if (user.totpSecret === null) return false;
    const step = matchingStep(seal.open(user.totpSecret, sealedAs(user)), code, clock.now());
    return step !== null && (await users.takeTotpStep(user.id, step));
  }
}

/** The fields of a person without a second factor. */
export const NO_SECOND_FACTOR = {
  totpSecret: null,
  totpConfirmedAt: null,
  totpLastStep: null,
  recoveryCodes: [],
} as const;

/** The same name that the storage uses when it re-encrypts secrets. */
function sealedAs(user: User): string {
  return `totp:${user.id}`;
}

/** Authenticators show `123 456`. */
function bare(code: string): string {
  return code.replace(/\s/g, '');
}

function checkHasOne(user: User): void {
  if (user.totpConfirmedAt === null)
    throw new GatewayError('conflict', { message: 'Two-factor authentication is not set up.' });
}

function wrongCode(): GatewayError {
  return new GatewayError('invalid_value', {
    message: 'The code is incorrect or was already used; wait for the next one.',
    param: 'code',
  });
}
