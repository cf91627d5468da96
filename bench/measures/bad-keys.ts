/**
 * Good calls at a moderate open rate, alone and together with requests with unknown keys, in turn. Once all those
 * come from one address, which is over its rate, so that they are made to wait; once from a Turnpike that treats each as
 * an address's first, as a flood from very many addresses would be, so that all are answered immediately.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHAT } from '../dialects.ts';
import type { Flooded } from '../load/flood.ts';
import { goodP99 } from '../load/good-calls.ts';
import { checkAnswer } from '../load/load.ts';
import { loadCore, type PinnedProcess, startPinned } from '../pinned-process.ts';
import { median } from '../statistics.ts';
import type { Subject } from '../subject.ts';
import type { Bench, Row } from './measure.ts';

const BAD_PER_SECOND = 10_000;
const RATIO_MOST = 1.25;
/** Below this share the flood was not the intended one: Turnpike, or the core that sends it, was too busy. */
const RATE_SHARE_MIN = 0.95;
const FLOOD_ALONE_MS = 3_000;
/** By then each connection of the flood has sent its first request. */
const SETTLE_MS = 2_000;
const NEVER_OVER_THE_RATE = 1_000_000_000;

const OFFERED = `${BAD_PER_SECOND.toLocaleString('en')} bad keys a second`;

export async function measureBadKeys(bench: Bench): Promise<Row[]> {
  const waiting = await measureFlood(bench, 'one address', {});
  const answered = await measureFlood(bench, 'many addresses', { badKeysBurst: NEVER_OVER_THE_RATE });
  const { statements, cpuMicros } = answered.byThemselves;
  return [
    ratioRow('from one address', waiting, { type: 'absolute', most: RATIO_MOST }),
    rateRow(`answered of ${OFFERED} from one address`, waiting, null),
    ratioRow('from many addresses', answered, null),
    rateRow(`answered of ${OFFERED} from many addresses`, answered, {
      type: 'at-least',
      least: BAD_PER_SECOND * RATE_SHARE_MIN,
    }),
    plainRow('CPU per bad key answered', 'µs', 1, cpuMicros, null),
    plainRow(`database statements of ${OFFERED}`, '', 0, waiting.byThemselves.statements + statements, {
      type: 'absolute',
      most: 0,
    }),
  ];
}

interface Measured {
  /** 99th percentiles of good calls, ms, by round. */
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  /** Answered a second, by round. */
  readonly rates: readonly number[];
  readonly byThemselves: FloodAlone;
}

async function measureFlood(
  bench: Bench,
  from: string,
  options: { readonly badKeysBurst?: number },
): Promise<Measured> {
  const subject = await bench.startFresh('turnpike', { countStatements: true, ...options });
  try {
    await checkAnswer(subject, CHAT, 'whole');
    const forMs = bench.quick ? 3_000 : 8_000;
    const rounds = bench.quick ? 2 : 7;
    await goodP99(subject, forMs);
    const alone: number[] = [];
    const beside: number[] = [];
    const rates: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const quiet = await goodP99(subject, forMs);
      const { value: flooded, flood } = await whileFlooded(subject, () => goodP99(subject, forMs));
      alone.push(quiet);
      beside.push(flooded);
      rates.push(flood.perSecond);
      bench.say(
        `bad keys from ${from}, round ${round} of ${rounds}: p99 of good calls ${quiet.toFixed(2)} ms, ${flooded.toFixed(2)} ms ` +
          `beside ${Math.round(flood.perSecond).toLocaleString('en')} a second (${flood.refused} × 401, ` +
          `${flood.slowedDown} × 429, ${flood.missed} not sent because all connections waited)`,
      );
    }
    return { alone, beside, rates, byThemselves: await floodAlone(subject) };
  } finally {
    await subject.stop();
  }
}

function ratioRow(from: string, { alone, beside }: Measured, target: Row['target']): Row {
  const ratios = beside.map((ms, round) => ms / (alone[round] as number));
  return {
    work: `p99 of good calls with ${OFFERED} ${from} ÷ without (${median(alone).toFixed(2)} ms)`,
    unit: '',
    digits: 2,
    values: { turnpike: median(ratios) },
    rounds: { turnpike: ratios },
    target,
  };
}

function rateRow(work: string, { rates }: Measured, target: Row['target']): Row {
  const rounds = { turnpike: rates };
  return { work, unit: 'a second', digits: 0, values: { turnpike: median(rates) }, rounds, target };
}

function plainRow(work: string, unit: Row['unit'], digits: number, value: number, target: Row['target']): Row {
  return { work, unit, digits, values: { turnpike: value }, rounds: null, target };
}

interface FloodAlone {
  readonly statements: number;
  readonly cpuMicros: number;
}

/** Statements of SQLite in all, and CPU time for each request. */
async function floodAlone(subject: Subject): Promise<FloodAlone> {
  const { statements, process: measured } = subject;
  if (statements === null || measured === null) throw new Error('the statements of this subject are not counted');
  const { value, flood } = await whileFlooded(subject, async () => {
    // What good calls left to write is written by now.
    await sleep(1_500);
    await statements();
    const before = { cpuMicros: measured.cpuMicros(), atMs: performance.now() };
    await sleep(FLOOD_ALONE_MS);
    const cpuMicros = measured.cpuMicros() - before.cpuMicros;
    return { cpuMicrosPerMs: cpuMicros / (performance.now() - before.atMs), statements: await statements() };
  });
  return { statements: value.statements, cpuMicros: (value.cpuMicrosPerMs * 1000) / flood.perSecond };
}

async function whileFlooded<T>(
  subject: Subject,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly flood: Flooded }> {
  const child = startFlood(subject);
  try {
    await child.printed(/^flooding$/m);
    await sleep(SETTLE_MS);
    return { value: await work(), flood: await endOf(child) };
  } finally {
    await child.stop();
  }
}

function startFlood(subject: Subject): PinnedProcess {
  const program = join(import.meta.dirname, '..', 'load', 'flood.ts');
  const parameters = [
    program,
    String(subject.port),
    subject.path(CHAT, { model: '', stream: false }),
    String(BAD_PER_SECOND),
  ];
  return startPinned(loadCore, process.execPath, parameters);
}

/** Throws if a request of the flood was not refused. */
async function endOf(child: PinnedProcess): Promise<Flooded> {
  await child.stop();
  const result = child.lastWords()?.match(/^result (.*)$/m)?.[1];
  if (result === undefined) throw new Error(`the flood broke off:\n${child.lastWords()}`);
  const flood = JSON.parse(result) as Flooded;
  if (flood.wrong > 0) throw new Error(`bad keys were not refused: ${result}`);
  return flood;
}
