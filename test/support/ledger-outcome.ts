/**
 * What the ledger says about a call that met a fault: exactly one final row or none, nothing held a second later, nothing below zero, and
 * every sum what its rows add up to.
 */
import assert from 'node:assert/strict';
import { balanceOf } from '../../src/billing/money-view.ts';
import { accountId } from '../../src/core/ids.ts';
import { inLedger, type SettledCall } from '../prove/support/ledger-file.ts';
import { verifyClean } from '../prove/support/verify-clean.ts';
import type { OpenGateway } from './open-gateway.ts';
import { until } from './turns.ts';

/**
 * `L0`: no hold was taken. `LV`: the hold was released, and nothing charged. `LP`: charged by what the provider reports. `LE`: charged by
 * what the gateway counted. `LC`: charged at the next start, by the last checkpoint.
 */
export type LedgerOutcome = 'L0' | 'LV' | 'LP' | 'LE' | 'LC';

const AT_REST_WITHIN_MS = 1_000;
const ACCOUNT = accountId(1);

export function outcomeOf(settled: SettledCall | null): LedgerOutcome {
  if (settled === null) return 'L0';
  const { charge, hold, ending, usageSource } = settled;
  assert.ok(charge >= 0n && (hold === null || charge <= hold), `${charge} is charged of ${hold} held`);
  if (charge === 0n) return 'LV';
  if (ending === 'gateway_crashed') return 'LC';
  return usageSource === 'reported' ? 'LP' : 'LE';
}

/** Follows the ledger of a running gateway from fault to fault. */
export class LedgerWatch {
  readonly #gateway: OpenGateway;
  readonly #seen = new Set<string>();

  constructor(gateway: OpenGateway) {
    this.#gateway = gateway;
  }

  /**
   * The rows that were settled since the last look, by the call's id. Throws if a call is still held for or running after a second, if
   * the balance is not the sum of its rows, or if there are not exactly `calls` new rows.
   */
  async settled(calls: number): Promise<ReadonlyMap<string, SettledCall>> {
    const { app, dataFolder } = this.#gateway;
    const since = performance.now();
    await until('the end of every call', () => app.gateway.running.count === 0);
    await until('nothing held', () => inLedger(dataFolder, (file) => file.holds().length === 0));
    const money = await balanceOf(app.gateway.bank.money, ACCOUNT);
    assert.ok(performance.now() - since < AT_REST_WITHIN_MS, 'the ledger is at rest within a second');
    assert.equal(money?.held, 0n, 'the bank holds nothing');
    assert.ok((money?.available ?? -1n) >= 0n, 'available is not negative');
    const rows = inLedger(dataFolder, (file) => {
      const { balance, entries, charges } = file.totals();
      assert.equal(balance, money?.balance, 'the bank has the balance of the ledger');
      assert.equal(balance, entries - charges, 'the balance is what its rows add up to');
      return file.settlements();
    });
    const ids = new Set(rows.map(({ id }) => id));
    assert.equal(ids.size, rows.length, 'one row per call');
    const fresh = new Map(rows.filter(({ id }) => !this.#seen.has(id)).map((row) => [row.id, row]));
    for (const id of fresh.keys()) this.#seen.add(id);
    assert.equal(fresh.size, calls, 'exactly one final row per admitted call');
    return fresh;
  }

  /** Every sum and share of every row, computed here, and `turnpike ledger verify`: for the end of a test file. */
  async verify(): Promise<void> {
    inLedger(this.#gateway.dataFolder, (file) => file.check());
    await verifyClean(this.#gateway.dataFolder);
  }
}
