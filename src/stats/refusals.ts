/**
 * Requests with a good key that were refused before they became calls: over a limit or a budget, not allowed, no such
 * model, unreadable. They leave no settlement and no record; the last of each account stay in memory, so that people
 * find out why nothing arrives. A restart forgets them.
 */
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';

export interface Refusal {
  /** Wall time, ms. */
  readonly at: number;
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
  readonly keyId: KeyId;
  /** As the caller wrote it, printable and cut; null where the request did not come so far. */
  readonly model: string | null;
  readonly status: number;
  /** Of the table of errors. */
  readonly code: string;
  readonly requestId: string;
}

/** Of an account; a flood of one takes no other's room. */
const KEPT = 100;
/** Accounts that were refused longest ago go first. */
const ACCOUNTS_MAX = 1_000;

export class Refusals {
  /** Oldest first, and of those accounts whose last refusal is oldest first. */
  readonly #byAccount = new Map<AccountId, Refusal[]>();

  note(refusal: Refusal): void {
    const kept = this.#byAccount.get(refusal.accountId) ?? [];
    kept.push(refusal);
    if (kept.length > KEPT) kept.shift();
    this.#byAccount.delete(refusal.accountId);
    this.#byAccount.set(refusal.accountId, kept);
    if (this.#byAccount.size <= ACCOUNTS_MAX) return;
    for (const longest of this.#byAccount.keys()) {
      this.#byAccount.delete(longest);
      break;
    }
  }

  /** Newest first; of one key where it is named. */
  of(account: AccountId, keyId: KeyId | null = null): readonly Refusal[] {
    const kept = this.#byAccount.get(account) ?? [];
    return kept.filter((each) => keyId === null || each.keyId === keyId).reverse();
  }
}
