/** A bank over a ledger in memory, and calls and entries for it: for tests of the bank. */
import assert from 'node:assert/strict';
import { ManualClock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { accountId, keyId, newCallId, projectId } from '../core/ids.ts';
import { type Money, NO_MONEY, parseUsd, picoUsd } from '../core/money.ts';
import type { Settlement } from '../core/settlement.ts';
import { NO_USAGE } from '../core/usage.ts';
import type { BillingMode, Hold, HoldRequest } from './bank.ts';
import type { Bound } from './bound.ts';
import type { NewEntry } from './entry.ts';
import { LedgerBank } from './ledger-bank.ts';
import { MemoryLedger } from './memory-ledger.ts';

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
  if (usd !== null) await made.bank.post(entry({ reference: 'first', amount: parseUsd(usd) }));
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

/** Whose whole cost is known beforehand. */
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
  const charge: Money = parseUsd(usd);
  return {
    callId: request.callId,
    admittedAt: request.admittedAt,
    accountId: request.accountId,
    projectId: request.projectId,
    keyId: request.keyId,
    operation: 'chat',
    model: 'acme/large',
    provider: 'acme',
    usage: NO_USAGE,
    usageSource: 'reported',
    priceVersion: null,
    cost: charge,
    hold: hold.recorded,
    charge,
    fault: NO_MONEY,
    variance: NO_MONEY,
    ending: 'complete',
  };
}

export async function spend(bank: LedgerBank, request: HoldRequest, usd: string): Promise<void> {
  const hold = bank.hold(request);
  await bank.finish(hold, settlement(request, hold, usd));
}

export function refusalOf(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    return error;
  }
  assert.fail('it was not refused');
}

export async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
