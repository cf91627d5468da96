/** A journal in a folder of its own, a clock that only the test moves, and a bank that does what the test says. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ManualClock } from '../../core/clock.ts';
import type { CallId } from '../../core/ids.ts';
import type { SentBatch, SettleAnswer } from '../../nodes/ports.ts';
import type { StorageProblem } from '../storage.ts';
import { type DecodedSettlement, decodeBatch } from './decode-batch.ts';
import type { Journal, JournalBank } from './journal.ts';
import { type JournalOptions, openJournal } from './open-journal.ts';

export interface JournalUnderTest {
  readonly folder: string;
  readonly clock: ManualClock;
  readonly bank: RecordingBank;
  readonly problems: StorageProblem[];
  readonly journal: Journal;
  /** Opens the same file once more, as after `kill -9`: the earlier journal is not closed before. */
  reopen(): Promise<JournalUnderTest>;
}

export async function journalUnderTest(
  context: TestContext,
  options: Partial<JournalOptions> & { readonly bank?: RecordingBank } = {},
): Promise<JournalUnderTest> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const clock = new ManualClock();
  const bank = options.bank ?? new RecordingBank();
  const problems: StorageProblem[] = [];
  const onProblem = (problem: StorageProblem) => void problems.push(problem);
  const journal = await openJournal({ durability: 'process', ...options, folder, clock, onProblem });
  journal.connect(bank);
  context.after(async () => {
    await journal.close();
    if (options.folder === undefined) rmSync(folder, { recursive: true });
  });
  const reopen = () => journalUnderTest(context, { ...options, folder, bank });
  return { folder, clock, bank, problems, journal, reopen };
}

/** `lose`: takes the settlements, and the answer is lost. */
type Behaviour = 'take' | 'lose' | 'away' | 'hang';

/** Keeps the first settlement of each call. */
export class RecordingBank implements JournalBank {
  readonly settled = new Map<CallId, DecodedSettlement>();
  /** The calls of each transaction, in order. */
  readonly sent: { readonly epoch: number; readonly calls: readonly CallId[] }[] = [];
  behaviour: Behaviour = 'take';
  /** What it refuses for its content. */
  refuses: (callId: CallId) => boolean = () => false;
  late: SettleAnswer['late'] = null;
  /** The most transactions that ran at a time. */
  lanesMax = 0;
  #lanes = 0;
  #open: (() => void)[] = [];

  async settle({ epoch, encoded }: SentBatch): Promise<SettleAnswer> {
    this.#lanes += 1;
    this.lanesMax = Math.max(this.lanesMax, this.#lanes);
    try {
      return await this.#settle(
        epoch,
        encoded.flatMap((each) => decodeBatch(each).settlements),
      );
    } finally {
      this.#lanes -= 1;
    }
  }

  isRefusal(error: unknown): boolean {
    return error instanceof Refusal;
  }

  /** Lets the transactions end that hang. */
  release(): void {
    this.behaviour = 'take';
    for (const open of this.#open.splice(0)) open();
  }

  async #settle(epoch: number, settlements: readonly DecodedSettlement[]): Promise<SettleAnswer> {
    this.sent.push({ epoch, calls: settlements.map(({ settlement }) => settlement.callId) });
    if (this.behaviour === 'hang') await new Promise<void>((resolve) => this.#open.push(resolve));
    if (this.behaviour === 'away') throw new Error('connect ECONNREFUSED');
    if (settlements.some(({ settlement }) => this.refuses(settlement.callId))) throw new Refusal('value out of range');
    const conflicts = settlements.filter((each) => !this.#take(each)).map(({ settlement }) => settlement.callId);
    if (this.behaviour === 'lose') throw new Error('Connection terminated unexpectedly');
    return { conflicts, late: this.late };
  }

  /** False if the call was settled differently before. */
  #take(settled: DecodedSettlement): boolean {
    const { callId } = settled.settlement;
    const known = this.settled.get(callId);
    if (known === undefined) this.settled.set(callId, settled);
    return known === undefined || isDeepStrictEqual(known, settled);
  }
}

class Refusal extends Error {}

/** Runs everything that only waits for a few turns of the event loop. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await nextTurn();
}
