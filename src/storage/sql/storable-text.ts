/** What PostgreSQL cannot store in a text. https://www.postgresql.org/docs/current/datatype-character.html */
const NUL = '\0';
const REPLACEMENT = '\u{fffd}';

/** A text as PostgreSQL stores it: without NUL, and without halves of surrogate pairs, which would not be read again as they were. */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes(NUL) ? whole.replaceAll(NUL, REPLACEMENT) : whole;
}
