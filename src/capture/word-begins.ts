/**
 * Where a word begins in a text that may be JSON, or hold URLs: the letters and digits of an escape (`\n`, `\u003d`, `%3D`)
 * are no part of the word that follows it.
 */
const ESCAPE = /\\[nrtbf]|\\u[\da-f]{4}|\\x[\da-f]{2}|%(?:25){0,2}[\da-f]{2}/gi;
const ENDS_IN_ESCAPE = /(?:\\[nrtbf]|\\u[\da-f]{4}|\\x[\da-f]{2}|%(?:25){0,2}[\da-f]{2})$/i;
const ESCAPE_MAX = 8;

/** Whether `at` is not within a word, whose characters `inWord` takes. */
export function beginsWord(text: string, at: number, inWord: RegExp): boolean {
  return (
    at === 0 ||
    !inWord.test(text[at - 1] as string) ||
    (mayEndInEscape(text, at) && ENDS_IN_ESCAPE.test(text.slice(Math.max(0, at - ESCAPE_MAX), at)))
  );
}

/** Most words have none before them, and some texts have a thousand words. */
function mayEndInEscape(text: string, at: number): boolean {
  for (let place = Math.max(0, at - ESCAPE_MAX); place < at; place += 1) {
    const code = text.charCodeAt(place);
    if (code === BACKSLASH || code === PERCENT) return true;
  }
  return false;
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;

/** What stands between `from` and `at`, from the last escape on. */
export function afterEscapes(text: string, from: number, at: number): string {
  const before = text.slice(Math.max(0, from), at);
  let start = 0;
  if (!before.includes('\\') && !before.includes('%')) return before;
  for (const { 0: letters, index } of before.matchAll(ESCAPE)) start = index + letters.length;
  return before.slice(start);
}
