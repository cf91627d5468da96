/**
 * Text that displays as written. A control character in a name can move a terminal's cursor, and one that changes the writing direction can
 * make a name look like another. Neither is accepted, and those in older data are printed escaped.
 */

/** The longest name of an account, a project or a key, in characters (UTF-16 code units). */
export const NAME_LENGTH_MAX = 200;

/** C0, DEL and C1; line separators; directional marks, embeddings and isolates. https://www.unicode.org/reports/tr9/ */
const UNPLAIN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const EVERY_UNPLAIN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Whether a text has no control characters and none that change the writing direction. */
export function isPlainText(text: string): boolean {
  return !UNPLAIN.test(text);
}

/** The text for a terminal, with characters that are not plain as escape codes such as `\u001b`. */
export function escapeUnplain(text: string): string {
  return text.replace(EVERY_UNPLAIN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
