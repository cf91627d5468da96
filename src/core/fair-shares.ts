/**
 * A resource that accounts share and none may use up: bytes of memory, slots in a queue. An account gets at most half of what
 * the others leave free, and a key half of what its account's other keys leave, so that the next caller still gets some.
 */

/** Why nothing was taken: `never` if it would not fit even in an idle gateway. */
export type ShareRefusal = 'full' | 'never';

/** Whose share is used up: something of it must be given back before the same amount fits. */
export type FullShare = 'key' | 'account' | 'installation';

interface Use {
  used: number;
}

export class FairShares {
  readonly total: number;
  /** Of all accounts together. */
  readonly #all: Use = { used: 0 };
  readonly #accounts = new Map<number, Use>();
  readonly #keys = new Map<number, Share>();
  /** The number of keys at which those that hold nothing are forgotten. */
  #rememberedMax = REMEMBERED_MIN;

  /** `total` is in units of the resource: bytes, slots. Even with the smallest total, anybody may take one unit. */
  constructor(total: number) {
    this.total = total;
  }

  get used(): number {
    return this.#all.used;
  }

  /** The most that one key can take while nobody else has taken anything. */
  get keyMax(): number {
    return half(this.accountMax);
  }

  /** The same for all keys of an account together. */
  get accountMax(): number {
    return half(this.total);
  }

  /** A key's share. */
  of(accountId: number, keyId: number): Share {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    if (this.#keys.size >= this.#rememberedMax) this.#forgetUnused();
    const account = this.#accounts.get(accountId) ?? { used: 0 };
    this.#accounts.set(accountId, account);
    const share = new Share(this, this.#all, account);
    this.#keys.set(keyId, share);
    return share;
  }

  #forgetUnused(): void {
    for (const [keyId, { used }] of this.#keys) if (used === 0) this.#keys.delete(keyId);
    for (const [accountId, { used }] of this.#accounts) {
      // All its keys are forgotten too, since together they hold nothing.
      if (used === 0) this.#accounts.delete(accountId);
    }
    this.#rememberedMax = Math.max(REMEMBERED_MIN, 2 * this.#keys.size);
  }
}

const REMEMBERED_MIN = 1024;

/** What one key has taken. */
export class Share {
  used = 0;
  readonly #shares: FairShares;
  readonly #all: Use;
  readonly #account: Use;

  constructor(shares: FairShares, all: Use, account: Use) {
    this.#shares = shares;
    this.#all = all;
    this.#account = account;
  }

  /** Takes all of `amount` and returns null, or takes nothing and returns the reason. */
  take(amount: number): ShareRefusal | null {
    const account = this.#account.used;
    const accountMax = this.#accountMax;
    const keyMax = half(accountMax - (account - this.used));
    const fits = this.#all.used + amount <= this.#shares.total;
    if (fits && account + amount <= accountMax && this.used + amount <= keyMax) {
      this.#add(amount);
      return null;
    }
    return amount > this.#shares.keyMax ? 'never' : 'full';
  }

  /** Takes by the account's share alone, of which the key may have all: for requests whose refusal would lose money. */
  takeOfAccount(amount: number): boolean {
    if (this.#account.used + amount > this.#accountMax) return false;
    this.#add(amount);
    return true;
  }

  /** Gives back what was taken. */
  give(amount: number): void {
    this.#add(-amount);
  }

  /** What blocks a request that needs `amount` in total: what the key itself has taken, its account's other keys, or other accounts. */
  blockedBy(amount: number): FullShare {
    const accountMax = this.#accountMax;
    if (amount <= half(accountMax - (this.#account.used - this.used))) return 'key';
    return amount <= half(accountMax) ? 'account' : 'installation';
  }

  /** The same for `takeOfAccount`. */
  accountBlockedBy(amount: number): FullShare {
    return amount <= this.#accountMax ? 'account' : 'installation';
  }

  get #accountMax(): number {
    return half(this.#shares.total - (this.#all.used - this.#account.used));
  }

  #add(amount: number): void {
    this.used += amount;
    this.#account.used += amount;
    this.#all.used += amount;
  }
}

/** Half of one or two is one, so that a small gateway can serve one caller at a time. */
function half(amount: number): number {
  return amount >= 1 ? Math.max(1, Math.floor(amount / 2)) : 0;
}
