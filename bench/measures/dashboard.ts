/**
 * Good calls at a moderate open rate, by themselves and beside fifty people who look at the dashboard, in turn; then how
 * long each kind of request keeps the event loop from everything else, one request at a time.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, signIn, type Visit } from '../dashboard-client.ts';
import { pageRequests, readingRequests } from '../dashboard-requests.ts';
import { GOOD_PER_SECOND, goodP99 } from '../good-calls.ts';
import { checkAnswer } from '../load.ts';
import { makeTraffic } from '../make-traffic.ts';
import { loadCore, startPinned } from '../pinned-process.ts';
import type { Readings } from '../read-dashboard.ts';
import { median } from '../statistics.ts';
import type { Subject } from '../subjects.ts';
import { type Installation, prepareTurnpike, serveTurnpike } from '../turnpike-subject.ts';
import type { Bench, Row } from './measure.ts';

const ACCOUNTS = 20;
const CALLS = 1_000_000;
/** Of the first account, beside the ten of each. */
const MORE_KEYS = 200;
const READERS = 50;
const FOLLOWERS = 5;
const RATIO_MOST = 1.25;
const BLOCK_MS_MOST = 5;
/** Below this share the readers were others than were meant: Turnpike, or the core that they are on, was too busy. */
const PAGES_SHARE_MIN = 0.95;
/** By then each reader has opened every page once. */
const SETTLE_MS = 6_000;
const WARM_UPS = 3;

export async function measureDashboard(bench: Bench): Promise<Row[]> {
  const calls = bench.quick ? CALLS / 100 : CALLS;
  bench.say(`making ${calls.toLocaleString('en')} calls of ${ACCOUNTS} accounts`);
  const installation = prepareTurnpike(bench.backend, { keys: MORE_KEYS, accounts: ACCOUNTS });
  try {
    await makeTraffic(installation, { accounts: ACCOUNTS, calls, days: 30, rollupsOnly: false });
    const beside = await measureReaders(bench, installation);
    return [...readerRows(beside), blockRow(await measureBlocks(bench, installation))];
  } finally {
    installation.remove();
  }
}

interface Beside {
  /** 99th percentiles of good calls, ms, by round. */
  readonly alone: readonly number[];
  readonly read: readonly number[];
  readonly readings: readonly Readings[];
}

async function measureReaders(bench: Bench, installation: Installation): Promise<Beside> {
  const { profileFolder, quick } = bench;
  const options = { profileFolder, watchLoop: false, countStatements: false, ledger: 'kept' } as const;
  const { subject } = await serveTurnpike(installation, options);
  try {
    await checkAnswer(subject, 'openai-chat', 'whole');
    const visit = await signIn(subject);
    for (const path of pageRequests(1, Date.now()).flat()) await ask(visit, path);
    const forMs = quick ? 3_000 : 8_000;
    const rounds = quick ? 2 : 5;
    await goodP99(subject, forMs);
    const alone: number[] = [];
    const read: number[] = [];
    const readings: Readings[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      alone.push(await goodP99(subject, forMs));
      const { p99Ms, seen } = await goodP99WhileRead(subject, visit, forMs);
      read.push(p99Ms);
      readings.push(seen);
      bench.say(
        `dashboard, round ${round} of ${rounds}: p99 of good calls ${alone.at(-1)?.toFixed(2)} ms, ${p99Ms.toFixed(2)} ms ` +
          `beside ${READERS} readers (${seen.pagesPerSecond.toFixed(0)} pages and ${seen.requestsPerSecond.toFixed(0)} ` +
          `requests a second, p95 ${seen.p95Ms.toFixed(0)} ms, ${seen.missed} pages late, ${seen.shed} × 503; ` +
          `${seen.eventsPerSecond.toFixed(0)} calls a second seen live by each of ${FOLLOWERS})`,
      );
    }
    return { alone, read, readings };
  } finally {
    await subject.stop();
  }
}

async function goodP99WhileRead(
  subject: Subject,
  visit: Visit,
  forMs: number,
): Promise<{ readonly p99Ms: number; readonly seen: Readings }> {
  const program = join(import.meta.dirname, '..', 'read-dashboard.ts');
  const parameters = [subject.port, READERS, FOLLOWERS, ACCOUNTS].map(String);
  const environment = { TURNPIKE_COOKIE: visit.cookie };
  const child = startPinned(loadCore, process.execPath, [program, ...parameters], { environment });
  try {
    await child.printed(/^reading$/m);
    await sleep(SETTLE_MS);
    const p99Ms = await goodP99(subject, forMs);
    await child.stop();
    const result = child.lastWords()?.match(/^result (.*)$/m)?.[1];
    if (result === undefined) throw new Error(`the readers broke off:\n${child.lastWords()}`);
    const seen = JSON.parse(result) as Readings;
    if (seen.wrong !== null) throw new Error(`a reader was not answered as was meant: ${seen.wrong}`);
    return { p99Ms, seen };
  } finally {
    await child.stop();
  }
}

function readerRows({ alone, read, readings }: Beside): Row[] {
  const ratios = read.map((ms, round) => ms / (alone[round] as number));
  const pages = readings.map(({ pagesPerSecond }) => pagesPerSecond);
  const waits = readings.map(({ p95Ms }) => p95Ms);
  return [
    {
      ...row(
        `p99 of good calls beside ${READERS} dashboard readers ÷ without (${median(alone).toFixed(2)} ms)`,
        ratios,
      ),
      target: { type: 'absolute', most: RATIO_MOST },
    },
    {
      ...row(`pages that ${READERS} readers got to see`, pages),
      unit: 'a second',
      digits: 0,
      target: { type: 'at-least', least: READERS * PAGES_SHARE_MIN },
    },
    {
      ...row(`wait of a reader's request beside ${GOOD_PER_SECOND} calls a second, p95`, waits),
      unit: 'ms',
      digits: 0,
    },
  ];
}

function row(work: string, rounds: readonly number[]): Row {
  return {
    work,
    unit: '',
    digits: 2,
    values: { turnpike: median(rounds) },
    rounds: { turnpike: rounds },
    target: null,
  };
}

interface Block {
  readonly name: string;
  /** The longest while that one request took, the median of some. */
  readonly medianMs: number;
  readonly worstMs: number;
}

/** By kind of request, the worst one first. */
async function measureBlocks(bench: Bench, installation: Installation): Promise<readonly Block[]> {
  const { profileFolder, quick } = bench;
  const options = { profileFolder, watchLoop: true, countStatements: false, ledger: 'kept' } as const;
  const { subject } = await serveTurnpike(installation, options);
  try {
    await checkAnswer(subject, 'openai-chat', 'whole');
    const visit = await signIn(subject);
    const requests = Object.entries(readingRequests({ nowMs: Date.now(), call: await someCall(visit) }));
    const blocks: Block[] = [];
    for (const [name, path] of requests)
      blocks.push(await measureBlock(subject, visit, { name, path }, quick ? 5 : 15));
    blocks.sort((left, right) => right.medianMs - left.medianMs);
    bench.say(
      `event loop blocked by one request, median and worst: ` +
        blocks
          .map(({ name, medianMs, worstMs }) => `${name} ${medianMs.toFixed(1)} ${worstMs.toFixed(1)} ms`)
          .join(' · '),
    );
    return blocks;
  } finally {
    await subject.stop();
  }
}

async function someCall(visit: Visit): Promise<string> {
  const { text } = await ask(visit, '/calls?account=1&limit=1');
  const { data } = JSON.parse(text) as { data: { id: string }[] };
  if (data[0] === undefined) throw new Error('the account has no calls');
  return data[0].id;
}

async function measureBlock(
  subject: Subject,
  visit: Visit,
  { name, path }: { readonly name: string; readonly path: string },
  times: number,
): Promise<Block> {
  if (subject.loopWorstMs === null) throw new Error('the event loop of this subject is not watched');
  const seen: number[] = [];
  for (let time = -WARM_UPS; time < times; time += 1) {
    await subject.loopWorstMs();
    await ask(visit, path);
    const blockMs = await subject.loopWorstMs();
    if (time >= 0) seen.push(blockMs);
  }
  return { name, medianMs: median(seen), worstMs: Math.max(...seen) };
}

function blockRow([worst]: readonly Block[]): Row {
  if (worst === undefined) throw new Error('nothing was asked for');
  return {
    work: `event-loop block by a dashboard's request, the worst kind (${worst.name})`,
    unit: 'ms',
    digits: 1,
    values: { turnpike: worst.medianMs },
    rounds: null,
    target: { type: 'absolute', most: BLOCK_MS_MOST },
  };
}
