/** Typed looks into a parsed request. Each names the place at fault in its `GatewayError` 400 (`invalid_value`, `missing_field`). */
import type { CacheMark, Json, JsonObject } from '../../../chat/request.ts';
import { GatewayError } from '../../../core/errors.ts';
import { isExact, rounded } from '../../../wire/exact-numbers.ts';

/** A field that may not be there. */
export type Value = Json | undefined;

export function isAbsent(value: Value): value is null | undefined {
  return value === null || value === undefined;
}

/** Null, an empty list or object: to leave it out changes nothing, so nobody is warned of it. */
export function isEmpty(value: Value): boolean {
  return isAbsent(value) || (typeof value === 'object' && Object.keys(value).length === 0);
}

export function isList(value: Value): value is readonly Json[] {
  return Array.isArray(value);
}

export function isRecord(value: Value): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExact(value);
}

export function readObject(value: Value, param: string): JsonObject {
  if (isRecord(value)) return value;
  throw isAbsent(value) ? missing(param) : invalid(param, `"${param}" must be an object.`);
}

export function readList(value: Value, param: string): readonly Json[] {
  if (isList(value)) return value;
  throw isAbsent(value) ? missing(param) : invalid(param, `"${param}" must be an array.`);
}

export function readText(value: Value, param: string): string {
  if (typeof value === 'string') return value;
  throw isAbsent(value) ? missing(param) : invalid(param, `"${param}" must be a string.`);
}

export function readTextOrNull(value: Value, param: string): string | null {
  return isAbsent(value) ? null : readText(value, param);
}

export function readFlagOrNull(value: Value, param: string): boolean | null {
  if (isAbsent(value)) return null;
  if (typeof value === 'boolean') return value;
  throw invalid(param, `"${param}" must be true or false.`);
}

/** JSON can spell numbers beyond a double (`1e999`); those are refused, since they would be sent on as `null`. */
export function readNumberOrNull(value: Value, param: string): number | null {
  if (isAbsent(value)) return null;
  const number = rounded(value);
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw invalid(param, `"${param}" must be a number.`);
}

/** A whole number of at least 0. */
export function readCountOrNull(value: Value, param: string): number | null {
  const count = readNumberOrNull(value, param);
  if (count === null || (Number.isSafeInteger(count) && count >= 0)) return count;
  throw invalid(param, `"${param}" must be a whole number of at least 0.`);
}

/** A mark is a hint about price, so a new word in it costs a warning and not the call. `param` is empty for the whole request. */
export function readCacheMark(block: JsonObject, param: string, warnings: Set<string>): CacheMark | null {
  const value = block['cache_control'];
  if (isAbsent(value)) return null;
  const mark = readObject(value, param === '' ? 'cache_control' : `${param}.cache_control`);
  const { type, ttl, ...others } = mark;
  if (!Object.values(others).every(isEmpty))
    warnings.add('cache_control takes only type and ttl here; the rest was left out');
  if (type !== 'ephemeral' || !(isAbsent(ttl) || ttl === '5m' || ttl === '1h')) {
    warnings.add('a cache_control with an unknown type or ttl was read as ephemeral for 5m');
    return '5m';
  }
  return ttl === '1h' ? '1h' : '5m';
}

/** Warns of every field that is not known and says something. `where` stands before its name. */
export function warnOfOthers(
  object: JsonObject,
  known: ReadonlySet<string>,
  where: string,
  warnings: Set<string>,
): void {
  for (const name of Object.keys(object)) {
    if (known.has(name) || isEmpty(object[name]) || object[name] === false) continue;
    warnings.add(`${where}${quotable(name)} is not known to this provider and was left out`);
  }
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** A word of the request as a warning or a message may repeat it: warnings travel in a header. */
export function quotable(word: Value): string {
  return typeof word === 'string' && /^[\w.:-]{1,64}$/.test(word) ? word : 'unnamed';
}

export function invalid(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param });
}

export function missing(param: string): GatewayError {
  return new GatewayError('missing_field', { message: `The field "${param}" is required.`, param });
}

export function unsupported(param: string, message: string): GatewayError {
  return new GatewayError('unsupported_value', { message, param });
}
