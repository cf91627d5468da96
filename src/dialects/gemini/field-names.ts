/**
 * Google's JSON takes each field of a message in two spellings: `inlineData` and `inline_data`. Here a field has the first as its name.
 *
 * https://protobuf.dev/programming-guides/json/#names
 */

import type { JsonObject } from '../../chat/request.ts';
import { invalid } from '../kit/errors/request-errors.ts';
import { isAbsent } from '../kit/request/request-values.ts';

/** The other spelling; the same for a name of one word. */
export function snakeOf(name: string): string {
  const known = SNAKES.get(name);
  if (known !== undefined) return known;
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (SNAKES.size < SNAKES_MAX) SNAKES.set(name, snake);
  return snake;
}

/** The names in both spellings, without repeats. */
export function bothSpellings(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => [name, snakeOf(name)]))];
}

/** The value of a field in either spelling. Throws `GatewayError` 400 if both are there: `path` is the object's, empty at the top. */
export function fieldOf(object: JsonObject, name: string, path: string): JsonObject[string] | undefined {
  const snake = snakeOf(name);
  const value = object[name];
  if (snake === name) return value;
  const other = object[snake];
  if (isAbsent(other)) return value;
  if (isAbsent(value)) return other;
  throw twice(name, path);
}

export function twice(name: string, path: string): Error {
  const at = path === '' ? name : `${path}.${name}`;
  return invalid(at, `"${name}" and "${snakeOf(name)}" are two spellings of one field; send only one.`);
}

const SNAKES = new Map<string, string>();
/** More names than the format has. */
const SNAKES_MAX = 512;
