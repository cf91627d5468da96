/** Checks of JSON that was stored in a column: what has another form was damaged, and must not be taken for "nothing is restricted". */
import { UnreadableRow } from '../../core/feed.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';

/** What `read` returns; throws `UnreadableRow`, which names the row, if that throws. */
export function readable<Columns>(what: string, id: number | string, read: () => Columns): Columns {
  try {
    return read();
  } catch (cause) {
    throw new UnreadableRow(what, id, cause);
  }
}

/** Throws if the text is not a JSON object. */
export function storedObject(text: string): JsonObject {
  return checkedObject(JSON.parse(text), 'it');
}

export function checkedObject(value: unknown, name: string): JsonObject {
  if (!isObject(value)) throw new TypeError(`${name} is not an object`);
  return value;
}

/** Throws if the text is not a JSON list of texts. */
export function storedTexts(text: string): readonly string[] {
  const list: unknown = JSON.parse(text);
  if (!isTexts(list)) throw new TypeError('it is not a list of texts');
  return list;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** Throws if one of these fields is there and is not a list of texts. */
export function checkTexts(object: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    const list = object[name];
    if (list === undefined || list === null) continue;
    if (!isTexts(list)) throw new TypeError(`${name} is not a list of texts`);
  }
}

/** Throws if one of these fields is there and is not a whole number. */
export function checkNumbers(object: JsonObject, names: readonly string[]): void {
  for (const name of names)
    if (object[name] !== undefined && !Number.isSafeInteger(object[name]))
      throw new TypeError(`${name} is not a whole number`);
}

/** Throws if one of these fields is there and is neither true nor false. */
export function checkFlags(object: JsonObject, names: readonly string[]): void {
  for (const name of names)
    if (object[name] !== undefined && typeof object[name] !== 'boolean') throw new TypeError(`${name} is not a flag`);
}
