/** The purses that a node knows, and which of them limit a call. */
import type { HoldRequest } from '../billing/bank.ts';
import type { Budgets } from '../core/budget.ts';
import type { Clock } from '../core/clock.ts';
import { LentPurse } from './lent-purse.ts';
import type { PurseKind, PurseRef } from './ports.ts';

export class PurseTable {
  readonly #isBalanceLent: boolean;
  readonly #clock: Clock;
  readonly #purses: Readonly<Record<PurseKind, Map<number, LentPurse>>> = {
    balance: new Map(),
    key: new Map(),
    project: new Map(),
    account: new Map(),
  };

  constructor(isBalanceLent: boolean, clock: Clock) {
    this.#isBalanceLent = isBalanceLent;
    this.#clock = clock;
  }

  get size(): number {
    const { balance, key, project, account } = this.#purses;
    return balance.size + key.size + project.size + account.size;
  }

  *all(): IterableIterator<LentPurse> {
    for (const purses of Object.values(this.#purses)) yield* purses.values();
  }

  known({ kind, id }: PurseRef): LentPurse | null {
    return this.#purses[kind].get(id) ?? null;
  }

  of(ref: PurseRef): LentPurse {
    return this.#of(ref.kind, ref.id, null);
  }

  /** The narrowest first. Takes over the budgets as the call has them. */
  ofCall(request: HoldRequest): readonly LentPurse[] {
    const { keyBudgets, projectBudgets, accountBudgets } = request;
    const purses: LentPurse[] = [];
    if (keyBudgets !== undefined) purses.push(this.#budgeted('key', request.keyId, keyBudgets));
    if (projectBudgets !== undefined) purses.push(this.#budgeted('project', request.projectId, projectBudgets));
    if (accountBudgets !== undefined) purses.push(this.#budgeted('account', request.accountId, accountBudgets));
    if (this.#isBalanceLent) purses.push(this.#of('balance', request.accountId, null));
    return purses;
  }

  forget({ kind, id }: PurseRef): void {
    this.#purses[kind].delete(id);
  }

  clear(): void {
    for (const purses of Object.values(this.#purses)) purses.clear();
  }

  #budgeted(kind: PurseKind, id: number, budgets: Budgets): LentPurse {
    const purse = this.#of(kind, id, budgets);
    if (purse.seeBudgets(budgets)) purse.isReturning = true;
    return purse;
  }

  #of(kind: PurseKind, id: number, budgets: Budgets | null): LentPurse {
    const purses = this.#purses[kind];
    let purse = purses.get(id);
    if (purse === undefined) {
      purse = new LentPurse({ kind, id }, budgets, this.#clock.monotonic());
      purses.set(id, purse);
    }
    return purse;
  }
}
