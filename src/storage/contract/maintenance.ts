/** The contract of every storage for maintenance of the ledger: a correct ledger passes, and a sealed month stays complete. */
import assert from 'node:assert/strict';
import type { Transfer } from '../../billing/maintenance-ports.ts';
import { accountId, type PriceVersionId } from '../../core/ids.ts';
import { NO_MONEY, nanoUsd } from '../../core/money.ts';
import { LIST_RATE } from '../../core/rates/rate.ts';
import { NO_USAGE } from '../../core/usage.ts';
import type { Storage } from '../storage.ts';
import { NO_RULES, pricedTarget, sampleEntry, sampleSettlement, settlementRow } from './sample-rows.ts';
import type { Promising } from './storage-under-test.ts';

const SEPTEMBER = Date.UTC(2026, 8, 15, 12);
const NOVEMBER = Date.UTC(2026, 10, 20, 12);
const CALLS = 4;

export function maintenancePromises(promise: Promising): void {
  promise('a ledger of settlements and entries has no violations', async ({ storage }) => {
    await fill(storage);
    const { violations, accounts, settlements, entries, holds, archives } = await storage.maintenance.verify({
      archive: true,
    });
    assert.deepEqual(violations, []);
    assert.deepEqual([accounts, settlements, entries, holds, archives], [1, 2 * CALLS, 2, 0, 0]);
    const check = await storage.maintenance.check();
    assert.deepEqual([check.violations, check.accounts, check.holds, check.sealedThrough], [[], 1, 0, null]);
  });

  promise(
    'a month is sealed once, in order and after its end; the ledger stays correct, and balances stay the same',
    async (subject) => {
      const { storage } = subject;
      await fill(storage);
      const before = await storage.ledger.load();
      assert.equal(await storage.ledger.sealedThrough(), null);
      await assert.rejects(storage.maintenance.seal('2026-13'), { code: 'invalid_value' });
      await assert.rejects(storage.maintenance.seal('2026-11'), { code: 'conflict' });
      const report = await storage.maintenance.seal('2026-09');
      assert.deepEqual([report.settlements, report.entries, report.wasSealed], [CALLS, 1, false]);
      assert.equal((await storage.maintenance.seal('2026-09')).wasSealed, true);
      assert.equal((await storage.maintenance.check()).sealedThrough, '2026-09');
      assert.equal(await storage.ledger.sealedThrough(), '2026-09');
      assert.equal(await storage.maintenance.isArchivedReference(1, 'top-up 0'), true);
      assert.equal(await storage.maintenance.isArchivedReference(1, 'top-up 1'), false);
      const again = await subject.reopen();
      assert.deepEqual((await again.storage.ledger.load()).balances, before.balances);
      const { violations, archives } = await again.storage.maintenance.verify({ archive: true });
      assert.deepEqual([violations, archives], [[], 1]);
      return again;
    },
  );

  promise('transfers are exported in order of time, page by page, sealed or not', async ({ storage }) => {
    await fill(storage);
    const whole = await transfersOf(storage, 1_000);
    assert.equal(whole.length, 2 * CALLS + 2);
    assert.deepEqual(
      whole.map(({ time }) => time),
      whole.map(({ time }) => time).toSorted(),
    );
    await storage.maintenance.seal('2026-09');
    assert.deepEqual(await transfersOf(storage, 3), whole);
  });
}

async function transfersOf({ maintenance }: Storage, limit: number): Promise<Transfer[]> {
  const found: Transfer[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await maintenance.transfers({ fromMs: 0, toMs: NOVEMBER * 2, accountId: null, cursor, limit });
    found.push(...page.transfers);
    cursor = page.cursor;
    if (cursor === null) return found;
  }
}

/** Calls and a top-up in September, and the same in November. */
async function fill({ accounts, prices, ledger, records }: Storage): Promise<void> {
  await accounts.createAccount({ name: 'Acme', createdAt: SEPTEMBER });
  const [version] = await prices.pin([pricedTarget(1_000_000n)]);
  for (const [month, at] of [SEPTEMBER, NOVEMBER].entries()) {
    await ledger.post(sampleEntry({ at: at - 1, reference: `top-up ${month}` }), NO_RULES);
    for (let call = 0; call < CALLS; call += 1)
      await ledger.commit([settlementRow(pricedSettlement(at + call * 3_600_000, version as PriceVersionId))]);
  }
  await records.drain();
}

/** 1,000 prompt tokens at 1 micro-dollar each, and 200 completion tokens at four times that price. */
function pricedSettlement(admittedAt: number, priceVersion: PriceVersionId) {
  const cost = nanoUsd(1_000n * 1_000n + 200n * 4_000n);
  return sampleSettlement(admittedAt, {
    accountId: accountId(1),
    usage: { ...NO_USAGE, inputTokens: 1_000, outputTokens: 200 },
    priceVersion,
    rate: LIST_RATE,
    ownCredential: false,
    cost,
    hold: cost,
    charge: cost,
    fault: NO_MONEY,
    variance: NO_MONEY,
    nodeLoss: NO_MONEY,
  });
}
