/**
 * Good calls at a moderate open rate, alone and together with fifty people using the dashboard, in turn; then how
 * long each kind of request blocks the event loop, one request at a time.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHAT } from '../dialects.ts';
import { ask, signIn, type Visit } from '../load/dashboard-client.ts';
import { pageRequests, readingRequests } from '../load/dashboard-requests.ts';
import { GOOD_PER_SECOND, goodP99 } from '../load/good-calls.ts';
import { checkAnswer } from '../load/load.ts';
import { makeTraffic } from '../load/make-traffic.ts';
import type { Readings } from '../load/read-dashboard.ts';
import { loadCore, startPinned } from '../pinned-process.ts';
import { median } from '../statistics.ts';
import type { Subject } from '../subject.ts';
import { direct } from '../subjects.ts';
import { type Installation, prepareTurnpike, serveTurnpike } from '../turnpike-subject.ts';
import type { Bench, Row } from './measure.ts';

const ACCOUNTS = 20;
const CALLS = 1_000_000;
/** Of the first account, in addition to the ten of each. */
const MORE_KEYS = 200;
const READERS = 50;
/** How often a reader opens another page; and one that only clicks through them, which nobody does for long. */
const READING_SECONDS = 5;
const LEAFING_SECONDS = 1;
const FOLLOWERS = 5;
const RATIO_MOST = 1.25;
const BLOCK_MS_MOST = 5;
/** Below this share the readers were not the intended load: Turnpike, or their core, was too busy. */
const PAGES_SHARE_MIN = 0.95;
/** By then each reader has opened a page, and those that click through them every one. */
const SETTLE_MS = 6_000;
const WARM_UPS = 3;

export async function measureDashboard(bench: Bench): Promise<Row[]> {
  const calls = bench.quick ? CALLS / 100 : CALLS;
  bench.say(`making ${calls.toLocaleString('en')} calls of ${ACCOUNTS} accounts`);
  const installation = prepareTurnpike(bench.backend, { keys: MORE_KEYS, accounts: ACCOUNTS });
  try {
    await makeTraffic(installation, { accounts: ACCOUNTS, calls, days: 30, rollupsOnly: false });
    const { reading, leafing } = await measureReaders(bench, installation);
    return [
      ...readerRows(reading, RATIO_MOST),
      ...readerRows(leafing, null),
      blockRow(await measureBlocks(bench, installation)),
    ];
  } finally {
    installation.remove();
  }
}

interface Beside {
  readonly seconds: number;
  /** 99th percentiles of good calls, ms, by round. */
  readonly alone: readonly number[];
  readonly read: readonly number[];
  /** The same for calls straight to the backend: what readers do to backend and load generator, whose core they share. */
  readonly straight: { readonly alone: readonly number[]; readonly read: readonly number[] };
  readonly readings: readonly Readings[];
}

async function measureReaders(
  bench: Bench,
  installation: Installation,
): Promise<{ readonly reading: Beside; readonly leafing: Beside }> {
  const { profileFolder } = bench;
  const options = { profileFolder, watchLoop: false, countStatements: false, ledger: 'kept' } as const;
  const { subject } = await serveTurnpike(installation, options);
  try {
    await checkAnswer(subject, CHAT, 'whole');
    const visit = await signIn(subject);
    for (const path of pageRequests(1, Date.now()).flat()) await ask(visit, path);
    await goodP99(subject, roundMs(bench));
    // First, so that every page was requested before the slower readers start.
    const leafing = await measureRounds(bench, subject, visit, LEAFING_SECONDS);
    return { leafing, reading: await measureRounds(bench, subject, visit, READING_SECONDS) };
  } finally {
    await subject.stop();
  }
}

function roundMs({ quick }: Bench): number {
  return quick ? 3_000 : 8_000;
}

async function measureRounds(bench: Bench, subject: Subject, visit: Visit, seconds: number): Promise<Beside> {
  const forMs = roundMs(bench);
  const rounds = bench.quick ? 2 : 5;
  const alone: number[] = [];
  const read: number[] = [];
  const straight = { alone: [] as number[], read: [] as number[] };
  const readings: Readings[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    alone.push(await goodP99(subject, forMs));
    straight.alone.push(await goodP99(direct(bench.backend), forMs));
    const { p99Ms, straightP99Ms, seen } = await goodP99WhileRead(bench, subject, visit, { forMs, seconds });
    read.push(p99Ms);
    straight.read.push(straightP99Ms);
    readings.push(seen);
    bench.say(
      `dashboard, round ${round} of ${rounds}: p99 of good calls ${alone.at(-1)?.toFixed(2)} ms, ${p99Ms.toFixed(2)} ms ` +
        `beside ${READERS} readers, straight to the backend ${straight.alone.at(-1)?.toFixed(2)} and ` +
        `${straightP99Ms.toFixed(2)} ms (${seen.pagesPerSecond.toFixed(0)} pages and ${seen.requestsPerSecond.toFixed(0)} ` +
        `requests a second, p95 ${seen.p95Ms.toFixed(0)} ms, ${seen.missed} pages late, ${seen.shed} × 503; ` +
        `${seen.eventsPerSecond.toFixed(0)} calls a second seen live by each of ${FOLLOWERS})`,
    );
  }
  return { seconds, alone, read, straight, readings };
}

async function goodP99WhileRead(
  { backend }: Bench,
  subject: Subject,
  visit: Visit,
  { forMs, seconds }: { readonly forMs: number; readonly seconds: number },
): Promise<{ readonly p99Ms: number; readonly straightP99Ms: number; readonly seen: Readings }> {
  const program = join(import.meta.dirname, '..', 'load', 'read-dashboard.ts');
  const parameters = [subject.port, READERS, FOLLOWERS, ACCOUNTS, seconds].map(String);
  const environment = { TURNPIKE_COOKIE: visit.cookie };
  const child = startPinned(loadCore, process.execPath, [program, ...parameters], { environment });
  try {
    await child.printed(/^reading$/m);
    await sleep(SETTLE_MS);
    const p99Ms = await goodP99(subject, forMs);
    const straightP99Ms = await goodP99(direct(backend), forMs);
    await child.stop();
    const result = child.lastWords()?.match(/^result (.*)$/m)?.[1];
    if (result === undefined) throw new Error(`the readers broke off:\n${child.lastWords()}`);
    const seen = JSON.parse(result) as Readings;
    if (seen.wrong !== null) throw new Error(`a reader was not answered as was meant: ${seen.wrong}`);
    return { p99Ms, straightP99Ms, seen };
  } finally {
    await child.stop();
  }
}

/** `most`: null measures without a target. */
function readerRows({ seconds, alone, read, straight, readings }: Beside, most: number | null): Row[] {
  const who = `${READERS} readers who open a page every ${seconds === 1 ? 'second' : `${seconds} seconds`}`;
  const ratios = ratiosOf(read, alone);
  const pages = readings.map(({ pagesPerSecond }) => pagesPerSecond);
  const waits = readings.map(({ p95Ms }) => p95Ms);
  return [
    {
      ...row(`p99 of good calls with ${who} ÷ without (${median(alone).toFixed(2)} ms)`, ratios),
      target: most === null ? null : { type: 'absolute', most },
    },
    row(
      `the same of calls straight to the backend (${median(straight.alone).toFixed(2)} ms)`,
      ratiosOf(straight.read, straight.alone),
    ),
    {
      ...row(`pages served to ${who}`, pages),
      unit: 'a second',
      digits: 0,
      target: { type: 'at-least', least: (READERS / seconds) * PAGES_SHARE_MIN },
    },
    {
      ...row(`wait of their requests with ${GOOD_PER_SECOND} calls a second, p95`, waits),
      unit: 'ms',
      digits: 0,
    },
  ];
}

function ratiosOf(above: readonly number[], below: readonly number[]): number[] {
  return above.map((ms, round) => ms / (below[round] as number));
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
  /** The longest time that one request took, the median of several. */
  readonly medianMs: number;
  readonly worstMs: number;
}

/** By kind of request, the worst one first. */
async function measureBlocks(bench: Bench, installation: Installation): Promise<readonly Block[]> {
  const { profileFolder } = bench;
  const options = { profileFolder, watchLoop: true, countStatements: false, ledger: 'kept' } as const;
  const { subject } = await serveTurnpike(installation, options);
  try {
    await checkAnswer(subject, CHAT, 'whole');
    const visit = await signIn(subject);
    const requests = Object.entries(readingRequests({ nowMs: Date.now(), call: await someCall(visit) }));
    const blocks: Block[] = [];
    for (const [name, path] of requests)
      blocks.push(await measureBlock(subject, visit, { name, path }, bench.quick ? 5 : 15));
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
