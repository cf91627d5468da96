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
  for (const each of inOrder(sent)) {
    const { callId } = each.settlement;
    const known = state.settled.get(callId);
    if (known !== undefined) {
      if (!isDeepStrictEqual(known.sent, each.settlement)) conflicts.push(callId);
      continue;
    }
    const isOwned = isOfKnownAccount(state, by, each);
    const short = isOwned ? shortOf(state, by, each) : [];
    const isLate = !isOwned || short.length > 0;
    const charge = isOwned ? lateCharge(state, short, each) : 0n;
    const lost = each.settlement.charge - charge;
    if (isLate && each.settlement.charge > 0n) calls += 1;
    loss += lost;
    take(state, by, each, charge, short);
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
  const isFault = by.isLent === true ? ({ isFault: true } as const) : {};
  return { conflicts, late: calls === 0 ? null : { calls, loss: nanoUsd(loss), ...isFault } };
}

/** Of two that compete for what is free, the one that began first has it. */
function inOrder(sent: readonly SentSettlement[]): readonly SentSettlement[] {
  return sent.toSorted((one, other) => (one.settlement.callId < other.settlement.callId ? -1 : 1));
}

/** False if a bank that went back does not have the account, and lent it nothing: an account that was made after the call is another one. */
function isOfKnownAccount(state: BankState, by: SettledBy, { settlement }: SentSettlement): boolean {
  const { accountId, admittedAt, hold, charge } = settlement;
  if (by.isLent === null || hold === null || charge === 0n) return true;
  if (by.isLent && state.leasesOf({ kind: 'balance', id: accountId }).has(by.slot)) return true;
  return (state.madeAt.get(accountId) ?? 0) <= admittedAt;
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

/** The purses of which too little is lent for the call. If that is a fault of ours, those leases end. */
function shortOf(state: BankState, { slot, isLent, isPrepaid }: SettledBy, sent: SentSettlement): readonly PurseRef[] {
  const { charge } = sent.settlement;
  if (isLent === null || charge === 0n) return [];
  const purses = pursesOf(sent, isPrepaid);
  if (!isLent) return purses;
  return purses.filter((purse) => {
    const lease = state.leasesOf(purse).get(slot);
    const rest = lease === undefined ? 0n : lease.granted - lease.spent;
    if (rest >= charge) return false;
    state.leasesOf(purse).delete(slot);
    if (purse.kind === 'balance' && lease !== undefined) state.returned(purse.id, rest, lease.spent);
    return true;
  });
}

/** What is free of the balance, and what the budgets leave as they were known last. */
function lateCharge(state: BankState, short: readonly PurseRef[], { settlement, day }: SentSettlement): bigint {
  let charge: bigint = settlement.charge;
  for (const purse of short) {
    const room = roomOf(state, purse, day);
    if (room !== null && room < charge) charge = room > 0n ? room : 0n;
  }
  return charge;
}

function roomOf(state: BankState, purse: PurseRef, day: number): bigint | null {
  if (purse.kind === 'balance') return state.account(purse.id).free;
  const budgets = state.budgets.get(purseKey(purse));
  return budgets === undefined ? null : (state.room(purse, budgets, day)?.room ?? null);
}

function take(state: BankState, by: SettledBy, sent: SentSettlement, charge: bigint, short: readonly PurseRef[]): void {
  const { settlement, rootId, day } = sent;
  const { accountId, projectId, cost, ownCredential } = settlement;
  let isFromLease = false;
  if (by.isLent === true && charge > 0n)
    for (const purse of pursesOf(sent, by.isPrepaid)) {
      if (short.some(({ kind }) => kind === purse.kind)) continue;
      const lease = state.leasesOf(purse).get(by.slot);
      if (lease !== undefined) lease.spent += charge;
      if (purse.kind === 'balance') isFromLease = true;
    }
  if (settlement.hold !== null && !isFromLease) {
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
