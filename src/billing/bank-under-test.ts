/** A bank over a ledger in memory, and calls and entries for it: for tests of the bank. */
import assert from 'node:assert/strict';
import { ManualClock } from '../core/clock.ts';
import type { GatewayError } from '../core/errors.ts';
import { accountId, keyId, newCallId, projectId } from '../core/ids.ts';
import { NO_MONEY, parseUsd, picoUsd } from '../core/money.ts';
import { LIST_RATE } from '../core/rates/rate.ts';
import type { Settlement } from '../core/settlement.ts';
import { NO_USAGE } from '../core/usage.ts';
import type { Hold, HoldRequest } from './bank.ts';
import type { BillingMode } from './billing-mode.ts';
import type { Bound } from './bound.ts';
import type { EntryRefusal, NewEntry } from './entry.ts';
import { LedgerBank } from './ledger-bank.ts';
import { MemoryLedger } from './memory-ledger.ts';
import type { Balance, ScopeMoney } from './money-view.ts';
import { refusalError } from './refusal.ts';
import type { Scope } from './spending.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);
export const ACCOUNT = accountId(1);

export async function bankOf(mode: BillingMode, options: { readonly isWritable?: () => boolean } = {}) {
  const clock = new ManualClock(NOON);
  const ledger = new MemoryLedger(NOON);
  const isWritable = options.isWritable ?? (() => true);
  const bank = new LedgerBank({ store: ledger, loaded: await ledger.load(), mode, clock, isWritable });
  return { bank, ledger, clock };
}

export async function prepaid(usd: string | null) {
  const made = await bankOf('prepaid');
  if (usd !== null) await posted(made.bank, { reference: 'first', amount: parseUsd(usd) });
  return made;
}

export function entry(changes: Partial<NewEntry>): NewEntry {
  return {
    accountId: ACCOUNT,
    kind: 'topup',
    amount: parseUsd('1'),
    reference: 'r',
    callId: null,
    note: null,
    at: NOON,
    ...changes,
  };
}

/** A bound whose whole cost is known in advance. */
export function bound(usd: string): Bound {
  const fixed = picoUsd(parseUsd(usd) * 1000n);
  return { fixed, perOutputToken: picoUsd(0n), outputCap: 100, mayLower: false };
}

export function call(changes: Partial<HoldRequest>): HoldRequest {
  return {
    callId: newCallId(NOON),
    admittedAt: NOON,
    accountId: ACCOUNT,
    projectId: projectId(2),
    keyId: keyId(3),
    keyBudgets: undefined,
    projectBudgets: undefined,
    accountBudgets: undefined,
    bound: null,
    ...changes,
  };
}

export function settlement(request: HoldRequest, hold: Hold, usd: string): Settlement {
  return settledCall(request, { hold: hold.recorded, charge: parseUsd(usd) });
}

/** Whose call it is. */
type CallOwner = Pick<Settlement, 'callId' | 'admittedAt' | 'accountId' | 'projectId' | 'keyId'>;

/** A call at list price of which only the sums matter. */
export function settledCall(
  { callId, admittedAt, accountId, projectId, keyId }: CallOwner,
  sums: Pick<Settlement, 'hold' | 'charge'> & Partial<Settlement>,
): Settlement {
  return {
    callId,
    admittedAt,
    accountId,
    projectId,
    keyId,
    operation: 'chat',
    model: 'acme/large',
    provider: 'acme',
    usage: NO_USAGE,
    usageSource: 'reported',
    priceVersion: null,
    rate: LIST_RATE,
    ownCredential: false,
    cost: sums.charge,
    fault: NO_MONEY,
    variance: NO_MONEY,
    nodeLoss: NO_MONEY,
    saved: NO_MONEY,
    ending: 'complete',
    ...sums,
  };
}

export async function spend(bank: LedgerBank, request: HoldRequest, usd: string): Promise<void> {
  const hold = held(bank, request);
  await bank.finish(hold, settlement(request, hold, usd));
}

/** What is held for a call that is not refused. */
export function held(bank: Pick<LedgerBank, 'hold'>, request: HoldRequest): Hold {
  const answer = bank.hold(request);
  assert.ok(answer.refused === null, `refused: ${answer.refused}`);
  return answer;
}

/** The error at `nowMs` for a call that is refused. */
export function refusalOf(bank: LedgerBank, request: HoldRequest, nowMs = NOON): GatewayError {
  const answer = bank.hold(request);
  assert.ok(answer.refused !== null, 'it was not refused');
  return refusalError(answer, nowMs, 'ask for fewer tokens', ACCOUNT);
}

export function balanceOf({ money }: LedgerBank): Balance | null {
  return money.read({ scope: 'account', id: ACCOUNT }).balance;
}

/** What one key, project or account has spent, and what is held. */
export function moneyIn({ money }: LedgerBank, scope: Scope, id: number): ScopeMoney {
  return money.read({ scope, id });
}

/** Posts an entry with these changes; returns it, and whether it is new. */
export async function posted(bank: LedgerBank, changes: Partial<NewEntry>) {
  const answer = await bank.post(entry(changes));
  assert.ok(answer.refused === null, `refused: ${answer.refused}`);
  return answer;
}

/** Why an entry with these changes is not posted. */
export async function refusedEntry(bank: LedgerBank, changes: Partial<NewEntry>): Promise<EntryRefusal | null> {
  return (await bank.post(entry(changes))).refused;
}

export async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
