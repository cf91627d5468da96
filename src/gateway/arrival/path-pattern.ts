/**
 * A path with `{names}` in it. Nothing of it is searched twice: the fixed text between two names is where it stands last, so the
 * work is linear in the length of the path, whatever was sent.
 */
import { assert } from '../../core/assert.ts';

/** No path of a call is as long; what is longer matches nothing. */
export const PATH_LENGTH_MAX = 2048;

export class PathPattern {
  readonly #names: readonly string[];
  /** Around the names: one more than there are names. */
  readonly #fixed: readonly string[];

  /** `pattern` as in `CallerPath`. No two names may touch. */
  constructor(pattern: string) {
    const parts = pattern.split(/\{([a-z]+)\}/);
    this.#fixed = parts.filter((_part, index) => index % 2 === 0);
    this.#names = parts.filter((_part, index) => index % 2 === 1);
    assert(this.#names.length > 0, `${pattern}: a pattern has a name`);
    assert(new Set(this.#names).size === this.#names.length, `${pattern}: every name stands once`);
    assert(
      this.#fixed.slice(0, -1).every((text) => text !== ''),
      `${pattern}: text stands before every name`,
    );
  }

  static isOne(path: string): boolean {
    return path.includes('{');
  }

  /** What stands in place of each name, its percent-encoding undone; null where the path is another one. */
  match(path: string): Readonly<Record<string, string>> | null {
    const [first = ''] = this.#fixed;
    const last = this.#fixed.at(-1) ?? '';
    if (path.length > PATH_LENGTH_MAX || !path.startsWith(first) || !path.endsWith(last)) return null;
    const parameters: Record<string, string> = {};
    let end = path.length - last.length;
    for (let index = this.#names.length - 1; index >= 0; index -= 1) {
      const text = this.#fixed[index] ?? '';
      const at = index === 0 ? 0 : path.lastIndexOf(text, end - text.length);
      const from = at + text.length;
      // Before the first text there is nothing, and no value is empty.
      if (at === -1 || from < first.length || from >= end) return null;
      const value = decoded(path.slice(from, end));
      if (value === null) return null;
      parameters[this.#names[index] ?? ''] = value;
      end = at;
    }
    return parameters;
  }
}

function decoded(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // What is no text names nothing here.
    return null;
  }
}
