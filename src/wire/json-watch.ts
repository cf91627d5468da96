/** Tracks the watched keys of one scan: those found, and those with values that have not ended. */
import { assert } from '../core/assert.ts';
import type { JsonType, WatchedField } from './json-document.ts';
import { NameFilter, pathSegment } from './json-names.ts';
import { tooMuch } from './json-refusals.ts';
import type { SpellingRules } from './json-spelling.ts';

/** A body with more is refused: an unbounded list would exhaust memory, and an overlooked key would circumvent a rule. */
export const WATCHED_MAX = 4096;
/** Total length of their paths, in characters. Real ones are short; deep ones would make a small body expensive to check. */
export const WATCHED_PATHS_MAX = 1024 * 1024;

interface OpenField {
  /** How many objects and arrays contain the value. */
  readonly depth: number;
  readonly path: string;
  readonly objectStart: number;
  readonly keyStart: number;
  /** Its index in the result, which is in the order of the keys, not of the ends of their values. */
  readonly index: number;
  valueStart: number;
  type: JsonType;
}

export class WatchedKeys {
  readonly #filter: NameFilter;
  readonly #spelling: SpellingRules | null;
  #found: WatchedField[] = [];
  #open: OpenField[] = [];
  #pathsLength = 0;
  /** The last path, by depth: where the name there starts, -1 in an array, and the path down to it. */
  readonly #starts: number[] = [0];
  readonly #paths: string[] = [''];

  /** `spelling` includes all of `keys`. */
  constructor(keys: ReadonlySet<string>, spelling: SpellingRules | null = null) {
    assert(
      spelling === null || [...keys].every((key) => spelling.names.has(key)),
      'a watched key is also checked for its spelling',
    );
    this.#filter = NameFilter.of(keys);
    this.#spelling = spelling;
  }

  get found(): readonly WatchedField[] {
    return this.#found;
  }

  reset(): void {
    if (this.#found.length > 0) this.#found = [];
    if (this.#open.length > 0) this.#open = [];
    this.#pathsLength = 0;
    this.#starts.length = 1;
    this.#paths.length = 1;
  }

  /**
   * To be called for each key read, at `depth`. `names` holds, for each depth, where the current name starts and ends, or -1 for an array;
   * `objectStart` is where the object begins. Returns whether the key is watched; its value must then be reported too.
   */
  see(bytes: Buffer, names: readonly number[], depth: number, escaped: boolean, objectStart: number): boolean {
    const spelling = this.#spelling;
    const start = names[2 * depth] as number;
    const end = names[2 * depth + 1] as number;
    if (spelling !== null) {
      if (!spelling.names.mayBe(bytes, start, end, escaped)) return false;
      if (escaped || spelling.names.mayMisspell(bytes, start, end)) spelling.check(bytes, names, depth);
    }
    if (!this.#filter.has(bytes, start, end, escaped)) return false;
    const index = this.#found.length;
    if (index === WATCHED_MAX) throw tooMuch(`more than ${WATCHED_MAX} fields that must be checked`);
    const path = this.#pathOf(bytes, names, depth);
    this.#pathsLength += path.length;
    if (this.#pathsLength > WATCHED_PATHS_MAX) throw tooMuch('too many fields that must be checked in deep places');
    const keyStart = start - 1;
    this.#open.push({ depth, path, objectStart, keyStart, index, valueStart: -1, type: 'null' });
    this.#found.push({ path, objectStart, keyStart, valueStart: -1, valueEnd: -1, type: 'null' });
    return true;
  }

  startValue(at: number, type: JsonType): void {
    const open = this.#open.at(-1);
    assert(open !== undefined && open.valueStart === -1, 'a watched key has one value');
    open.valueStart = at;
    open.type = type;
  }

  /** Returns the depth of the watched key whose value encloses this one, or -1 when there is none. */
  endValue(end: number): number {
    const open = this.#open.pop();
    assert(open !== undefined, 'a watched value that ends has a start');
    const { path, objectStart, keyStart, valueStart, type } = open;
    this.#found[open.index] = { path, objectStart, keyStart, valueStart, valueEnd: end, type };
    return this.#open.at(-1)?.depth ?? -1;
  }

  /** Adjacent keys share all but the last step, so only the part that differs from the previous path is built. */
  #pathOf(bytes: Buffer, names: readonly number[], depth: number): string {
    const starts = this.#starts;
    const paths = this.#paths;
    let level = 1;
    while (level < starts.length && level <= depth && starts[level] === names[2 * level]) level++;
    for (; level <= depth; level++) {
      const start = names[2 * level] as number;
      const above = paths[level - 1] as string;
      const step = start === -1 ? '[]' : pathSegment(bytes, start, names[2 * level + 1] as number);
      starts[level] = start;
      paths[level] = above === '' || step.startsWith('[') ? above + step : `${above}.${step}`;
    }
    // What was deeper may look the same in the next path and yet be elsewhere.
    starts.length = depth + 1;
    return paths[depth] as string;
  }
}
