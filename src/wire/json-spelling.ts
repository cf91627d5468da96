/**
 * Finds misspelled names below the top level of a body where names mean something to a provider: in some of the top-level fields, and never
 * in the caller's own data, such as a tool's input or schema.
 */
import { decodeName, pathSegment } from './json-names.ts';
import { tooMuch } from './json-refusals.ts';
import { misspelled, SpelledNames } from './spelled-names.ts';

/** What a dialect declares. */
export interface SpelledFields {
  /** Names that must be spelled exactly so anywhere in the top-level fields `within`. */
  readonly names: Iterable<string>;
  readonly within: Iterable<string>;
  /** Fields below the top level whose values are data. */
  readonly data: Iterable<string>;
}

/** Made once per dialect. */
export class SpellingRules {
  readonly names: SpelledNames;
  readonly #within: ReadonlySet<string>;
  readonly #data: ReadonlySet<string>;

  constructor({ names, within, data }: SpelledFields) {
    this.names = new SpelledNames(names);
    this.#within = new Set(within);
    this.#data = new Set(data);
  }

  /** Throws `GatewayError` 400 if the name at `depth` is a misspelled one; `names` as for `WatchedKeys.see`. */
  check(bytes: Buffer, names: readonly number[], depth: number): void {
    const start = names[2 * depth] as number;
    const end = names[2 * depth + 1] as number;
    if (end - start > NAME_BYTES_MAX) {
      if (this.#isData(bytes, names, depth)) return;
      throw tooMuch(`a name of more than ${NAME_BYTES_MAX} bytes`);
    }
    const name = decodeName(bytes, start, end);
    const spelling = this.names.spellingOf(name);
    if (spelling === null || this.#isData(bytes, names, depth)) return;
    throw misspelled(name, spelling, pathTo(bytes, names, depth));
  }

  /** Whether the name at `depth` is where names mean nothing to a provider. */
  #isData(bytes: Buffer, names: readonly number[], depth: number): boolean {
    const nameAt = (level: number) => decodeName(bytes, names[2 * level] as number, names[2 * level + 1] as number);
    if (!this.#within.has(nameAt(1))) return true;
    for (let level = 2; level < depth; level++) {
      if (names[2 * level] !== -1 && this.#data.has(nameAt(level))) return true;
    }
    return false;
  }
}

/** Folding a longer one would take long. */
const NAME_BYTES_MAX = 1024;

function pathTo(bytes: Buffer, names: readonly number[], depth: number): string {
  let path = '';
  for (let level = 1; level <= depth; level++) {
    const start = names[2 * level] as number;
    const step = start === -1 ? '[]' : pathSegment(bytes, start, names[2 * level + 1] as number);
    path += path === '' || step.startsWith('[') ? step : `.${step}`;
  }
  return path;
}
