/** What PostgreSQL cannot store in a text. https://www.postgresql.org/docs/current/datatype-character.html */
const NUL = '\0';
const REPLACEMENT = '\u{fffd}';

/** A text as PostgreSQL can store it. */
export function storable(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, REPLACEMENT) : text;
}
