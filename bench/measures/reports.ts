/**
 * How long reports on consumption take, requested one at a time from the running server by a signed-in operator: from ten
 * million records, and from the sums of a hundred million calls. Accounts and periods change from one to the next.
 */
import { ask, signIn, type Visit } from '../load/dashboard-client.ts';
import { month, type UsageAsked, usagePath, week } from '../load/dashboard-requests.ts';
import { makeTraffic } from '../load/make-traffic.ts';
import { quantile } from '../statistics.ts';
import { prepareTurnpike, serveTurnpike } from '../turnpike-subject.ts';
import type { Bench, Row } from './measure.ts';

const ACCOUNTS = 20;
/** Reports of thirty days end with today, or with one of the days before. */
const LAST_DAYS = 5;
const DAYS = 30 + LAST_DAYS - 1;
const QUERIES = 100;
const WARM_UPS = 5;

interface Size {
  readonly calls: number;
  readonly rollupsOnly: boolean;
  readonly what: string;
  readonly p95MsMost: number;
}

const SIZES: readonly Size[] = [
  { calls: 10_000_000, rollupsOnly: false, what: 'records', p95MsMost: 200 },
  { calls: 100_000_000, rollupsOnly: true, what: "calls' sums", p95MsMost: 500 },
];

type AskedAt = (account: number, number: number) => UsageAsked;

/** What pages ask for. */
const KINDS: Readonly<Record<string, AskedAt>> = {
  '30 days by model': (account, number) => ({ ...days(number), account, groupBy: 'model' }),
  '30 days by key': (account, number) => ({ ...days(number), account, groupBy: 'key' }),
  '30 days': (account, number) => ({ ...days(number), account, groupBy: 'none' }),
  '7 days by hour and model': (account) => ({ ...week(Date.now()), account, groupBy: 'model' }),
};

function days(number: number) {
  return month(Date.now(), number % LAST_DAYS);
}

export async function measureReports(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of SIZES)
    rows.push(...(await measureSize(bench, { ...size, calls: bench.quick ? size.calls / 100 : size.calls })));
  return rows;
}

async function measureSize(bench: Bench, { calls, rollupsOnly, what, p95MsMost }: Size): Promise<Row[]> {
  const { profileFolder } = bench;
  const named = `${calls.toLocaleString('en')} ${what}`;
  bench.say(`making ${named}`);
  const installation = prepareTurnpike(bench.backend, { accounts: ACCOUNTS });
  try {
    await makeTraffic(installation, { accounts: ACCOUNTS, calls, days: DAYS, rollupsOnly });
    const options = { profileFolder, watchLoop: false, countStatements: false, ledger: 'kept' } as const;
    const { subject } = await serveTurnpike(installation, options);
    try {
      const visit = await signIn(subject);
      const rows: Row[] = [];
      for (const [kind, askedAt] of Object.entries(KINDS)) {
        const tookMs = await askFor(visit, askedAt, bench.quick ? QUERIES / 4 : QUERIES);
        bench.say(`usage of ${kind}, ${named}: median ${figure(tookMs, 0.5)}, p95 ${figure(tookMs, 0.95)}`);
        rows.push(row(`report on usage, ${kind}, ${named}, p95`, quantile(tookMs, 0.95), p95MsMost));
      }
      return rows;
    } finally {
      await subject.stop();
    }
  } finally {
    installation.remove();
  }
}

/** Milliseconds. Throws if a report has no calls: then it is not the intended one. */
async function askFor(visit: Visit, askedAt: AskedAt, queries: number): Promise<number[]> {
  const seen: number[] = [];
  for (let number = -WARM_UPS; number < queries; number += 1) {
    const path = usagePath(askedAt(1 + ((number + WARM_UPS) % ACCOUNTS), number + WARM_UPS));
    const { text, tookMs } = await ask(visit, path);
    const { data } = JSON.parse(text) as { data: { totals: { requests: number } } };
    if (data.totals.requests === 0) throw new Error(`${path} tells of no calls`);
    if (number >= 0) seen.push(tookMs);
  }
  return seen;
}

function figure(tookMs: readonly number[], fraction: number): string {
  return `${quantile(tookMs, fraction).toFixed(0)} ms`;
}

function row(work: string, turnpike: number, most: number): Row {
  return {
    work,
    unit: 'ms',
    digits: 0,
    values: { turnpike },
    rounds: null,
    target: { type: 'absolute', most },
  };
}
