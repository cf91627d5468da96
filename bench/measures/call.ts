/**
 * CPU time of a non-streamed call: 0.3 kB in, 1 kB out, over 64 busy connections. Turnpike is measured in each
 * round as it is and without its ledger, which says what exact money costs.
 */

import { wholeAnswer } from '../bodies.ts';
import { CHAT } from '../dialects.ts';
import { callRepeatedly, checkAnswer, expectSuccess, openConnections, requestBytes } from '../load/load.ts';
import { median } from '../statistics.ts';
import type { Subject } from '../subject.ts';
import type { Bench, Row } from './measure.ts';
import { inRounds, inStarts, listed, medians, type Rounds, repeats, wordsOf } from './rounds.ts';

const CONNECTIONS = 64;
/** V8 keeps compiling what runs often: the figure falls for some 80,000 calls, and then stays. */
export const FIRST_WARM_UP = 100_000;
export const WARM_UP = 2_000;
const CALLS = 20_000;
/** What the ledger may cost: this many times the call without it. */
const LEDGER_MOST = 1.2;

/** Turnpike without its ledger, and what a settlement then waits for. */
const VARIANTS = [
  { ledger: 'none', words: 'without, no wait' },
  { ledger: 'turn', words: 'without, same wait' },
] as const;

type Variant = (typeof VARIANTS)[number];

export async function measureCalls(bench: Bench): Promise<Row[]> {
  const { rounds, without } = await measureInRounds(bench);
  const call: Row = {
    work: 'CPU per non-streamed call, 0.3 kB in, 1 kB out',
    unit: 'µs',
    digits: 1,
    values: medians(rounds),
    rounds,
    target: null,
  };
  return [call, ...ledgerRows(rounds, without)];
}

/** The rows of the ledger alone. */
export async function measureLedger(bench: Bench): Promise<Row[]> {
  const subjects = bench.subjects.filter(({ name }) => name === 'turnpike');
  const { rounds, without } = await measureInRounds({ ...bench, subjects });
  return ledgerRows(rounds, without);
}

function ledgerRows({ turnpike }: Rounds, without: ReadonlyMap<Variant, readonly number[]>): Row[] {
  if (turnpike === undefined) return [];
  return [...without].map(([{ words }, micros]) => {
    const ratios = turnpike.map((own, round) => own / (micros[round] as number));
    return {
      work: `CPU per call with ledger and records ÷ ${words} (${median(micros).toFixed(1)} µs)`,
      unit: '',
      digits: 2,
      values: { turnpike: median(ratios) },
      rounds: { turnpike: ratios },
      target: { type: 'absolute', most: LEDGER_MOST },
    };
  });
}

interface Measured {
  /** Microseconds of CPU per call. */
  readonly rounds: Rounds;
  /** The same of Turnpike without its ledger. */
  readonly without: ReadonlyMap<Variant, readonly number[]>;
}

async function measureInRounds(bench: Bench): Promise<Measured> {
  const { starts, rounds: count } = repeats(bench);
  const calls = bench.quick ? 8_000 : CALLS;
  const without = new Map<Variant, number[]>();
  let rounds: Rounds = {};
  await inStarts(bench, starts, async (subjects, words) => {
    const variants = subjects.some(({ name }) => name === 'turnpike') ? VARIANTS : [];
    const others = new Map<Variant, Subject>();
    try {
      for (const variant of variants)
        others.set(variant, await bench.startFresh('turnpike', { ledger: variant.ledger }));
      for (const subject of [...subjects, ...others.values()]) {
        await checkAnswer(subject, CHAT, 'whole');
        await measureCall(subject, bench.quick ? 8_000 : FIRST_WARM_UP, 1);
      }
      rounds = await inRounds(bench, subjects, count, rounds, async (subject) => {
        const micros = await measureCall(subject, WARM_UP, calls);
        if (subject.name !== 'turnpike') return micros;
        for (const [variant, other] of others)
          without.set(variant, [...(without.get(variant) ?? []), await measureCall(other, WARM_UP, calls)]);
        return micros;
      });
    } finally {
      for (const other of others.values()) await other.stop();
    }
    const apart = [...without].map(([variant, micros]) => `${variant.words} ${listed(micros.slice(-count))}`);
    bench.say(`CPU per call, ${words}: ${[wordsOf(rounds, count), ...apart].join(' · ')}`);
  });
  return { rounds, without };
}

/** Microseconds of CPU per call. */
export async function measureCall(
  subject: Subject,
  warmUp: number,
  calls: number,
  connectionCount = CONNECTIONS,
): Promise<number> {
  if (subject.process === null) throw new Error('only a process has CPU time');
  const request = requestBytes(subject, CHAT, 'whole');
  const bytes = wholeAnswer(CHAT).length;
  const connections = await openConnections(subject.port, connectionCount);
  try {
    await callRepeatedly(connections, request, warmUp, (answered) => expectSuccess(subject, answered, bytes - 64));
    const before = subject.process.cpuMicros();
    await callRepeatedly(connections, request, calls, (answered) => expectSuccess(subject, answered, bytes - 64));
    return (subject.process.cpuMicros() - before) / calls;
  } finally {
    for (const connection of connections) connection.close();
  }
}
