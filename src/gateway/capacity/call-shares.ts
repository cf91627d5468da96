/**
 * Who has how many of the running calls. As long as there are places anybody may have as many as they like; the last ones
 * are kept for those who have few. An account may have 32 times as many calls as places are free; for a key that has its equal share of
 * the account this is a little less, and for one that has more it is less by half of the places. So one key alone gets 97 % of
 * the places; accounts that want everything end up with about the same number each, and so do the keys of one, whoever came
 * first; and whoever comes next finds a place. Nobody is asked to give a place back: they are free again when calls end.
 * (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", IEEE/ACM ToN 6(2), 1998.)
 *
 * Calls end and come in bursts, and a burst of those who have few needs more places than that. So each time one of them is refused
 * another place is kept for them, up to an eighth of all, and the others' calls use these up again, slowly.
 */
import type { FullShare } from '../../core/fair-shares.ts';

const OF_FREE_PLACES = 32;
/** With fewer places none is kept for anybody. */
const PLACES_MIN = 16;
/** At most this part of the places is kept for those who have few. */
const KEPT_PART = 1 / 8;
/** How many more are kept after a refusal, and how many fewer after a call of somebody else. */
const MORE_KEPT = 2;
const FEWER_KEPT = 1 / 256;

/** Of an account, or of one of its keys. */
export class CallCounts {
  /** Calls that run now. */
  running = 0;
  /** The number of the window that the next two count in: those of an earlier one mean nothing. */
  window = -1;
  /** Calls that came in the window, admitted or not. */
  offered = 0;
  /** Those of them that were not shed for the load. */
  admitted = 0;

  /** Counts a call that has come. */
  offer(window: number): void {
    if (this.window !== window) {
      this.window = window;
      this.offered = 0;
      this.admitted = 0;
    }
    this.offered += 1;
  }
}

export class AccountShare extends CallCounts {
  /** Its keys that have a running call. */
  activeKeys = 0;
  /** What each of its keys may have admitted in a window while the load is too high. */
  keyLevel = Number.POSITIVE_INFINITY;
}

export class KeyShare extends CallCounts {
  readonly account: AccountShare;

  constructor(account: AccountShare) {
    super();
    this.account = account;
  }

  /** Whether it has less than it would have if one more key of the account came. */
  get isModest(): boolean {
    return this.running * (this.account.activeKeys + 1) <= this.account.running;
  }

  /** Whether it has more than an equal share of the account. */
  get isGreedy(): boolean {
    return this.running * this.account.activeKeys > this.account.running;
  }
}

export class CallShares {
  readonly #accounts = new Map<number, AccountShare>();
  readonly #keys = new Map<number, KeyShare>();
  /** How many calls fewer the account may have for a key with its share of it, and for one with more. */
  #less = 0;
  #lessIfGreedy = 0;
  #keptMax = 0;
  /** Places kept for those who have few, beyond what the rule keeps. */
  #kept = 0;
  #running = 0;
  #activeAccounts = 0;
  /** The number of keys at which those without a running call are forgotten. */
  #rememberedMax = REMEMBERED_MIN;

  constructor(places: number) {
    this.setPlaces(places);
  }

  /** How many there are in all, free or not. */
  setPlaces(places: number): void {
    const isSmall = places < PLACES_MIN;
    this.#less = isSmall ? 0 : Math.ceil(places / 32) + 2;
    this.#lessIfGreedy = isSmall ? 0 : this.#less + 32 * Math.ceil(places / 64);
    this.#keptMax = isSmall ? 0 : Math.floor(places * KEPT_PART);
    this.#kept = 0;
  }

  /** Whose share is used up, with this many places free; null if one more call of the key may run. */
  blockedBy(key: KeyShare, free: number): FullShare | null {
    const { account } = key;
    if (this.hasFew(key)) {
      if (account.running < OF_FREE_PLACES * free) return null;
      return free <= 0 ? 'installation' : 'account';
    }
    const less = key.isGreedy ? this.#lessIfGreedy : this.#less;
    if (account.running + less < OF_FREE_PLACES * (free - Math.floor(this.#kept))) {
      if (this.#kept > 0) this.#kept = Math.max(0, this.#kept - FEWER_KEPT);
      return null;
    }
    if (free <= 0) return 'installation';
    return account.running < OF_FREE_PLACES * free ? 'key' : 'account';
  }

  /** Whether its account has less than it would have if one more came, or it has so of its account. */
  hasFew(key: KeyShare): boolean {
    return key.account.running * (this.#activeAccounts + 1) <= this.#running || key.isModest;
  }

  /** Notes that a call of the key was refused. */
  refused(key: KeyShare): void {
    if (this.hasFew(key)) this.#kept = Math.min(this.#keptMax, this.#kept + MORE_KEPT);
  }

  enter(key: KeyShare): void {
    const { account } = key;
    if (account.running === 0) this.#activeAccounts += 1;
    if (key.running === 0) account.activeKeys += 1;
    account.running += 1;
    key.running += 1;
    this.#running += 1;
  }

  leave(key: KeyShare): void {
    const { account } = key;
    account.running -= 1;
    key.running -= 1;
    this.#running -= 1;
    if (key.running === 0) account.activeKeys -= 1;
    if (account.running === 0) this.#activeAccounts -= 1;
  }

  of(accountId: number, keyId: number): KeyShare {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    if (this.#keys.size >= this.#rememberedMax) this.#forgetIdle();
    const account = this.#accounts.get(accountId) ?? new AccountShare();
    this.#accounts.set(accountId, account);
    const share = new KeyShare(account);
    this.#keys.set(keyId, share);
    return share;
  }

  accounts(): Iterable<AccountShare> {
    return this.#accounts.values();
  }

  keys(): Iterable<KeyShare> {
    return this.#keys.values();
  }

  #forgetIdle(): void {
    const kept = new Set<AccountShare>();
    for (const [keyId, { running, account }] of this.#keys) {
      if (running === 0) this.#keys.delete(keyId);
      else kept.add(account);
    }
    for (const [accountId, account] of this.#accounts) if (!kept.has(account)) this.#accounts.delete(accountId);
    this.#rememberedMax = Math.max(REMEMBERED_MIN, 2 * this.#keys.size);
  }
}

const REMEMBERED_MIN = 1024;
