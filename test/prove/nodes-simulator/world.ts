/** Everything that a simulation has: the bank, its clock, the machines, and what the simulator knows beside them. */
import type { NewEntry, PostAnswer } from '../../../src/billing/entry.ts';
import type { PostingRules } from '../../../src/billing/ports.ts';
import type { Budgets } from '../../../src/core/budget.ts';
import { ManualClock } from '../../../src/core/clock.ts';
import type { CallId } from '../../../src/core/ids.ts';
import type { BankState } from '../../../src/nodes/memory-bank/bank-state.ts';
import { MemoryBank } from '../../../src/nodes/memory-bank/memory-bank.ts';
import type { SettleAnswer } from '../../../src/nodes/ports.ts';
import { decodeBatch } from '../../../src/storage/journal/decode-batch.ts';
import type { Random } from '../simulator/random.ts';
import { Violation } from '../simulator/violation.ts';
import { SimulatedMachine } from './simulated-machine.ts';

export const ACCOUNTS = 2;
export const PROJECTS = 3;
export const KEYS = 5;
/** A standby is behind by so much at most: less than a journal keeps what the bank has taken. */
const BEHIND_MS = 40_000;
const COPY_EVERY_MS = 5_000;
/** Longer than the longest chain of promises here. */
const TURNS = 40;

export function projectOfKey(key: number): number {
  return ((key - 1) % PROJECTS) + 1;
}

export function accountOfProject(project: number): number {
  return Math.min(project, ACCOUNTS);
}

export class World {
  readonly random: Random;
  readonly clock: ManualClock;
  readonly bank: MemoryBank;
  readonly machines: SimulatedMachine[] = [];
  /** Budgets by owner: `key 3`. */
  readonly budgets = new Map<string, Budgets | undefined>();
  /** The largest limit that a window of an owner ever had; null if it had none for a time. */
  readonly limits = new Map<string, bigint | null>();
  readonly revoked = new Set<number>();
  /** Calls whose callers got a complete answer. */
  readonly complete = new Set<CallId>();
  /** Calls that were in a journal whose disk was lost. */
  readonly gone = new Set<CallId>();
  readonly seen: Map<string, number>;
  /** Changes when the bank goes on from an earlier state. */
  timeline = 0;
  references = 0;
  calls = 0;
  broken: unknown = null;
  #copies: { readonly at: number; readonly state: BankState }[] = [];

  constructor(random: Random, startMs: number, seen: Map<string, number>) {
    this.random = random;
    this.seen = seen;
    this.clock = new ManualClock(startMs);
    this.bank = new MemoryBank({
      clock: this.clock,
      mode: 'prepaid',
      decode: (encoded) => decodeBatch(encoded).settlements,
    });
    const count = random.between(2, 4);
    for (let index = 0; index < count; index += 1) this.machines.push(new SimulatedMachine(this, `node-${index}`));
  }

  /** Of the bank; see `NodePlace.history`. */
  get history(): string {
    return `timeline ${this.timeline}`;
  }

  saw(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  fail(error: unknown): void {
    this.broken ??= error;
  }

  post(entry: NewEntry, rules: PostingRules): PostAnswer {
    const answer = this.bank.post(entry, rules);
    this.saw(answer.refused === null ? `posted ${entry.kind}` : `entry refused ${answer.refused}`);
    return answer;
  }

  settled({ conflicts, late }: SettleAnswer): void {
    if (conflicts.length > 0) this.fail(new Violation(`call ${conflicts[0]} was settled in two ways`));
    if (late !== null) this.saw(late.loss > 0n ? 'late, borne by the operator' : 'late');
  }

  setBudgets(owner: string, budgets: Budgets | undefined): void {
    this.budgets.set(owner, budgets);
    for (const window of ['day', 'week', 'month', 'total'] as const) {
      const name = `${owner} ${window}`;
      const known = this.limits.get(name);
      const limit = budgets?.[window] ?? null;
      const isLarger = known === undefined || (known !== null && limit !== null && limit > known);
      if (limit === null || isLarger) this.limits.set(name, limit);
    }
  }

  /** Time passes at all machines, in steps. */
  async pass(ms: number, stepMs = 5): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      this.clock.advance(Math.min(left, stepMs));
      for (let turn = 0; turn < TURNS; turn += 1) await null;
      if (this.broken !== null) throw this.broken;
      this.#copy();
    }
  }

  /** The bank goes on from a state of a moment ago: a standby takes over that was behind. */
  failOver(): void {
    const { random } = this;
    if (this.#copies.length === 0) return;
    const { state } = random.pick(this.#copies);
    this.bank.state = state.copy();
    this.#copies = [];
    this.timeline += 1;
  }

  #copy(): void {
    const now = this.clock.monotonic();
    const last = this.#copies.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    if (now - last < COPY_EVERY_MS) return;
    this.#copies = this.#copies.filter(({ at }) => now - at < BEHIND_MS);
    this.#copies.push({ at: now, state: this.bank.state.copy() });
  }
}
