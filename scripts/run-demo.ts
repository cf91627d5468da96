/**
 * The main tasks in a few seconds, against the built-in provider: `npm run demo`. Starts the
 * program on a free port with a temporary data folder, makes a call of every kind, and prints what
 * was returned and the remaining balance. Exits 1 if anything was not as expected.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../src/app/app.ts';
import { balanceOf } from '../src/billing/money-view.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { accountId } from '../src/core/ids.ts';
import { formatUsd, type Money, NO_MONEY } from '../src/core/money.ts';
import type { Outcome, Step } from './demo-step.ts';
import { steps } from './demo-steps.ts';

const startedMs = performance.now();
const folder = await mkdtemp(join(tmpdir(), 'turnpike-demo-'));
const { config } = loadConfig({
  flags: { port: '0', data: join(folder, 'data'), 'log-level': 'silent' },
  environment: { DEMO: 'true' },
  cwd: folder,
});
const app = await openApp(config);
try {
  const { url } = await app.listen();
  await app.begin();
  process.exitCode = (await runSteps(steps(app, url))) ? 0 : 1;
} finally {
  await app.close();
  await rm(folder, { recursive: true, force: true });
}
const tookSeconds = ((performance.now() - startedMs) / 1000).toFixed(1);
console.log(`${process.exitCode === 0 ? 'All is well' : 'FAILED'} after ${tookSeconds} s.`);

async function runSteps(all: readonly Step[]): Promise<boolean> {
  let isRight = true;
  console.log(line(' ', 'step', 'http', 'ms', 'balance', 'what came back'));
  for (const step of all) {
    const [before, stepMs] = [await balance(app), performance.now()];
    const outcome = await run(step);
    const tookMs = (performance.now() - stepMs).toFixed(1);
    const after = await balance(app);
    const isPaid = step.balance === 'charged' ? after < before : after === before;
    const mark = outcome.isRight && isPaid ? '✓' : '✗';
    console.log(line(mark, step.name, String(outcome.status ?? ''), tookMs, `$${formatUsd(after)}`, outcome.saw));
    isRight &&= outcome.isRight && isPaid;
  }
  return isRight;
}

async function run(step: Step): Promise<Outcome> {
  try {
    return await step.run();
  } catch (error) {
    return { saw: error instanceof Error ? error.message : String(error), status: null, isRight: false };
  }
}

function line(mark: string, name: string, status: string, ms: string, balance: string, saw: string): string {
  return [mark, name.padEnd(28), status.padEnd(4), ms.padStart(7), ` ${balance.padEnd(12)}`, saw].join(' ');
}

/** The account that the first run created. */
async function balance({ gateway }: App): Promise<Money> {
  return (await balanceOf(gateway.bank.money, accountId(1)))?.balance ?? NO_MONEY;
}
