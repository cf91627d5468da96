/** Checks of JSON that was stored in a column: what has another form was damaged, and must not be taken for "nothing is restricted". */
import { isObject, type JsonObject } from '../../core/json-object.ts';

/** Throws if the text is not a JSON object. */
export function storedObject(text: string): JsonObject {
  return checkedObject(JSON.parse(text), 'it');
}

export function checkedObject(value: unknown, name: string): JsonObject {
  if (!isObject(value)) throw new TypeError(`${name} is not an object`);
  return value;
}

/** Throws if one of these fields is there and is not a list of texts. */
export function checkTexts(object: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    const list = object[name];
    if (list === undefined || list === null) continue;
    if (!Array.isArray(list) || !list.every((entry) => typeof entry === 'string'))
      throw new TypeError(`${name} is not a list of texts`);
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
