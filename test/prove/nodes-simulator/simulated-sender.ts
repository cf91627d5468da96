/** What a process does with its machine's journal: it sends what is in it to the bank, one request at a time. */
import type { Clock, Timer } from '../../../src/core/clock.ts';
import type { JournalBank } from '../../../src/storage/journal/journal.ts';
import type { PlacedJournal } from '../../../src/storage/journal/node-storage.ts';
import type { Batch } from './simulated-journal.ts';
import type { SimulatedMachine } from './simulated-machine.ts';

const FORWARD_EVERY_MS = 20;
const ANSWERED_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 1;

export class SimulatedSender implements PlacedJournal {
  readonly id: string;
  readonly fingerprint: string;
  /** The model refuses nothing. */
  readonly setAside: PlacedJournal['setAside'] = {
    list: () => ({ calls: [], count: 0 }),
    sendAgain: async () => ({ sent: 0, refused: 0, isAnswered: true }),
  };
  readonly #machine: SimulatedMachine;
  readonly #clock: Clock;
  readonly #onProblem: (cause: unknown) => void;
  #bank: JournalBank | null = null;
  #isSending = false;
  #timer: Timer | null = null;

  constructor(machine: SimulatedMachine, clock: Clock, onProblem: (cause: unknown) => void) {
    this.id = machine.id;
    this.fingerprint = machine.id;
    this.#machine = machine;
    this.#clock = clock;
    this.#onProblem = onProblem;
  }

  get unsent(): PlacedJournal['unsent'] {
    return { calls: this.#journal.unsentCalls, from: this.#journal.unsentFrom };
  }

  connect(bank: JournalBank): void {
    this.#bank = bank;
    this.#timer?.cancel();
    this.#timer = this.#clock.every(FORWARD_EVERY_MS, () => this.retryNow());
  }

  retryNow(): void {
    if (this.#isSending || this.#bank === null) return;
    const batches = this.#journal.next();
    if (batches.length === 0) return;
    this.#isSending = true;
    this.#send(this.#bank, batches)
      .catch((error: unknown) => this.#onProblem(error))
      .finally(() => {
        this.#isSending = false;
      });
  }

  async forwardAll(withinMs: number): Promise<boolean> {
    const last = this.#journal.outbox.at(-1);
    const endMs = this.#clock.monotonic() + withinMs;
    while (last !== undefined && this.#journal.outbox.includes(last)) {
      if (this.#clock.monotonic() >= endMs) return false;
      this.retryNow();
      await new Promise<void>((resolve) => this.#clock.after(LOOK_EVERY_MS, resolve));
    }
    return true;
  }

  async bankIs(history: string): Promise<boolean> {
    return this.#journal.bankIs(history, this.#clock.monotonic());
  }

  async sendAgain(): Promise<void> {
    this.#journal.sendAgain();
  }

  async #send(bank: JournalBank, batches: readonly Batch[]): Promise<void> {
    const journal = this.#journal;
    const epoch = batches[0]?.epoch ?? 0;
    const { timesSentAgain } = journal;
    const late = Promise.withResolvers<null>();
    const timer = this.#clock.after(ANSWERED_WITHIN_MS, () => late.resolve(null));
    const sent = bank.settle({ epoch, encoded: batches.map(({ encoded }) => encoded) });
    const answer = await Promise.race([sent, late.promise]).finally(() => timer.cancel());
    // An answer of a bank that has lost what it answered for proves nothing.
    if (answer === null || timesSentAgain !== journal.timesSentAgain) return;
    this.#machine.world.settled(answer);
    journal.taken(batches, this.#clock.monotonic());
  }

  get #journal() {
    return this.#machine.journal;
  }
}
