/**
 * The bank over the real storage and nothing else, at full load or at a fixed rate. Takes a folder,
 * the work and a duration; prints one line `result <JSON>`.
 *
 *   node bench/load/ledger-load.ts <folder> whole|streamed|waits <milliseconds> <calls a second, for waits>
 */

import { openStorage } from '../../src/app/open-storage.ts';
import type { Bank } from '../../src/billing/bank.ts';
import type { Bound } from '../../src/billing/bound.ts';
import { LedgerBank } from '../../src/billing/ledger-bank.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { accountId, keyId, newCallId, priceVersionId, projectId } from '../../src/core/ids.ts';
import { type Money, nanoUsd, parseUsd, picoUsd } from '../../src/core/money.ts';
import { LIST_RATE } from '../../src/core/rates/rate.ts';
import type { Ending, Settlement } from '../../src/core/settlement.ts';
import { NO_USAGE, type Usage } from '../../src/core/usage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { quantile } from '../statistics.ts';
import { openLoop } from './pace.ts';

/** A `whole` call is held and settled; a `streamed` one waits for its hold to be durable in between. */
export type LedgerWork = 'whole' | 'streamed' | 'waits';

export interface Busy {
  readonly perSecond: number;
  /** Of all threads, for each hold and its settlement. */
  readonly cpuMicros: number;
}

export interface Waits {
  readonly calls: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** Calls running at once. */
const LOOPS = 256;
const WARM_UP_MS = 1_500;

const ACCOUNT = accountId(1);
/** Calls of one account, on some keys of some projects. */
const KEYS = 16;
const PROJECTS = 4;
const BUDGETS = { day: parseUsd('900000'), month: parseUsd('900000') };
const BOUND: Bound = {
  fixed: picoUsd(60_000_000n),
  perOutputToken: picoUsd(600_000n),
  outputCap: 400,
  mayLower: false,
};
const COST = nanoUsd(163_500n);
const NOTHING = nanoUsd(0n);
const USAGE: Usage = { ...NO_USAGE, inputTokens: 90, outputTokens: 250 };

async function openLedger(folder: string): Promise<{ readonly bank: Bank; readonly storage: Storage }> {
  const { config } = loadConfig({ flags: { data: folder }, environment: {}, cwd: folder });
  const storage = await openStorage(config, {
    clock: systemClock,
    onProblem: ({ type, cause }) => {
      throw new Error(type, { cause });
    },
  });
  const loaded = await storage.ledger.load();
  const bank = new LedgerBank({
    store: storage.ledger,
    loaded,
    mode: 'prepaid',
    clock: systemClock,
    isWritable: () => storage.health() === 'ready',
  });
  const entry = { accountId: ACCOUNT, kind: 'topup', amount: parseUsd('1000000'), reference: 'bench' } as const;
  await bank.post({ ...entry, callId: null, note: null, at: Date.now() });
  return { bank, storage };
}

/** One call, as the gateway does it: `index` says on which key. */
async function call(bank: Bank, index: number, streamed: boolean): Promise<void> {
  const admittedAt = systemClock.now();
  const callId = newCallId(admittedAt);
  const key = keyId(1 + (index % KEYS));
  const project = projectId(1 + (index % PROJECTS));
  const answer = bank.hold({
    callId,
    admittedAt,
    accountId: ACCOUNT,
    projectId: project,
    keyId: key,
    keyBudgets: BUDGETS,
    projectBudgets: undefined,
    accountBudgets: undefined,
    bound: BOUND,
  });
  const hold = answer instanceof Promise ? await answer : answer;
  if (hold.refused !== null) throw new Error(`refused: ${hold.refused}`);
  const settlement = (ending: Ending, usage: Usage, cost: Money): Settlement => ({
    callId,
    admittedAt,
    accountId: ACCOUNT,
    projectId: project,
    keyId: key,
    operation: 'chat',
    model: 'bench/model',
    provider: 'bench',
    usage,
    usageSource: ending === 'complete' ? 'reported' : 'none',
    priceVersion: priceVersionId(1),
    rate: LIST_RATE,
    ownCredential: false,
    cost,
    hold: hold.recorded,
    charge: cost,
    fault: NOTHING,
    variance: NOTHING,
    nodeLoss: NOTHING,
    saved: NOTHING,
    ending,
  });
  if (streamed) {
    const secured = bank.persistHold(hold, settlement('gateway_crashed', NO_USAGE, NOTHING));
    if (secured !== null) await secured;
  }
  await bank.finish(hold, settlement('complete', USAGE, COST));
}

async function beBusy(bank: Bank, streamed: boolean, forMs: number): Promise<Busy> {
  let done = 0;
  let isOver = false;
  const loop = async (index: number) => {
    while (!isOver) {
      await call(bank, index, streamed);
      done += 1;
    }
  };
  const loops = Array.from({ length: LOOPS }, (_, index) => loop(index));
  await pause(WARM_UP_MS);
  const begun = { done, atMs: performance.now(), cpu: process.cpuUsage() };
  await pause(forMs);
  const calls = done - begun.done;
  const ms = performance.now() - begun.atMs;
  const { user, system } = process.cpuUsage(begun.cpu);
  isOver = true;
  await Promise.all(loops);
  return { perSecond: (calls * 1000) / ms, cpuMicros: (user + system) / calls };
}

/** What a streamed call waits for its hold and for its settlement together. */
async function wait(bank: Bank, forMs: number, perSecond: number): Promise<Waits> {
  const waitsMs: number[] = [];
  let index = 0;
  const running = new Set<Promise<void>>();
  const begin = (fromMs: number, counts: boolean) => {
    index += 1;
    const one = call(bank, index, true).then(() => {
      if (counts) waitsMs.push(performance.now() - fromMs);
      running.delete(one);
    });
    running.add(one);
  };
  await openLoop(perSecond, WARM_UP_MS, (fromMs) => begin(fromMs, false));
  await openLoop(perSecond, forMs, (fromMs) => begin(fromMs, true));
  await Promise.all(running);
  return { calls: waitsMs.length, medianMs: quantile(waitsMs, 0.5), p99Ms: quantile(waitsMs, 0.99) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (import.meta.main) {
  const [folder = '', work, forMs, perSecond] = process.argv.slice(2);
  const { bank, storage } = await openLedger(folder);
  const result =
    work === 'waits'
      ? await wait(bank, Number(forMs), Number(perSecond))
      : await beBusy(bank, work === 'streamed', Number(forMs));
  await storage.close();
  process.stdout.write(`result ${JSON.stringify(result)}\n`);
}
