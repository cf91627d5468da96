/**
 * Straight-line code for the columns of a row, compiled once at start from their declaration: a loop would call a function for each
 * column of each row, which takes twice as long. Only constants of this program are compiled, never input.
 */

/** A function of `parameters`; `scope` has the other names that its body uses. */
export function compile<Compiled>(
  parameters: readonly string[],
  body: string,
  scope: Readonly<Record<string, unknown>> = {},
): Compiled {
  const make = new Function(...Object.keys(scope), `'use strict'; return (${parameters.join(', ')}) => { ${body} };`);
  return make(...Object.values(scope)) as Compiled;
}

/** Assignments to `values`, from `at` on. */
export function assignments(expressions: readonly string[]): string {
  return expressions.map((expression, index) => `values[at + ${index}] = ${expression};`).join('\n');
}
