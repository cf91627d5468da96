/** A machine with a clock and a disk, on which the processes of one node run, one after the other. */
import type { Budgets } from '../../../src/core/budget.ts';
import type { SimulatedCall } from './simulated-call.ts';
import { SimulatedJournal } from './simulated-journal.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { SkewedClock } from './skewed-clock.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;

export class SimulatedMachine {
  readonly world: World;
  id: string;
  journal = new SimulatedJournal();
  process: SimulatedProcess | null = null;
  /** Calls of the process that are not over, or wait for money. */
  calls: SimulatedCall[] = [];
  /** Budgets as the node knows them. */
  budgets = new Map<string, Budgets | undefined>();
  revoked = new Set<number>();
  /** On which of the bank's lives it has closed what was lent before. */
  closedOn = -1;
  readonly #offsetMs: number;
  readonly #rate: number;
  #disks = 1;

  constructor(world: World, name: string) {
    const { random } = world;
    this.world = world;
    this.id = name;
    this.#offsetMs = random.chance(0.5) ? random.between(-2_000, 2_000) : random.between(-HOUR_MS, HOUR_MS);
    this.#rate = 1 + random.between(-300, 300) / 1_000_000;
  }

  /** A process starts; it serves once the bank has answered. */
  start(): void {
    if (this.process !== null) return;
    this.calls = [];
    this.process = new SimulatedProcess(this, new SkewedClock(this.world.clock, this.#offsetMs, this.#rate));
    this.process.start().catch((error: unknown) => this.world.fail(error));
  }

  kill(): void {
    this.process?.die();
    this.process = null;
    this.calls = [];
  }

  /** The next process has an empty journal: it is another node. */
  loseDisk(): void {
    this.kill();
    for (const call of this.journal.calls()) this.world.gone.add(call);
    this.journal = new SimulatedJournal();
    this.#disks += 1;
    this.id = `${this.id.split('.')[0]}.${this.#disks}`;
    this.closedOn = -1;
  }

  /** It has followed the changes of the database. */
  follow(): void {
    const { world } = this;
    this.budgets = new Map(world.budgets);
    this.revoked = new Set(world.revoked);
    for (const call of this.calls) if (this.revoked.has(call.request.keyId)) call.isCut = true;
  }
}
