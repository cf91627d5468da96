/**
 * Finds where words begin in text that may be JSON, or contain URLs: the letters and digits of an escape (`\n`, `\u003d`, `%3D`)
 * are not part of the word after it.
 */
const ESCAPE = /\\[nrtbf]|\\u[\da-f]{4}|\\x[\da-f]{2}|%(?:25){0,2}[\da-f]{2}/gi;
const ENDS_IN_ESCAPE = /(?:\\[nrtbf]|\\u[\da-f]{4}|\\x[\da-f]{2}|%(?:25){0,2}[\da-f]{2})$/i;
const ESCAPE_MAX = 8;

/** Whether `at` is not inside a word; `inWord` matches the characters of words. */
export function beginsWord(text: string, at: number, inWord: RegExp): boolean {
  return (
    at === 0 ||
    !inWord.test(text[at - 1] as string) ||
    (mayEndInEscape(text, at) && ENDS_IN_ESCAPE.test(text.slice(Math.max(0, at - ESCAPE_MAX), at)))
  );
}

/** A quick check: most words have no escape before them, and some texts have a thousand words. */
function mayEndInEscape(text: string, at: number): boolean {
  for (let index = Math.max(0, at - ESCAPE_MAX); index < at; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH || code === PERCENT) return true;
  }
  return false;
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;

/** The text between `from` and `at`, after its last escape. */
export function afterEscapes(text: string, from: number, at: number): string {
  const before = text.slice(Math.max(0, from), at);
  let start = 0;
  if (!before.includes('\\') && !before.includes('%')) return before;
  for (const { 0: letters, index } of before.matchAll(ESCAPE)) start = index + letters.length;
  return before.slice(start);
}
