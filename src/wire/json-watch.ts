/** Keeps account of the watched keys of one scan: which were found, and whose values have not ended yet. */
import { assert } from '../core/assert.ts';
import { NameFilter, pathSegment } from './json-names.ts';
import { tooMuch } from './json-refusals.ts';
import type { JsonType, WatchedField } from './json-scan.ts';

/** A body with more is refused: a list without end is a way to exhaust memory, an overlooked key a way round a rule. */
export const WATCHED_MAX = 4096;

interface OpenField {
  /** The object that has the key: objects and arrays around the value. */
  readonly depth: number;
  readonly path: string;
  readonly keyStart: number;
  /** Its place among the found, which is the order of the keys, not of the ends of their values. */
  readonly index: number;
  valueStart: number;
  type: JsonType;
}

export class WatchedKeys {
  readonly #filter: NameFilter;
  #found: WatchedField[] = [];
  #open: OpenField[] = [];

  constructor(keys: ReadonlySet<string>) {
    this.#filter = NameFilter.of(keys);
  }

  get found(): readonly WatchedField[] {
    return this.#found;
  }

  reset(): void {
    if (this.#found.length > 0) this.#found = [];
    if (this.#open.length > 0) this.#open = [];
  }

  /**
   * A key has been read at `depth`; `names` holds, for each depth, where the current name starts and ends, or -1 for
   * an array. Returns whether the key is watched: then its value must be reported too.
   */
  see(bytes: Buffer, names: readonly number[], depth: number, escaped: boolean): boolean {
    const start = names[2 * depth] as number;
    if (!this.#filter.has(bytes, start, names[2 * depth + 1] as number, escaped)) return false;
    const index = this.#found.length;
    if (index === WATCHED_MAX) throw tooMuch(`more than ${WATCHED_MAX} fields that must be checked`);
    const path = pathOf(bytes, names, depth);
    const keyStart = start - 1;
    this.#open.push({ depth, path, keyStart, index, valueStart: -1, type: 'null' });
    this.#found.push({ path, keyStart, valueStart: -1, valueEnd: -1, type: 'null' });
    return true;
  }

  startValue(at: number, type: JsonType): void {
    const open = this.#open.at(-1);
    assert(open !== undefined && open.valueStart === -1, 'a watched key has one value');
    open.valueStart = at;
    open.type = type;
  }

  /** Returns the depth of the watched key whose value goes on around this one, or -1 when there is none. */
  endValue(end: number): number {
    const open = this.#open.pop();
    assert(open !== undefined, 'a watched value that ends was begun');
    const { path, keyStart, valueStart, type } = open;
    this.#found[open.index] = { path, keyStart, valueStart, valueEnd: end, type };
    return this.#open.at(-1)?.depth ?? -1;
  }
}

function pathOf(bytes: Buffer, names: readonly number[], depth: number): string {
  let path = '';
  for (let level = 1; level <= depth; level++) {
    const start = names[2 * level] as number;
    const step = start === -1 ? '[]' : pathSegment(bytes, start, names[2 * level + 1] as number);
    path += path === '' || step.startsWith('[') ? step : `.${step}`;
  }
  return path;
}
