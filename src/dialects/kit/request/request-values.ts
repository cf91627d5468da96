/**
 * Reads values of a parsed request; a wrong type throws a `GatewayError` 400 that names the field's `path`. The request was parsed by
 * `readDocumentExactly`, in which a number that a double cannot hold is an object (`isExact`); here it does not count as one.
 */
import type { Json, JsonObject } from '../../../chat/request.ts';
import { type JsonObject as AnyObject, isObject } from '../../../core/json-object.ts';
import { isExact, rounded } from '../../../wire/exact-numbers.ts';
import { invalid, missing } from '../errors/request-errors.ts';

/** Vendors treat `null` like an absent field. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Absent, or an empty list or object: leaving it out changes nothing, so there is no warning. */
export function isEmpty(value: unknown): boolean {
  return isAbsent(value) || (typeof value === 'object' && Object.keys(value).length === 0);
}

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

export function isRecord(value: unknown): value is JsonObject {
  return isObject(value) && !isExact(value);
}

/** The object; throws `invalid_value` for anything else, including an absent value. */
export function readObject(value: unknown, path: string): JsonObject {
  if (isRecord(value)) return value;
  throw invalid(path, `"${path}" must be an object.`);
}

export function readList(value: unknown, path: string): readonly Json[] {
  if (isList(value)) return value;
  throw invalid(path, `"${path}" must be an array.`);
}

export function readText(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw invalid(path, `"${path}" must be a string.`);
}

/** As `readObject`; throws `missing_field` if it is absent. */
export function requireObject(value: unknown, path: string): JsonObject {
  return readObject(present(value, path), path);
}

export function requireList(value: unknown, path: string): readonly Json[] {
  return readList(present(value, path), path);
}

export function requireText(value: unknown, path: string): string {
  return readText(present(value, path), path);
}

/** A string that is not empty: a name, an id. */
export function readName(value: unknown, path: string): string {
  return named(readText(value, path), path);
}

/** As `readName`; throws `missing_field` if it is absent. */
export function requireName(value: unknown, path: string): string {
  return named(requireText(value, path), path);
}

/** The list; empty if the value is absent. */
export function readListOrEmpty(value: unknown, path: string): readonly Json[] {
  return isAbsent(value) ? [] : readList(value, path);
}

/** The object; empty if the value is absent. */
export function readObjectOrEmpty(value: unknown, path: string): JsonObject {
  return isAbsent(value) ? {} : readObject(value, path);
}

export function readTextOrNull(value: unknown, path: string): string | null {
  return isAbsent(value) ? null : readText(value, path);
}

export function readFlagOrNull(value: unknown, path: string): boolean | null {
  if (isAbsent(value)) return null;
  if (typeof value === 'boolean') return value;
  throw invalid(path, `"${path}" must be true or false.`);
}

/** JSON can have numbers beyond the range of a double (`1e999`); those are refused, since they would be sent on as `null`. */
export function readNumberOrNull(value: unknown, path: string): number | null {
  if (isAbsent(value)) return null;
  const number = rounded(value);
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw invalid(path, `"${path}" must be a number.`);
}

export function readNumberWithin(value: unknown, path: string, min: number, max: number): number | null {
  if (isAbsent(value)) return null;
  const number = rounded(value);
  if (typeof number === 'number' && number >= min && number <= max) return number;
  throw invalid(path, `"${path}" must be a number from ${min} to ${max}.`);
}

export function readWholeOrNull(value: unknown, path: string): number | null {
  if (isAbsent(value)) return null;
  const number = rounded(value);
  if (Number.isInteger(number)) return number as number;
  throw invalid(path, `"${path}" must be a whole number.`);
}

/** A whole number of at least 0. */
export function readCountOrNull(value: unknown, path: string): number | null {
  const count = readNumberOrNull(value, path);
  if (count === null || (Number.isSafeInteger(count) && count >= 0)) return count;
  throw invalid(path, `"${path}" must be a whole number of at least 0.`);
}

/** One of the words; throws an `invalid_value` that lists them. */
export function readWord<const Word extends string>(value: unknown, path: string, words: readonly Word[]): Word {
  const word = words.find((it) => it === value);
  if (word !== undefined) return word;
  throw invalid(path, `"${path}" must be one of ${words.join(', ')}.`);
}

export function readWordOrNull<const Word extends string>(
  value: unknown,
  path: string,
  words: readonly Word[],
): Word | null {
  return isAbsent(value) ? null : readWord(value, path, words);
}

/** The names of unknown fields with a meaningful value; `false` is the default of every switch and means nothing. */
export function unknownFields(object: AnyObject, known: ReadonlySet<string>): readonly string[] {
  let unknown: string[] | null = null;
  for (const name in object) {
    if (known.has(name) || object[name] === false || isEmpty(object[name])) continue;
    unknown ??= [];
    unknown.push(name);
  }
  return unknown ?? NONE;
}

const NONE: readonly string[] = [];

function present(value: unknown, path: string): unknown {
  if (isAbsent(value)) throw missing(path);
  return value;
}

function named(name: string, path: string): string {
  if (name === '') throw invalid(path, `"${path}" must not be empty.`);
  return name;
}
