/** Looks back from a string in a body that is known to be JSON, in which a quote after a colon opens a string. */
import { isSpace } from '../../../wire/json-grammar.ts';

/** Whether the quote at `at` opens the value of a field with one of `names`, given with their quotes; one spelled with escapes is not found. */
export function isValueOf(bytes: Buffer, at: number, names: readonly Buffer[]): boolean {
  const colon = skipBack(bytes, at - 1);
  if (bytes[colon] !== COLON) return false;
  const end = skipBack(bytes, colon - 1) + 1;
  return names.some((name) => {
    const start = end - name.length;
    // Before a quote that opens a string there is never a backslash.
    return start > 0 && bytes[start - 1] !== BACKSLASH && bytes.compare(name, 0, name.length, start, end) === 0;
  });
}

const COLON = 0x3a;
const BACKSLASH = 0x5c;

function skipBack(bytes: Buffer, from: number): number {
  let at = from;
  while (at >= 0 && isSpace(bytes[at] as number)) at -= 1;
  return at;
}
