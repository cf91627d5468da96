/**
 * A path with `{names}` in it. No part is searched twice: fixed text between two names matches at its last position, so the
 * work is linear in the length of the path.
 */
import { assert } from '../../core/assert.ts';

/** No path of a call is longer; a longer one matches nothing. */
export const PATH_LENGTH_MAX = 2048;

export class PathPattern {
  readonly #names: readonly string[];
  /** The text around the names: one more than there are names. */
  readonly #fixed: readonly string[];

  /** `pattern` as in `CallerPath`. No two names may touch. */
  constructor(pattern: string) {
    const parts = pattern.split(/\{([a-z]+)\}/);
    this.#fixed = parts.filter((_part, index) => index % 2 === 0);
    this.#names = parts.filter((_part, index) => index % 2 === 1);
    assert(this.#names.length > 0, `${pattern}: a pattern has a name`);
    assert(new Set(this.#names).size === this.#names.length, `${pattern}: names are unique`);
    assert(
      this.#fixed.slice(0, -1).every((text) => text !== ''),
      `${pattern}: text precedes every name`,
    );
  }

  static isOne(path: string): boolean {
    return path.includes('{');
  }

  /** The value of each name, percent-decoded; null if the path does not match. */
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
      // The value must be after the first text and not empty.
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
    // Invalid encoding matches nothing.
    return null;
  }
}
