/** Where a field's value stands in a frame, found without a parse. */
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { Place } from './place-of-model.ts';

/**
 * Where the value of `name` (with its quotes) is in the object at `start`: the last one where the name stands there twice, as for a JSON
 * parser. Null where there is none, or where a name is written with escapes: only a parser can say what that is.
 */
export function lastValue(bytes: Buffer, start: number, end: number, name: Buffer): Place | null {
  let place: Place | null = null;
  cursor.open(bytes, start, end);
  while (cursor.next()) {
    if (bytes.subarray(cursor.keyStart, cursor.keyEnd).includes(BACKSLASH)) return null;
    if (cursor.keyIs(name)) place = { start: cursor.valueStart, end: cursor.valueEnd };
  }
  return cursor.broken ? null : place;
}

/** Every search is over before the next one begins. */
const cursor = new FieldCursor();
const BACKSLASH = 0x5c;
