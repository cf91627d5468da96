/** Reads values of a parsed request; what has the wrong type is a 400 that names its place. */
import { isExact, rounded } from '../../../wire/exact-numbers.ts';
import { asObject, type JsonObject } from '../answer/json-value.ts';
import { invalid } from '../peek/request-fields.ts';

/** The object; throws `invalid_value` for anything else. */
export function objectAt(value: unknown, path: string): JsonObject {
  const object = asObject(value);
  if (object === null || isExact(object)) throw invalid(path, `"${path}" must be an object.`);
  return object;
}

export function arrayAt(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(path, `"${path}" must be an array.`);
  return value;
}

/** The array, empty where the value is absent or `null`. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  return isAbsent(value) ? [] : arrayAt(value, path);
}

export function stringAt(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalid(path, `"${path}" must be a string.`);
  return value;
}

/** A string that holds something: a name, an id. */
export function nameAt(value: unknown, path: string): string {
  const name = stringAt(value, path);
  if (name === '') throw invalid(path, `"${path}" must not be empty.`);
  return name;
}

export function optionalString(value: unknown, path: string): string | null {
  return isAbsent(value) ? null : stringAt(value, path);
}

export function optionalFlag(value: unknown, path: string): boolean | null {
  if (isAbsent(value)) return null;
  if (typeof value !== 'boolean') throw invalid(path, `"${path}" must be true or false.`);
  return value;
}

export function optionalNumber(value: unknown, path: string, min: number, max: number): number | null {
  if (isAbsent(value)) return null;
  const number = rounded(value);
  if (typeof number !== 'number' || !(number >= min && number <= max)) {
    throw invalid(path, `"${path}" must be a number from ${min} to ${max}.`);
  }
  return number;
}

export function optionalWhole(value: unknown, path: string): number | null {
  if (isAbsent(value)) return null;
  const number = rounded(value);
  if (!Number.isInteger(number)) throw invalid(path, `"${path}" must be a whole number.`);
  return number as number;
}

/** One of the words; throws `invalid_value` that lists them. */
export function wordAt<const Word extends string>(value: unknown, path: string, words: readonly Word[]): Word {
  const word = words.find((it) => it === value);
  if (word === undefined) throw invalid(path, `"${path}" must be one of ${words.join(', ')}.`);
  return word;
}

export function optionalWord<const Word extends string>(
  value: unknown,
  path: string,
  words: readonly Word[],
): Word | null {
  return isAbsent(value) ? null : wordAt(value, path, words);
}

/** Vendors take `null` and an absent field for the same. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/**
 * Warns of every field that is neither read nor known to be without effect. The name is the caller's own, and a warning
 * may travel in a header, so a name that is no plain word is not repeated.
 */
export function warnOfOthers(
  object: JsonObject,
  known: ReadonlySet<string>,
  where: string,
  warnings: Set<string>,
): void {
  for (const name of Object.keys(object)) {
    if (known.has(name) || saysNothing(object[name])) continue;
    const shown = PLAIN_NAME.test(name) ? `${where}${name}` : `a field of ${where === '' ? 'the request' : where}`;
    warnings.add(`${shown} cannot be passed on to this provider and was left out`);
  }
}

const PLAIN_NAME = /^[\w-]{1,64}$/;

function saysNothing(value: unknown): boolean {
  return isAbsent(value) || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
}
