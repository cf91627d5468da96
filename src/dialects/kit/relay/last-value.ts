/** Finds a field's value in a frame without parsing it. */
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { Place } from './place-of-model.ts';

/**
 * Where the value of `name` (with its quotes) is in the object at `start`: the last one of duplicates, as for a JSON parser. Null if there
 * is none, or if a name has escapes, which only a parser can read.
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

/** Shared: every search ends before the next one begins. */
const cursor = new FieldCursor();
const BACKSLASH = 0x5c;
