/** What is told of a call whose two formats do not say the same: short sentences, each once. */

/** Nobody reads more, and they travel in a header. */
export const WARNINGS_MAX = 32;

/** Keeps one more than is told, so that it can be seen that there were more. */
export function addWarning(warnings: Set<string>, text: string): void {
  if (warnings.size <= WARNINGS_MAX) warnings.add(text);
}

/** As many as are told, in order; where there were more, the last one says so. */
export function listWarnings(warnings: ReadonlySet<string>): readonly string[] {
  const all = [...warnings];
  return all.length <= WARNINGS_MAX ? all : [...all.slice(0, WARNINGS_MAX - 1), 'more was left out than is told here'];
}

/** A provider's own word, fit to stand in a warning: what is no plain word, or a long one, is not repeated. */
export function quoteWord(word: unknown): string {
  return typeof word === 'string' && PLAIN_WORD.test(word) ? `"${word}"` : 'of an unknown kind';
}

const PLAIN_WORD = /^[\w.:-]{1,64}$/;
