/**
 * Limits attempts to sign in. After failures the wait grows, per person and address: guesses from another address do not block the owner.
 * Each address also has a rate over all people, and a person's six-digit codes have a rate over all addresses, because a million codes are
 * few. Everything is bounded.
 */
import { GatewayError } from '../core/errors.ts';
import { networkOf } from '../core/network.ts';
import type { AttemptCounts, AttemptRate, FailureRule } from './attempt-counts.ts';

const FAILURES: FailureRule = { free: 5, firstWaitMs: 2_000, waitMaxMs: 15 * 60_000, forgottenMs: 60 * 60_000 };

const ADDRESS_RATE: AttemptRate = { kind: 'address', burst: 30, everyMs: 10_000 };
const MAIL_ADDRESS_RATE: AttemptRate = { kind: 'mail_address', burst: 10, everyMs: 60_000 };
/** To one mailbox, whoever requests them. */
const MAIL_RATE: AttemptRate = { kind: 'mail', burst: 3, everyMs: 15 * 60_000 };
/** Three codes in a million are valid at any time: at this rate, guessing one takes ten years. */
const CODE_RATE: AttemptRate = { kind: 'code', burst: 20, everyMs: 15 * 60_000 };

export interface Attempt {
  /** The attempt was successful and does not count as a failure. */
  succeeded(): Promise<void>;
}

/** Where an attempt comes from. */
export interface Source {
  readonly address: string | null;
  /** The id of a browser in which the same person signed in before; otherwise null. */
  readonly device: string | null;
}

export class Attempts {
  readonly #counts: AttemptCounts;

  constructor(counts: AttemptCounts) {
    this.#counts = counts;
  }

  /**
   * Counts an attempt with a password or a code as failed until `succeeded` is called, so that concurrent attempts count too. A browser in
   * which the person signed in before counts separately from its address. Rejects with `rate_limit_exceeded`; refused attempts are not
   * counted.
   */
  async begin(kind: 'password' | 'code', person: string, { address, device }: Source): Promise<Attempt> {
    const network = device === null ? networkOfVisitor(address) : `device ${device}`;
    const ofNetwork = await this.#take(ADDRESS_RATE, network);
    const subject = `${kind}|${person}|${network}`;
    const waitMs = await this.#counts.count(FAILURES, subject);
    if (waitMs > 0) await ofNetwork.succeeded();
    refuse(waitMs);
    return {
      succeeded: async () => {
        await ofNetwork.succeeded();
        await this.#counts.forget(subject);
      },
    };
  }

  /** The rate for six-digit codes of one person, from all addresses; recovery codes are too long to be guessed. */
  beginSixDigits(person: string): Promise<Attempt> {
    return this.#take(CODE_RATE, person);
  }

  /** A link's token cannot be guessed; this limits the work. Rejects with `rate_limit_exceeded`. */
  beginLink(address: string | null): Promise<Attempt> {
    return this.#take(ADDRESS_RATE, networkOfVisitor(address));
  }

  /** For requests that send an email. Rejects with `rate_limit_exceeded` if the address has made too many. */
  async beginMail(address: string | null): Promise<void> {
    await this.#take(MAIL_ADDRESS_RATE, networkOfVisitor(address));
  }

  /**
   * Whether this mailbox may get another email; the answer to the caller must not depend on it. Each kind has its own rate, so that sign-up
   * emails, which anybody can trigger, do not block password resets.
   */
  async mayMail(kind: 'sign-up' | 'password', email: string): Promise<boolean> {
    return (await this.#counts.take(MAIL_RATE, `${kind}|${email}`)) === 0;
  }

  async #take(rate: AttemptRate, name: string): Promise<Attempt> {
    refuse(await this.#counts.take(rate, name));
    return { succeeded: () => this.#counts.giveBack(rate, name) };
  }
}

function networkOfVisitor(address: string | null): string {
  return address === null ? '' : networkOf(address);
}

function refuse(waitMs: number): void {
  if (waitMs === 0) return;
  throw new GatewayError('rate_limit_exceeded', {
    message: 'Too many attempts; wait before you try again.',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
