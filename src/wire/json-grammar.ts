/** Tables and tokens of JSON (RFC 8259) for the scanner, which reads bytes and makes no objects. */

/** The kind of value that a byte begins; 0 when it begins none. */
export const STRING_KIND = 1;
export const OBJECT_KIND = 2;
export const ARRAY_KIND = 3;
export const NUMBER_KIND = 4;
export const TRUE_KIND = 5;
export const FALSE_KIND = 6;
export const NULL_KIND = 7;

export const valueKinds = new Uint8Array(256);
valueKinds[0x22] = STRING_KIND;
valueKinds[0x7b] = OBJECT_KIND;
valueKinds[0x5b] = ARRAY_KIND;
for (const byte of Buffer.from('-0123456789')) valueKinds[byte] = NUMBER_KIND;
valueKinds[0x74] = TRUE_KIND;
valueKinds[0x66] = FALSE_KIND;
valueKinds[0x6e] = NULL_KIND;

/** The literal names by kind; empty for the other kinds. */
export const literals: readonly Buffer[] = ['', '', '', '', '', 'true', 'false', 'null'].map((word) =>
  Buffer.from(word),
);

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

// A number is read with a table: row = state, column = byte, cell = next state, 0 = the number has ended.
const MINUS = 1;
const ZERO = 2;
const INTEGER = 3;
const POINT = 4;
const FRACTION = 5;
const E = 6;
const SIGN = 7;
const EXPONENT = 8;

/** The state before a number's first byte. */
export const NUMBER_START = 9;
/** Indexed by `(state << 8) | byte`. */
export const numberSteps: Uint8Array = buildNumberSteps();

/** Whether a number may end in this state. */
export function numberMayEnd(state: number): boolean {
  return state === ZERO || state === INTEGER || state === FRACTION || state === EXPONENT;
}

const BYTE_LOOP_MAX = 64;

/**
 * Skips the rest of a string, from a byte that is not escaped. Returns the offset after the closing quote, or, if the string does not end
 * in these bytes, the complement (`~`) of the offset to continue from, which is one past their end if the last byte is a backslash that
 * escapes the next. Reads short strings byte by byte and finds the end of long ones by a native search.
 */
export function skipString(bytes: Buffer, from: number): number {
  const filled = bytes.length;
  let at = from;
  for (;;) {
    const stop = Math.min(filled, at + BYTE_LOOP_MAX);
    while (at < stop) {
      const byte = bytes[at] as number;
      if (byte === 0x22) return at + 1;
      at += byte === 0x5c ? 2 : 1;
    }
    if (at >= filled) return ~at;
    const quote = bytes.indexOf(0x22, at);
    const end = quote === -1 ? filled : quote;
    let backslashes = 0;
    while (end - backslashes > at && bytes[end - backslashes - 1] === 0x5c) backslashes++;
    const escaped = (backslashes & 1) === 1;
    if (quote === -1) return ~(escaped ? filled + 1 : filled);
    if (!escaped) return quote + 1;
    at = quote + 1;
  }
}

/**
 * Where the last character begins, which may be incomplete. No character has more than three continuation bytes; a longer run of them is
 * not UTF-8 wherever it is cut.
 */
export function lastCharacterStart(bytes: Buffer, filled: number): number {
  let at = filled - 1;
  while (at > filled - 4 && ((bytes[at] as number) & 0xc0) === 0x80) at--;
  return at;
}

function buildNumberSteps(): Uint8Array {
  const steps = new Uint8Array(10 << 8);
  const on = (state: number, characters: string, next: number) => {
    for (const byte of Buffer.from(characters)) steps[(state << 8) | byte] = next;
  };
  for (const state of [NUMBER_START, MINUS]) {
    on(state, '0', ZERO);
    on(state, '123456789', INTEGER);
  }
  on(NUMBER_START, '-', MINUS);
  on(INTEGER, '0123456789', INTEGER);
  for (const state of [ZERO, INTEGER]) on(state, '.', POINT);
  for (const state of [POINT, FRACTION]) on(state, '0123456789', FRACTION);
  for (const state of [ZERO, INTEGER, FRACTION]) on(state, 'eE', E);
  on(E, '+-', SIGN);
  for (const state of [E, SIGN, EXPONENT]) on(state, '0123456789', EXPONENT);
  return steps;
}
