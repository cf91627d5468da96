/**
 * How many transactions nodes make for the same calls, by the forwarder's own code, with a clock that this file moves: the same
 * figures on every machine. A transaction takes 3 ms; calls end at random, as independent callers' do.
 */
import { ManualClock } from '../../src/core/clock.ts';
import type { SettleAnswer } from '../../src/nodes/ports.ts';
import { Forwarder } from '../../src/storage/journal/forwarder.ts';
import { GATHER_MS, GATHER_WAITED_FOR_MS } from '../../src/storage/journal/journal.ts';
import { Outbox } from '../../src/storage/journal/outbox.ts';

const ANSWER_MS = 3;
const STEP_MS = 0.25;
const FOR_MS = 20_000;
/** Calls a second of all nodes, and how many nodes. */
const RATES = [100, 400, 1_000, 4_000] as const;
const NODES = [1, 4] as const;
const GATHERED = { database: GATHER_WAITED_FOR_MS, process: GATHER_MS } as const;

interface Gathered {
  /** Of one node. */
  readonly perSecond: number;
  readonly callsEach: number;
  /** From the end of a call until the bank has it. */
  readonly meanWaitMs: number;
}

/** A line for each durability and rate. */
export async function gatheringInWords(): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [durability, gatherMs] of Object.entries(GATHERED)) {
    for (const rate of RATES) {
      const parts: string[] = [];
      for (const nodes of NODES) {
        const { perSecond, callsEach, meanWaitMs } = await gathered(rate / nodes, gatherMs);
        const many = `${Math.round(perSecond * nodes)} transactions a second of ${callsEach.toFixed(1)} calls`;
        parts.push(`${nodes === 1 ? 'one node' : `${nodes} nodes`} ${many}, after ${meanWaitMs.toFixed(1)} ms`);
      }
      lines.push(`durability ${durability}, ${rate} calls a second: ${parts.join(' · ')}`);
    }
  }
  return lines;
}

async function gathered(callsPerSecond: number, gatherMs: number): Promise<Gathered> {
  const clock = new ManualClock();
  const outbox = new Outbox(0);
  let sent = 0;
  const forwarder = new Forwarder({
    ...{ outbox, clock, gatherMs },
    settle() {
      sent += 1;
      return new Promise<SettleAnswer>((resolve) => {
        clock.after(ANSWER_MS, () => resolve({ conflicts: [], late: null }));
      });
    },
    isRefusal: () => false,
    read: () => new Uint8Array(),
    onAnswer: () => undefined,
    onRefused: () => Promise.resolve(),
    onProblem: () => undefined,
  });
  const between = exponential(1_000 / callsPerSecond);
  const endedAt: number[] = [];
  let acknowledged = 0;
  let waitedMs = 0;
  let nextMs = between();
  for (let nowMs = 0; nowMs < FOR_MS; nowMs += STEP_MS) {
    for (; nextMs <= nowMs; nextMs += between()) {
      const id = endedAt.push(nowMs);
      outbox.add({ id, epoch: 1, calls: 1, admittedFrom: 0, batch: new Uint8Array(1) });
      forwarder.added();
    }
    clock.advance(STEP_MS);
    await promises();
    const through = outbox.acknowledgedThrough;
    for (; acknowledged < through; acknowledged += 1) waitedMs += nowMs - (endedAt[acknowledged] as number);
  }
  return {
    perSecond: (1_000 * sent) / FOR_MS,
    callsEach: acknowledged / sent,
    meanWaitMs: waitedMs / acknowledged,
  };
}

/** Gaps between independent events, of this mean; the same ones in every run. */
function exponential(meanMs: number): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return -Math.log(1 - state / 0x8000_0000) * meanMs;
  };
}

/** Until those that follow from an answer are settled. */
async function promises(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
}
