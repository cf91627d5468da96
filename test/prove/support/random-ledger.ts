/** A ledger of random calls and entries over several months, written by the storage of a data folder: correct, with every kind of row that it has. */

import { sharesOf } from '../../../src/billing/charge.ts';
import { costOf } from '../../../src/billing/cost.ts';
import { ledgerRulesModule } from '../../../src/billing/ledger-rules.ts';
import type { Prices } from '../../../src/billing/ports.ts';
import { ManualClock } from '../../../src/core/clock.ts';
import { accountId, newCallId, type PriceVersionId } from '../../../src/core/ids.ts';
import { NO_MONEY, nanoUsd, roundUpToNano } from '../../../src/core/money.ts';
import { feeRate, LIST_RATE, markupRate } from '../../../src/core/rates/rate.ts';
import type { Ending, Settlement } from '../../../src/core/settlement.ts';
import { NO_USAGE } from '../../../src/core/usage.ts';
import {
  fromCache,
  NO_RULES,
  newKey,
  pricedTarget,
  sampleEntry,
  settlementRow,
} from '../../../src/storage/contract/sample-rows.ts';
import { storages } from '../../../src/storage/index.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { between, seeded } from './seeded.ts';

export interface RandomLedger {
  readonly settlements: number;
  readonly entries: number;
  readonly sealed: readonly string[];
}

const FIRST = Date.UTC(2026, 5, 1);
const MONTHS = 4;
const MONTH_MS = 30 * 86_400_000;
/** The first months are sealed. */
const SEALED = ['2026-06', '2026-07'];
const NOW = Date.UTC(2026, 9, 20);
const BATCH = 500;
const ACCOUNTS = 12;
const KEYS_EACH = 5;
const ENDINGS: readonly Ending[] = [
  'complete',
  'complete',
  'complete',
  'caller_left',
  'upstream_failed',
  'empty',
  'drained',
];
const PRICES: Prices = pricedTarget(1_250_000n).prices;

interface Caller {
  readonly accountId: Settlement['accountId'];
  readonly projectId: Settlement['projectId'];
  readonly keyId: Settlement['keyId'];
}

export async function makeRandomLedger(folder: string, calls: number, seed: number): Promise<RandomLedger> {
  const random = seeded(seed);
  const storage = await storages.sqlite.open({
    folder,
    clock: new ManualClock(NOW),
    durability: 'process',
    database: null,
    recordsBytesMax: 2 ** 30,
    givenSecrets: { pepper: null, sealingKey: null },
    maintenance: { billingMode: 'prepaid', longestCallMs: 3_600_000, version: '1', rulesModule: ledgerRulesModule },
    onProblem({ type, cause }) {
      throw new Error(type, { cause });
    },
  });
  try {
    const callers = await makeCallers(storage);
    const versions = await storage.prices.pin([pricedTarget(1_250_000n), pricedTarget(3_000_000n)]);
    let entries = 0;
    const post = async (changes: Parameters<typeof sampleEntry>[0]) => {
      await storage.ledger.post(sampleEntry({ note: 'ünï\t\\ "x"', ...changes }), NO_RULES);
      entries += 1;
    };
    for (let month = 0; month < MONTHS; month += 1)
      for (let id = 1; id <= ACCOUNTS; id += 1)
        await post({
          ...{ accountId: accountId(id), at: FIRST + month * MONTH_MS, reference: `top-up ${month}` },
          amount: nanoUsd(BigInt(between(random, 5_000, 9_000)) * 1_000_000_000n),
        });
    for (let done = 0; done < calls; done += BATCH) {
      const size = Math.min(BATCH, calls - done);
      const rows = Array.from({ length: size }, (_, index) => {
        const at = FIRST + Math.floor(((done + index) / calls) * MONTHS * MONTH_MS) + between(random, 0, 60_000);
        return randomSettlement(random, at, callers[between(random, 0, callers.length - 1)] as Caller, versions);
      });
      await storage.ledger.commit(rows.map((row) => settlementRow(row)));
      const refunded = rows.find(({ charge, hold }) => charge > 2n && hold !== null);
      if (refunded !== undefined)
        await post({
          ...{ accountId: refunded.accountId, kind: 'refund', callId: refunded.callId, reference: `refund ${done}` },
          ...{ at: refunded.admittedAt + 1, amount: nanoUsd(refunded.charge / 2n) },
        });
      if (done % (8 * BATCH) === 0)
        await post({
          ...{
            accountId: accountId(between(random, 1, ACCOUNTS)),
            kind: 'adjustment',
            reference: `adjustment ${done}`,
          },
          ...{ at: rows[0]?.admittedAt ?? FIRST, amount: nanoUsd(-BigInt(between(random, 1, 999))) },
        });
    }
    for (let index = 0; index < 500; index += 1)
      await storage.audit.append({
        ...{ at: FIRST + index, actor: { kind: 'operator', id: null, name: 'operator' }, action: 'key.create' },
        ...{ subject: { kind: 'key', id: String(index), name: 'a "name" → ü' }, accountId: accountId(1) },
        ...{ before: null, after: { budgets: { day: '9007199.254740993' } }, ip: '::1', requestId: null },
      });
    for (const month of SEALED) await storage.maintenance.seal(month);
    return { settlements: calls, entries, sealed: SEALED };
  } finally {
    await storage.close();
  }
}

async function makeCallers({ accounts }: Storage): Promise<readonly Caller[]> {
  const callers: Caller[] = [];
  for (let number = 1; number <= ACCOUNTS; number += 1) {
    const account = await accounts.createAccount({ name: `Account ${number}\\N`, createdAt: FIRST });
    const project = await accounts.createProject({ accountId: account.id, name: 'Web', createdAt: FIRST });
    for (let each = 0; each < KEYS_EACH; each += 1) {
      const { id } = await accounts.createKey(newKey(number * 100 + each, { projectId: project.id }));
      callers.push({ accountId: account.id, projectId: project.id, keyId: id });
    }
  }
  return callers;
}

function randomSettlement(
  random: () => number,
  at: number,
  caller: Caller,
  versions: readonly PriceVersionId[],
): Settlement {
  const isDear = random() < 0.3;
  const usage = {
    ...NO_USAGE,
    ...{ inputTokens: between(random, 1, 9_000), cacheReadTokens: between(random, 0, 900) },
    outputTokens: between(random, 1, 4_000),
  };
  const prices = isDear ? pricedTarget(3_000_000n).prices : PRICES;
  const cost = roundUpToNano(costOf(usage, prices));
  const ownCredential = random() < 0.1;
  const rate = ownCredential ? feeRate(5) : random() < 0.5 ? LIST_RATE : markupRate(between(random, 1, 30));
  const ending = ENDINGS[between(random, 0, ENDINGS.length - 1)] as Ending;
  const hold = nanoUsd(random() < 0.05 ? cost / 3n : cost * 2n);
  const shares = sharesOf({ ending, cost, rate, ownCredential }, hold);
  // As after a move back from several nodes.
  const nodeLoss = random() < 0.02 ? nanoUsd(shares.charge / 3n) : NO_MONEY;
  const settlement: Settlement = {
    ...caller,
    ...{ callId: newCallId(at), admittedAt: at, operation: 'chat', model: isDear ? 'acme/dear' : 'acme/plain' },
    ...{ provider: `acme-${between(random, 1, 4)}`, usage, usageSource: 'reported', rate, ownCredential, cost, hold },
    priceVersion: versions[isDear ? 1 : 0] ?? null,
    charge: nanoUsd(shares.charge - nodeLoss),
    fault: shares.fault,
    variance: shares.variance,
    nodeLoss,
    saved: NO_MONEY,
    ending,
  };
  return random() < 0.03 ? { ...fromCache(settlement), ownCredential: false, rate: LIST_RATE } : settlement;
}
