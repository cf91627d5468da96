import type { LedgerRow } from '../../billing/ports.ts';
import type { CommitTarget } from '../sqlite/ledger/group-commit.ts';
import { type JournalPart, journalPart } from './journal-part.ts';
import type { Outbox } from './outbox.ts';

/** Writes parts to the journal, on this thread or on another one. */
export interface JournalSink {
  write(part: JournalPart): void | Promise<void>;
  probe(): void | Promise<void>;
}

/** Encodes the rows of a commit, writes them, and puts the settlements among what is sent. */
export class JournalWriter implements CommitTarget {
  readonly isSynchronous: boolean;
  readonly #sink: JournalSink;
  readonly #outbox: Outbox;
  readonly #onAdded: () => void;
  #lastId: number;

  /** `onAdded` is called when there is more to send. */
  constructor(sink: JournalSink, isSynchronous: boolean, outbox: Outbox, onAdded: () => void) {
    this.#sink = sink;
    this.isSynchronous = isSynchronous;
    this.#outbox = outbox;
    this.#onAdded = onAdded;
    this.#lastId = outbox.lastId;
  }

  /** An id that no batch has had. */
  readonly nextId = (): number => {
    this.#lastId += 1;
    return this.#lastId;
  };

  /** Throws or rejects if the rows could not be written; then none of them is. */
  write(rows: readonly LedgerRow[]): void | Promise<void> {
    const part = journalPart(rows, this.nextId);
    const writing = this.#sink.write(part);
    if (writing === undefined) this.#written(part);
    else return writing.then(() => this.#written(part));
  }

  probe(): void | Promise<void> {
    return this.#sink.probe();
  }

  #written({ batches }: JournalPart): void {
    if (batches.length === 0) return;
    for (const each of batches) this.#outbox.add(each);
    this.#onAdded();
  }
}
