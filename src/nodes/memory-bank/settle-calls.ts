/** How the model settles calls: from what was lent, or late. */
import { isDeepStrictEqual } from 'node:util';
import type { CallId } from '../../core/ids.ts';
import { type Money, nanoUsd } from '../../core/money.ts';
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
  /** Whether the batch's epoch is before the slot's own, perhaps from before the database went back. */
  readonly isEarlier: boolean;
  /** Whether a balance never goes below zero. */
  readonly isPrepaid: boolean;
}

/** What a call is charged, and the purses of it of which too little is lent. */
interface Charged {
  readonly sent: SentSettlement;
  readonly charge: bigint;
  readonly short: readonly PurseRef[];
  readonly isLate: boolean;
}

export function settleCalls(state: BankState, by: SettledBy, sent: readonly SentSettlement[]): SettleAnswer {
  const { fresh, conflicts } = findNew(state, sent);
  const { charged, isFault } = judge(state, by, fresh);
  let calls = 0;
  let loss = 0n;
  for (const each of charged) {
    const { settlement } = each.sent;
    if (each.isLate) calls += 1;
    loss += settlement.charge - each.charge;
    take(state, by, each);
    write(state, each);
  }
  const fault = isFault ? ({ isFault } as const) : {};
  return { conflicts, late: calls === 0 ? null : { calls, loss: nanoUsd(loss), ...fault } };
}

/** In order of their ids: of two that compete for what is free, the one that began first has it. */
function findNew(state: BankState, sent: readonly SentSettlement[]) {
  const fresh = new Map<CallId, SentSettlement>();
  const conflicts = new Set<CallId>();
  for (const each of sent) {
    const { callId } = each.settlement;
    const known = state.settled.get(callId)?.sent ?? fresh.get(callId)?.settlement;
    if (known === undefined) fresh.set(callId, each);
    else if (!isDeepStrictEqual(asCompared(known), asCompared(each.settlement))) conflicts.add(callId);
  }
  const inOrder = [...fresh.values()].toSorted((one, other) =>
    one.settlement.callId < other.settlement.callId ? -1 : 1,
  );
  return { fresh: inOrder, conflicts: [...conflicts] };
}

/** What was settled late is sent again with the charge of before. */
function asCompared({ charge, nodeLoss, ...rest }: Settlement) {
  return { ...rest, charge: charge + nodeLoss };
}

/** A batch is charged from what was lent; if that does not suffice for all of it, its calls are late as far as too little is lent. */
function judge(state: BankState, by: SettledBy, fresh: readonly SentSettlement[]) {
  if (by.isLent === null) return { charged: fresh.map((sent) => chargedInFull(state, sent)), isFault: false };
  const isOfKnown = by.isPrepaid || !fresh.some((sent) => takesBalance(sent) && !isOfKnownMoney(state, by, sent));
  if (by.isLent && isOfKnown && shortPurses(state, by, fresh).size === 0)
    return { charged: fresh.map((sent) => inFull(sent)), isFault: false };
  const owned = fresh.map((sent) => (isOwned(state, sent) ? sent : free(sent)));
  const short = shortPurses(state, by, owned);
  if (by.isLent) for (const purse of short.values()) endLease(state, by.slot, purse);
  // Those who pay get their rows, whatever their budgets leave of the charge.
  if (!by.isPrepaid) for (const sent of owned) if (takesBalance(sent)) state.account(accountOf(sent));
  const taken = new TakenBefore();
  const charged = owned.map((sent, index): Charged => {
    const before = fresh[index] as SentSettlement;
    const { charge } = sent.settlement;
    const isUnowned = charge !== before.settlement.charge;
    const lacking = charge === 0n ? [] : pursesOf(sent, true).filter((purse) => short.has(purseKey(purse)));
    const late = lateCharge(state, by, sent, lacking, taken);
    return { sent: before, charge: late, short: lacking, isLate: isUnowned || lacking.length > 0 };
  });
  return { charged, isFault: by.isLent && isOfKnown };
}

function inFull(sent: SentSettlement): Charged {
  return { sent, charge: sent.settlement.charge, short: [], isLate: false };
}

/** Of a call for which nothing was lent. */
function chargedInFull(state: BankState, sent: SentSettlement): Charged {
  return isOwned(state, sent) ? inFull(sent) : { sent, charge: 0n, short: [], isLate: true };
}

/** Whether the call's account is there, and its money, so that nothing has to be lent where balances have no limit. */
function isOfKnownMoney(state: BankState, { isEarlier }: SettledBy, sent: SentSettlement): boolean {
  if (!state.accounts.has(accountOf(sent))) return false;
  return isEarlier ? isOwned(state, sent) : Number.isFinite(madeAt(state, sent));
}

/** An account that is not there, or was made after the call, owes nothing for it: then it is another one. */
function isOwned(state: BankState, sent: SentSettlement): boolean {
  return !takesBalance(sent) || madeAt(state, sent) <= sent.settlement.admittedAt;
}

function madeAt(state: BankState, sent: SentSettlement): number {
  return state.madeAt.get(accountOf(sent)) ?? 0;
}

function takesBalance({ settlement }: SentSettlement): boolean {
  return settlement.charge > 0n && settlement.hold !== null;
}

function accountOf({ settlement }: SentSettlement): number {
  return settlement.accountId;
}

function free(sent: SentSettlement): SentSettlement {
  return { ...sent, settlement: { ...sent.settlement, charge: 0n as Money } };
}

/** The purses that a call's money was lent from. */
function pursesOf({ settlement, rootId, budgets }: SentSettlement, withBalance: boolean): readonly PurseRef[] {
  const purses: PurseRef[] = [];
  if (withBalance && settlement.hold !== null) purses.push({ kind: 'balance', id: settlement.accountId });
  if ((budgets & 1) !== 0) purses.push({ kind: 'key', id: rootId });
  if ((budgets & 2) !== 0) purses.push({ kind: 'project', id: settlement.projectId });
  if ((budgets & 4) !== 0) purses.push({ kind: 'account', id: settlement.accountId });
  return purses;
}

/** The purses of which too little is lent for all calls together; all of them if nothing is lent any more. */
function shortPurses(
  state: BankState,
  { slot, isLent, isPrepaid }: SettledBy,
  calls: readonly SentSettlement[],
): ReadonlyMap<string, PurseRef> {
  const needed = new Map<string, { readonly purse: PurseRef; sum: bigint }>();
  for (const call of calls) {
    if (call.settlement.charge === 0n) continue;
    for (const purse of pursesOf(call, isPrepaid || isLent !== true)) {
      const known = needed.get(purseKey(purse));
      if (known === undefined) needed.set(purseKey(purse), { purse, sum: call.settlement.charge });
      else known.sum += call.settlement.charge;
    }
  }
  const short = new Map<string, PurseRef>();
  for (const [key, { purse, sum }] of needed) {
    const lease = isLent === true ? state.leasesOf(purse).get(slot) : undefined;
    const rest = lease === undefined ? 0n : lease.granted - lease.spent;
    if (rest < sum) short.set(key, purse);
  }
  return short;
}

function endLease(state: BankState, slot: number, purse: PurseRef): void {
  const lease = state.leasesOf(purse).get(slot);
  state.leasesOf(purse).delete(slot);
  if (purse.kind === 'balance' && lease !== undefined)
    state.returned(purse.id, lease.granted - lease.spent, lease.spent);
}

/** What the late calls of a batch before this one took of a purse, by the day in whose windows they count. */
class TakenBefore {
  readonly #taken = new Map<string, { readonly day: number; readonly charge: bigint }[]>();

  add(purse: PurseRef, day: number, charge: bigint): void {
    const known = this.#taken.get(purseKey(purse)) ?? [];
    this.#taken.set(purseKey(purse), [...known, { day, charge }]);
  }

  since(purse: PurseRef, firstDay: number): bigint {
    let sum = 0n;
    for (const { day, charge } of this.#taken.get(purseKey(purse)) ?? []) if (day >= firstDay) sum += charge;
    return sum;
  }
}

/** At most what is free of the balance, and what the budgets leave as they were known last. */
function lateCharge(
  state: BankState,
  { isPrepaid }: SettledBy,
  { settlement, day }: SentSettlement,
  short: readonly PurseRef[],
  taken: TakenBefore,
): bigint {
  let charge: bigint = settlement.charge;
  for (const purse of short) {
    const room = roomOf(state, purse, day, taken, isPrepaid);
    if (room !== null && room < charge) charge = room > 0n ? room : 0n;
  }
  for (const purse of short) taken.add(purse, day, charge);
  return charge;
}

function roomOf(state: BankState, purse: PurseRef, day: number, taken: TakenBefore, isPrepaid: boolean): bigint | null {
  if (purse.kind === 'balance')
    return isPrepaid ? state.knownAccount(purse.id).free - taken.since(purse, Number.NEGATIVE_INFINITY) : null;
  const budgets = state.budgets.get(purseKey(purse));
  if (budgets === undefined) return null;
  return state.room(purse, budgets, day, (firstDay) => taken.since(purse, firstDay))?.room ?? null;
}

function take(state: BankState, by: SettledBy, { sent, charge, short }: Charged): void {
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
  if (settlement.hold !== null && charge > 0n && !isFromLease) {
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

function write(state: BankState, { sent, charge, isLate }: Charged): void {
  const { settlement, rootId, day } = sent;
  const nodeLoss = nanoUsd(settlement.nodeLoss + settlement.charge - charge);
  state.settled.set(settlement.callId, {
    sent: settlement,
    settlement: { ...settlement, charge: nanoUsd(charge), nodeLoss },
    rootId,
    day,
    isLate,
  });
}
