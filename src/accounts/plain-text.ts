/**
 * Text that shows what it says. A control character in a name can move a terminal's cursor, and one that turns the direction
 * of writing can make a name look like another: neither is let in, and what is there from before is printed escaped.
 */

/** The longest name of an account, a project or a key, in characters (UTF-16 code units). */
export const NAME_LENGTH_MAX = 200;

/** C0, DEL and C1; the separators of lines; marks, embeddings and isolates of direction. https://www.unicode.org/reports/tr9/ */
const UNPLAIN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const EVERY_UNPLAIN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Whether a text is free of control characters and of such as turn the direction of writing. */
export function isPlainText(text: string): boolean {
  return !UNPLAIN.test(text);
}

/** The text for a terminal: what is not plain stands as `\u001b`. */
export function escapeUnplain(text: string): string {
  return text.replace(EVERY_UNPLAIN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
