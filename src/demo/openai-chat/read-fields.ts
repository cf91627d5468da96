/** Fields that conversations and completions have in common, checked as strictly as by the real API. */
import { isWholeNumber, type JsonObject } from '../../core/json-object.ts';
import { badRequest } from '../refusal.ts';

const CHOICES_MAX = 128;

export function readFlag(body: JsonObject, name: string): boolean {
  const value = body[name];
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw invalidType(name, 'a boolean');
  return value;
}

export function readWhole(body: JsonObject, name: string, lowest: number): number | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (!isWholeNumber(value)) throw invalidType(name, 'an integer');
  if (value < lowest) {
    throw badRequest(`Invalid '${name}': ${value} is below the least value, ${lowest}.`, {
      param: name,
      code: 'integer_below_min_value',
    });
  }
  return value;
}

export function readChoices(body: JsonObject): number {
  const choices = readWhole(body, 'n', 1) ?? 1;
  if (choices <= CHOICES_MAX) return choices;
  throw badRequest(`Invalid 'n': ${choices} is above the greatest value, ${CHOICES_MAX}.`, {
    param: 'n',
    code: 'integer_above_max_value',
  });
}

export function checkRange(body: JsonObject, name: string, low: number, high: number): void {
  const value = body[name];
  if (value === undefined || value === null) return;
  if (typeof value !== 'number') throw invalidType(name, 'a number');
  if (value >= low && value <= high) return;
  const code = value < low ? 'decimal_below_min_value' : 'decimal_above_max_value';
  throw badRequest(`Invalid '${name}': ${value} is not between ${low} and ${high}.`, { param: name, code });
}

export function readStops(stop: unknown): readonly string[] {
  if (stop === undefined || stop === null) return [];
  const stops = typeof stop === 'string' ? [stop] : stop;
  if (Array.isArray(stops) && stops.length <= 4 && stops.every((one) => typeof one === 'string')) return stops;
  throw badRequest("Invalid 'stop': up to four strings are taken.", { param: 'stop' });
}

export function invalidType(name: string, expected: string): Error {
  return badRequest(`Invalid type for '${name}': expected ${expected}.`, { param: name, code: 'invalid_type' });
}
