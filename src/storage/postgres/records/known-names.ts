/**
 * Numbers and names of records that are known here. Rows are written and read in one go, and a name that is not known yet must be asked
 * for: it is noted, the rows are worth nothing, and they are written or read again once it was learnt. That is rare.
 */
import type { RecordNames } from '../../sql/records/record-names.ts';
import { storable } from '../../sql/storable-text.ts';

/** The most names in memory; beyond it they are learnt again. */
const NAMES_MAX = 100_000;

export class KnownNames implements RecordNames {
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<number, string>();
  #unknownNames = new Set<string>();
  #unknownIds = new Set<number>();

  idOf(name: string): number {
    const stored = storable(name);
    const id = this.#ids.get(stored);
    if (id !== undefined) return id;
    this.#unknownNames.add(stored);
    return 0;
  }

  nameOf(id: number): string {
    const name = this.#names.get(id);
    if (name !== undefined) return name;
    this.#unknownIds.add(id);
    return '';
  }

  /** The names without a known number that were asked for since the last call, in their order. */
  takeUnknownNames(): readonly string[] {
    const unknown = [...this.#unknownNames].sort();
    this.#unknownNames = new Set();
    return unknown;
  }

  /** The numbers without a known name that were asked for since the last call. */
  takeUnknownIds(): readonly number[] {
    const unknown = [...this.#unknownIds];
    this.#unknownIds = new Set();
    return unknown;
  }

  learn(id: number, name: string): void {
    if (this.#ids.size >= NAMES_MAX) {
      this.#ids.clear();
      this.#names.clear();
    }
    this.#ids.set(name, id);
    this.#names.set(id, name);
  }
}
