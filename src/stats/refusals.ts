/**
 * Requests with a valid key that were refused before they became calls: over a limit or a budget, not allowed, no such
 * model, unreadable. They leave no settlement and no record; the last ones of each account stay in memory, so that people
 * can find out why their requests fail. A restart forgets them.
 */
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';

export interface Refusal {
  /** Wall time, ms. */
  readonly at: number;
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
  readonly keyId: KeyId;
  /** As the caller wrote it, made printable and shortened; null if the model was not read yet. */
  readonly model: string | null;
  readonly status: number;
  /** A code of the table of errors. */
  readonly code: string;
  readonly requestId: string;
}

/** Per account; a flood from one displaces no other's. */
const KEPT = 100;
/** Beyond this number, the account whose last refusal is oldest is dropped. */
const ACCOUNTS_MAX = 1_000;

export class Refusals {
  /** Called with each refusal that this process noted itself. Must not throw. */
  onNoted: (refusal: Refusal) => void = () => undefined;
  /** Each account's refusals, oldest first; accounts in the order of their last refusal. */
  readonly #byAccount = new Map<AccountId, Refusal[]>();

  note(refusal: Refusal): void {
    this.learn(refusal);
    this.onNoted(refusal);
  }

  /** Another process has noted it. */
  learn(refusal: Refusal): void {
    const kept = this.#byAccount.get(refusal.accountId) ?? [];
    kept.splice(placeIn(kept, refusal), 0, refusal);
    if (kept.length > KEPT) kept.shift();
    this.#byAccount.delete(refusal.accountId);
    this.#byAccount.set(refusal.accountId, kept);
    if (this.#byAccount.size <= ACCOUNTS_MAX) return;
    for (const longest of this.#byAccount.keys()) {
      this.#byAccount.delete(longest);
      break;
    }
  }

  /** Newest first; only those of `keyId` if it is given. */
  of(account: AccountId, keyId: KeyId | null = null): readonly Refusal[] {
    const kept = this.#byAccount.get(account) ?? [];
    return kept.filter((each) => keyId === null || each.keyId === keyId).reverse();
  }
}

/** Other nodes' refusals are learned late and in no order, and are listed in the same order everywhere: usually at the end. */
function placeIn(kept: readonly Refusal[], refusal: Refusal): number {
  let place = kept.length;
  for (; place > 0; place -= 1) {
    const before = kept[place - 1];
    if (before === undefined || before.at < refusal.at) break;
    if (before.at === refusal.at && before.requestId <= refusal.requestId) break;
  }
  return place;
}
