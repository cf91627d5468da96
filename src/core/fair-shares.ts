/**
 * What many accounts share, and none may fill: bytes of memory, places in a queue. An account gets at most half of what
 * the others leave free, and a key half of what its account's other keys leave it, so that whoever comes next finds room.
 */

/** Why nothing was taken: `never` where it could not fit into an empty gateway either. */
export type ShareRefusal = 'full' | 'never';

interface AccountUse {
  used: number;
  readonly keys: Map<number, number>;
}

export class FairShares {
  readonly total: number;
  #used = 0;
  readonly #accounts = new Map<number, AccountUse>();

  /** `total` in whatever is shared: bytes, places. Of the smallest total one unit is still anybody's. */
  constructor(total: number) {
    this.total = total;
  }

  get used(): number {
    return this.#used;
  }

  /** The most that one key can have while nobody else has anything. */
  get keyMax(): number {
    return half(half(this.total));
  }

  /** Takes `amount` for a key of an account: all of it, which is null, or nothing. */
  take(accountId: number, keyId: number, amount: number): ShareRefusal | null {
    if (amount > this.keyMax) return 'never';
    const account = this.#accounts.get(accountId);
    const accountUsed = account?.used ?? 0;
    const keyUsed = account?.keys.get(keyId) ?? 0;
    const accountMax = half(this.total - (this.#used - accountUsed));
    const keyMax = half(accountMax - (accountUsed - keyUsed));
    if (accountUsed + amount > accountMax || keyUsed + amount > keyMax || this.#used + amount > this.total)
      return 'full';
    this.#add(accountId, keyId, amount);
    return null;
  }

  /** The same without regard to shares, for what cannot be refused fairly any more: only the total bounds it. */
  takeBeyondShare(accountId: number, keyId: number, amount: number): boolean {
    if (this.#used + amount > this.total) return false;
    this.#add(accountId, keyId, amount);
    return true;
  }

  /** Gives back what was taken. */
  give(accountId: number, keyId: number, amount: number): void {
    this.#add(accountId, keyId, -amount);
  }

  #add(accountId: number, keyId: number, amount: number): void {
    this.#used += amount;
    let account = this.#accounts.get(accountId);
    if (account === undefined) {
      account = { used: 0, keys: new Map() };
      this.#accounts.set(accountId, account);
    }
    account.used += amount;
    const keyUsed = (account.keys.get(keyId) ?? 0) + amount;
    if (keyUsed === 0) account.keys.delete(keyId);
    else account.keys.set(keyId, keyUsed);
    if (account.used === 0 && account.keys.size === 0) this.#accounts.delete(accountId);
  }
}

/** Of a total of one or two the half is still one: a small gateway serves one caller at a time. */
function half(amount: number): number {
  return amount >= 1 ? Math.max(1, Math.floor(amount / 2)) : 0;
}
