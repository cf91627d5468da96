/** How the model settles calls: from what was lent, or late. */
import { isDeepStrictEqual } from 'node:util';
import type { CallId } from '../../core/ids.ts';
import { nanoUsd } from '../../core/money.ts';
import type { Settlement } from '../../core/settlement.ts';
import type { PurseRef, SettleAnswer } from '../ports.ts';
import { type BankState, purseKey } from './bank-state.ts';

/** A settlement as a batch has it: see `storage/journal/decode-batch.ts`. */
export interface SentSettlement {
  readonly settlement: Settlement;
  readonly rootId: number;
  readonly budgets: number;
  readonly day: number;
}

export interface SettledBy {
  readonly slot: number;
  /** Whether what was lent under the batch's epoch is still the slot's; null if nothing was lent. */
  readonly isLent: boolean | null;
  /** Whether a balance never goes below zero. */
  readonly isPrepaid: boolean;
}

export function settleCalls(state: BankState, by: SettledBy, sent: readonly SentSettlement[]): SettleAnswer {
  const conflicts: CallId[] = [];
  let calls = 0;
  let loss = 0n;
  for (const each of sent) {
    const { callId } = each.settlement;
    const known = state.settled.get(callId);
    if (known !== undefined) {
      if (!isDeepStrictEqual(known.sent, each.settlement)) conflicts.push(callId);
      continue;
    }
    const isLate = isLateFor(state, by, each);
    const charge = isLate ? lateCharge(state, by, each) : each.settlement.charge;
    const lost = each.settlement.charge - charge;
    if (isLate && each.settlement.charge > 0n) calls += 1;
    loss += lost;
    take(state, by, each, charge, isLate);
    state.settled.set(callId, {
      sent: each.settlement,
      settlement: {
        ...each.settlement,
        charge: nanoUsd(charge),
        nodeLoss: nanoUsd(each.settlement.nodeLoss + lost),
      },
      rootId: each.rootId,
      day: each.day,
      isLate,
    });
  }
  return { conflicts, late: calls === 0 ? null : { calls, loss: nanoUsd(loss) } };
}

/** The purses that a call's money was lent from. */
function pursesOf({ settlement, rootId, budgets }: SentSettlement, isPrepaid: boolean): readonly PurseRef[] {
  const purses: PurseRef[] = [];
  if (isPrepaid && settlement.hold !== null) purses.push({ kind: 'balance', id: settlement.accountId });
  if ((budgets & 1) !== 0) purses.push({ kind: 'key', id: rootId });
  if ((budgets & 2) !== 0) purses.push({ kind: 'project', id: settlement.projectId });
  if ((budgets & 4) !== 0) purses.push({ kind: 'account', id: settlement.accountId });
  return purses;
}

function isLateFor(state: BankState, { slot, isLent, isPrepaid }: SettledBy, sent: SentSettlement): boolean {
  const { charge } = sent.settlement;
  if (isLent === null || charge === 0n) return false;
  if (!isLent) return true;
  return pursesOf(sent, isPrepaid).some((purse) => {
    const lease = state.leasesOf(purse).get(slot);
    return lease === undefined || lease.granted - lease.spent < charge;
  });
}

/** What is free of the balance, and what the budgets leave as they were known last. */
function lateCharge(state: BankState, { isPrepaid }: SettledBy, sent: SentSettlement): bigint {
  let charge: bigint = sent.settlement.charge;
  for (const purse of pursesOf(sent, isPrepaid)) {
    const budgets = state.budgets.get(purseKey(purse));
    const room =
      purse.kind === 'balance'
        ? state.account(purse.id).free
        : budgets === undefined
          ? null
          : (state.room(purse, budgets, sent.day)?.room ?? null);
    if (room !== null && room < charge) charge = room > 0n ? room : 0n;
  }
  return charge;
}

function take(state: BankState, by: SettledBy, sent: SentSettlement, charge: bigint, isLate: boolean): void {
  const { settlement, rootId, day } = sent;
  const { accountId, projectId, cost, ownCredential } = settlement;
  const isFromLease = by.isLent === true && !isLate && charge > 0n;
  if (isFromLease)
    for (const purse of pursesOf(sent, by.isPrepaid)) {
      const lease = state.leasesOf(purse).get(by.slot);
      if (lease !== undefined) lease.spent += charge;
    }
  if (settlement.hold !== null && !(isFromLease && by.isPrepaid)) {
    const account = state.account(accountId);
    account.free -= charge;
    account.charged += charge;
  }
  for (const ref of [
    { kind: 'key', id: rootId },
    { kind: 'project', id: projectId },
    { kind: 'account', id: accountId },
  ] as const) {
    const row = state.dayOf(ref, day);
    row.calls += 1;
    row.charge += charge;
    if (ownCredential && cost !== null) row.ownCost += cost;
  }
}
