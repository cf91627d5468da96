// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file writes variables.
/**
 * Environment variables as configuration reads them. An empty one counts as absent, because that is how compose files and
 * unit files write "not set". A secret may also be given as `NAME_FILE`, the path of a file that contains it, as container
 * platforms mount them.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Problem } from './problem.ts';

export interface Variable {
  readonly value: string;
  /** `environment NAME` or `environment NAME_FILE`. */
  readonly source: string;
}

export class Environment {
  readonly problems: Problem[] = [];
  readonly #variables: Readonly<Record<string, string | undefined>>;
  readonly #folder: string;

  /** Relative paths in `NAME_FILE` are resolved from `folder`. */
  constructor(variables: Readonly<Record<string, string | undefined>>, folder: string) {
    this.#variables = variables;
    this.#folder = folder;
  }

  read(name: string): Variable | null {
    const value = this.#variables[name];
    return value === undefined || value === '' ? null : { value, source: `environment ${name}` };
  }

  /** `NAME`, otherwise the content of the file named by `NAME_FILE`, without a final line break. */
  readSecret(name: string): Variable | null {
    const direct = this.read(name);
    const fileVariable = `${name}_FILE`;
    const file = this.read(fileVariable);
    if (file === null) return direct;
    const where = `environment ${fileVariable}`;
    if (direct !== null) {
      this.#report({ where, message: `${name} is also set; set only one of them` });
      return direct;
    }
    return this.readFileOf(fileVariable);
  }

  /** The content of the file that the variable names, without a final line break. */
  readFileOf(name: string): Variable | null {
    const file = this.read(name);
    if (file === null) return null;
    const where = `environment ${name}`;
    try {
      const value = readFileSync(resolve(this.#folder, file.value), 'utf8').replace(/\r?\n$/, '');
      if (value !== '') return { value, source: where };
      this.#report({ where, message: 'the file is empty' });
    } catch (error) {
      this.#report({ where, message: `the file cannot be read: ${(error as Error).message}` });
    }
    return null;
  }

  #report(problem: Problem): void {
    if (!this.problems.some((known) => known.where === problem.where)) this.problems.push(problem);
  }
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` by variables; `$${` is a literal `${`. What cannot be replaced is reported and
 * left as it is.
 */
export function expandVariables(
  text: string,
  look: (name: string) => string | null,
  report: { malformed(message: string): void; unset(message: string): void },
): string {
  return text.replace(/\$\$\{|\$\{([^}]*)\}?/g, (whole, inside: string | undefined) => {
    if (inside === undefined) return '${';
    const match = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inside);
    if (match === null || !whole.endsWith('}')) {
      report.malformed('use ${NAME} or ${NAME:-default} for a variable, and $${ for a literal ${');
      return whole;
    }
    const [, name = '', fallback] = match;
    const value = look(name) ?? fallback;
    if (value === undefined) report.unset(`the environment variable ${name} is not set`);
    return value ?? whole;
  });
}
