/** The elements of an array, with the values of some fields of those that are objects: in one pass over the bytes. */
import { type ArrayItem, endOfValue, nextItem } from './array-items.ts';
import { FieldCursor } from './field-cursor.ts';

export interface ArrayObject extends ArrayItem {
  /**
   * For each name: where its value is, the last one of duplicates, as for a JSON parser; null without one. All are null if a name in the
   * object has escapes, which only a parser can read, or if the element is no object.
   */
  readonly values: readonly (ArrayItem | null)[];
}

/** `valueStart` and `valueEnd` enclose an array that is known to be JSON; `names` with their quotes. */
export function objectsOf(
  bytes: Buffer,
  { valueStart, valueEnd }: { readonly valueStart: number; readonly valueEnd: number },
  names: readonly Buffer[],
): readonly ArrayObject[] {
  const objects: ArrayObject[] = [];
  const cursor = new FieldCursor();
  const none = names.map(() => null);
  const limit = valueEnd - 1;
  for (let start = nextItem(bytes, valueStart + 1); start < limit; ) {
    const values = bytes[start] === OPEN_BRACE ? valuesOf(cursor, bytes, start, limit, names) : null;
    const end = values === null ? endOfValue(bytes, start, limit) : cursor.objectEnd;
    objects.push({ start, end, values: values === null || values.length === 0 ? none : values });
    start = nextItem(bytes, end);
  }
  return objects;
}

/** Empty if a name has escapes; null if the object does not end. */
function valuesOf(
  cursor: FieldCursor,
  bytes: Buffer,
  start: number,
  limit: number,
  names: readonly Buffer[],
): readonly (ArrayItem | null)[] | null {
  const values: (ArrayItem | null)[] = names.map(() => null);
  let isUnclear = false;
  cursor.open(bytes, start, limit);
  while (cursor.next()) {
    if (bytes.subarray(cursor.keyStart, cursor.keyEnd).includes(BACKSLASH)) isUnclear = true;
    const index = names.findIndex((name) => cursor.keyIs(name));
    if (index !== -1) values[index] = { start: cursor.valueStart, end: cursor.valueEnd };
  }
  if (cursor.broken) return null;
  return isUnclear ? [] : values;
}

const OPEN_BRACE = 0x7b;
const BACKSLASH = 0x5c;
