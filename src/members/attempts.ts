/**
 * Limits attempts to sign in. After failures the wait grows, per person and address: guesses from another address do not block the owner.
 * Each address also has a rate over all people, and a person's six-digit codes have a rate over all addresses, because a million codes are
 * few. Everything is bounded, and forgotten by a restart.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { networkOf } from '../core/network.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Failures before the first wait. */
const FREE = 5;
const FIRST_WAIT_MS = 2_000;
const WAIT_MAX_MS = 15 * 60_000;
/** Failures are forgotten after an hour without an attempt. */
const FORGOTTEN_MS = 60 * 60_000;
const REMEMBERED_MAX = 10_000;

const ADDRESS_RATE = { burst: 30, everyMs: 10_000 };
const MAIL_ADDRESS_RATE = { burst: 10, everyMs: 60_000 };
/** To one mailbox, whoever requests them. */
const MAIL_RATE = { burst: 3, everyMs: 15 * 60_000 };
/** Three codes in a million are valid at any time: at this rate, guessing one takes ten years. */
const CODE_RATE = { burst: 20, everyMs: 15 * 60_000 };

export interface Attempt {
  /** The attempt was successful and does not count as a failure. */
  succeeded(): void;
}

/** Where an attempt comes from. */
export interface Source {
  readonly address: string | null;
  /** The id of a browser in which the same person signed in before; otherwise null. */
  readonly device: string | null;
}

interface Failures {
  count: number;
  /** Monotonic ms. */
  lastAt: number;
  nextAt: number;
}

export class Attempts {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #addresses: TokenBuckets;
  readonly #mailAddresses: TokenBuckets;
  readonly #mails: TokenBuckets;
  readonly #codes: TokenBuckets;
  /** By kind, person and network; the most recent attempt is last. */
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#addresses = new TokenBuckets(ADDRESS_RATE, clock);
    this.#mailAddresses = new TokenBuckets(MAIL_ADDRESS_RATE, clock);
    this.#mails = new TokenBuckets(MAIL_RATE, clock);
    this.#codes = new TokenBuckets(CODE_RATE, clock);
  }

  /** Number of remembered pairs of person and address. */
  get size(): number {
    return this.#failures.size;
  }

  /**
   * Counts an attempt with a password or a code as failed until `succeeded` is called, so that concurrent attempts count too. A browser in
   * which the person signed in before counts separately from its address. Throws `rate_limit_exceeded`; refused attempts are not counted.
   */
  begin(kind: 'password' | 'code', person: string, { address, device }: Source): Attempt {
    const network = device === null ? networkOfVisitor(address) : `device ${device}`;
    refuse(this.#addresses.take(network));
    const key = `${kind}|${person}|${network}`;
    const waitMs = this.#count(key);
    if (waitMs > 0) this.#addresses.giveBack(network);
    refuse(waitMs);
    return {
      succeeded: () => {
        this.#addresses.giveBack(network);
        this.#failures.delete(key);
      },
    };
  }

  /** The rate for six-digit codes of one person, from all addresses; recovery codes are too long to be guessed. */
  beginSixDigits(person: string): Attempt {
    refuse(this.#codes.take(person));
    return { succeeded: () => this.#codes.giveBack(person) };
  }

  /** A link's token cannot be guessed; this limits the work. Throws `rate_limit_exceeded`. */
  beginLink(address: string | null): Attempt {
    const network = networkOfVisitor(address);
    refuse(this.#addresses.take(network));
    return { succeeded: () => this.#addresses.giveBack(network) };
  }

  /** For requests that send an email. Throws `rate_limit_exceeded` if the address has made too many. */
  beginMail(address: string | null): void {
    refuse(this.#mailAddresses.take(networkOfVisitor(address)));
  }

  /**
   * Whether this mailbox may get another email; the answer to the caller must not depend on it. Each kind has its own rate, so that sign-up
   * emails, which anybody can trigger, do not block password resets.
   */
  mayMail(kind: 'sign-up' | 'password', email: string): boolean {
    return this.#mails.take(`${kind}|${email}`) === 0;
  }

  /** Counts one attempt. Returns the ms to wait first, or 0. */
  #count(key: string): number {
    const nowMs = this.#clock.monotonic();
    const before = this.#failures.get(key);
    if (before !== undefined && nowMs < before.nextAt) return before.nextAt - nowMs;
    const known = before !== undefined && nowMs - before.lastAt < FORGOTTEN_MS ? before.count : 0;
    const count = known + 1;
    this.#failures.delete(key);
    this.#failures.set(key, { count, lastAt: nowMs, nextAt: nowMs + waitAfter(count) });
    if (this.#failures.size > REMEMBERED_MAX) {
      const oldest = this.#failures.keys().next();
      if (oldest.done !== true) this.#failures.delete(oldest.value);
    }
    return 0;
  }
}

function waitAfter(failures: number): number {
  if (failures < FREE) return 0;
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - FREE, 20), WAIT_MAX_MS);
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
