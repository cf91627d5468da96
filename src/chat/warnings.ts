/** Warnings about what a translation between two formats lost: short sentences without repeats. */

/** Nobody reads more, and they are sent in a header. */
export const WARNINGS_MAX = 32;

/** Keeps one more than is reported, which shows that there were more. */
export function addWarning(warnings: Set<string>, text: string): void {
  if (warnings.size <= WARNINGS_MAX) warnings.add(text);
}

/** The first `WARNINGS_MAX`, in order; if there were more, the last one says so. */
export function listWarnings(warnings: ReadonlySet<string>): readonly string[] {
  const all = [...warnings];
  return all.length <= WARNINGS_MAX ? all : [...all.slice(0, WARNINGS_MAX - 1), 'further warnings are not listed'];
}

/** A provider's word, quoted for a warning, if it is a short plain word; anything else is not repeated. */
export function quoteWord(word: unknown): string {
  return typeof word === 'string' && PLAIN_WORD.test(word) ? `"${word}"` : 'of an unknown kind';
}

const PLAIN_WORD = /^[\w.:-]{1,64}$/;
