/**
 * How often a person may be tried. Failures wait longer and longer, for a person at an address: whoever guesses from
 * elsewhere does not keep the owner out. An address alone has a rate over everybody, and so has a person's six-digit
 * code over all addresses, because a million codes are few. All of it is forgotten by a restart, and bounded.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { networkOf } from '../core/network.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Failures before the first wait. */
const FREE = 5;
const FIRST_WAIT_MS = 2_000;
const WAIT_MAX_MS = 15 * 60_000;
/** An hour without a try, and nothing is held against anybody. */
const FORGOTTEN_MS = 60 * 60_000;
const REMEMBERED_MAX = 10_000;

const ADDRESS_RATE = { burst: 30, everyMs: 10_000 };
const MAIL_ADDRESS_RATE = { burst: 10, everyMs: 60_000 };
/** To one mailbox, whoever asks. */
const MAIL_RATE = { burst: 3, everyMs: 15 * 60_000 };
/** Three codes of a million are good at any time: this rate finds one in ten years. */
const CODE_RATE = { burst: 20, everyMs: 15 * 60_000 };

export interface Attempt {
  /** The try was good: nothing of it is held against anybody. */
  succeeded(): void;
}

/** Where a try comes from. */
export interface Source {
  readonly address: string | null;
  /** The id of a browser in which this very person signed in before; null for others. */
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
  /** By kind, person and network; the latest to be tried stands last. */
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#addresses = new TokenBuckets(ADDRESS_RATE, clock);
    this.#mailAddresses = new TokenBuckets(MAIL_ADDRESS_RATE, clock);
    this.#mails = new TokenBuckets(MAIL_RATE, clock);
    this.#codes = new TokenBuckets(CODE_RATE, clock);
  }

  /** How many persons at an address have failures that are remembered. */
  get size(): number {
    return this.#failures.size;
  }

  /**
   * Counts a try with a password or a code as failed until it is told to have succeeded, so that tries at once are
   * counted too. A browser in which the person signed in before counts apart from its address. Throws `rate_limit_exceeded`;
   * what is refused is not counted.
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

  /** The rate of six-digit codes of one person, from all addresses; recovery codes are too long to be guessed. */
  beginSixDigits(person: string): Attempt {
    refuse(this.#codes.take(person));
    return { succeeded: () => this.#codes.giveBack(person) };
  }

  /** A link's token cannot be guessed; what is limited is the work. Throws `rate_limit_exceeded`. */
  beginLink(address: string | null): Attempt {
    const network = networkOfVisitor(address);
    refuse(this.#addresses.take(network));
    return { succeeded: () => this.#addresses.giveBack(network) };
  }

  /** For what ends in a mail. Throws `rate_limit_exceeded` when the address has asked too often. */
  beginMail(address: string | null): void {
    refuse(this.#mailAddresses.take(networkOfVisitor(address)));
  }

  /**
   * Whether this mailbox may be written to once more; the caller's answer does not tell. Each kind has its own rate, so
   * that notes about sign-ups, which anybody can cause, do not use up the links of who forgot a password.
   */
  mayMail(kind: 'sign-up' | 'password', email: string): boolean {
    return this.#mails.take(`${kind}|${email}`) === 0;
  }

  /** Takes one try; how many ms are missing for it, or 0. */
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
    message: 'Too many tries; wait before the next one.',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
