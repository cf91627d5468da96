/** A correct ledger with calls and entries of three months, for tests of maintenance. */
import { DatabaseSync } from 'node:sqlite';
import type { Prices } from '../../../billing/ports.ts';
import { accountId, type CallId, keyId, type PriceVersionId } from '../../../core/ids.ts';
import { NO_MONEY, nanoUsd, picoUsd } from '../../../core/money.ts';
import { LIST_RATE } from '../../../core/rates/rate.ts';
import type { Settlement } from '../../../core/settlement.ts';
import { NO_USAGE } from '../../../core/usage.ts';
import { NO_RULES, sampleEntry, sampleRecord, sampleSettlement, settlementRow } from '../../contract/sample-rows.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../sqlite-under-test.ts';

export const SEPTEMBER = Date.UTC(2026, 8, 15, 12);
export const OCTOBER = Date.UTC(2026, 9, 15, 12);
/** The same day as the storage's clock. */
export const NOVEMBER = Date.UTC(2026, 10, 21, 9);

export const PRICES: Prices = {
  input: picoUsd(1_000_000n),
  output: picoUsd(5_000_000n),
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  inputAudio: null,
  outputAudio: null,
  cacheReadAudio: null,
  inputImage: null,
  outputImage: null,
  reasoning: null,
  image: null,
  request: null,
  webSearch: null,
  fileSearch: null,
  codeInterpreter: null,
  units: [{ unit: 'image', price: picoUsd(2_000_000n) }],
  tiers: [],
};

export interface ValidLedger {
  readonly under: SqliteUnderTest;
  /** Newest last. */
  readonly calls: readonly CallId[];
  /** Changes the database directly, bypassing the storage. */
  corrupt(sql: string): void;
}

/** Two accounts; in each month three calls per account, a top-up per account, and a refund of one call. */
export async function openValidLedger(): Promise<ValidLedger> {
  const under = await openSqliteUnderTest();
  const { storage } = under;
  for (const name of ['first', 'second']) await storage.accounts.createAccount({ name, createdAt: SEPTEMBER });
  const target = { model: 'acme/large', provider: 'acme', upstreamModel: 'large-1', prices: PRICES };
  const [version] = await storage.prices.pin([target]);
  const calls: CallId[] = [];
  for (const [month, at] of [SEPTEMBER, OCTOBER, NOVEMBER].entries()) {
    for (const account of [1, 2])
      await storage.ledger.post(
        sampleEntry({ accountId: accountId(account), at, reference: `top-up ${month}` }),
        NO_RULES,
      );
    for (let index = 0; index < 6; index += 1) {
      const settlement = validSettlement(at + index * 3_600_000, version as PriceVersionId, index);
      calls.push(settlement.callId);
      await storage.ledger.commit([settlementRow(settlement)]);
      storage.records.append(sampleRecord(settlement));
      if (index === 0) await storage.ledger.post(refundOf(settlement), NO_RULES);
    }
  }
  await storage.records.drain();
  return {
    under,
    calls,
    corrupt(sql) {
      const database = new DatabaseSync(under.databasePath, { timeout: 1_000 });
      database.exec(sql);
      database.close();
    },
  };
}

export function validSettlement(admittedAt: number, version: PriceVersionId, index: number): Settlement {
  const usage = {
    ...NO_USAGE,
    inputTokens: 1_000 + index,
    outputTokens: 200,
    units: index,
    unitLine: Math.min(index, 1),
  };
  const cost = nanoUsd(BigInt(usage.inputTokens) * 1_000n + 1_000_000n + BigInt(index) * 2_000n);
  const isFault = index % 3 === 1;
  const isAbove = index % 3 === 2;
  const charge = isFault ? NO_MONEY : isAbove ? nanoUsd(cost - 7n) : cost;
  return sampleSettlement(admittedAt, {
    accountId: accountId(1 + (index % 2)),
    keyId: keyId(1 + (index % 2)),
    usage,
    usageSource: 'reported',
    priceVersion: version,
    rate: LIST_RATE,
    ownCredential: false,
    cost,
    hold: isAbove ? charge : nanoUsd(cost + 1_000n),
    charge,
    fault: isFault ? cost : NO_MONEY,
    variance: isAbove ? nanoUsd(7n) : NO_MONEY,
    nodeLoss: NO_MONEY,
    saved: NO_MONEY,
    ending: isFault ? 'upstream_failed' : 'complete',
  });
}

function refundOf({ callId, accountId: account, admittedAt }: Settlement) {
  const amount = nanoUsd(5_000n);
  return sampleEntry({
    accountId: account,
    kind: 'refund',
    amount,
    callId,
    at: admittedAt,
    reference: `refund ${callId}`,
  });
}
