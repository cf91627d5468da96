/**
 * The smallest value a JSON schema accepts, for structured answers and tool arguments: required properties only, the first of
 * several choices, the lowest number. Keywords that would need a solver (`pattern`, `not`, `if`) are ignored. A small schema
 * can require an endless value, so the work is counted.
 */
import { asObject, isObject, type JsonObject, objectsOf } from '../core/json-object.ts';
import { badRequest } from './refusal.ts';

/** Past this depth a choice without further nesting is preferred, so that a recursive schema ends. */
const NESTING_MAX = 8;
const ABANDONED_DEPTH = 64;

/** Values, names and characters that are made or read; each counts as 1. */
const WORK_MAX = 20_000;

/** Throws a `Refusal` if the value, or the work to find it, is larger than a demo needs. */
export function minimalJson(schema: JsonObject): unknown {
  return smallestValue(schema, { schema, work: 0 }, 0);
}

interface Root {
  readonly schema: JsonObject;
  work: number;
}

function spend(root: Root, work: number): void {
  root.work += work;
  if (root.work > WORK_MAX) throw badRequest('The schema asks for a larger value than the demo provider makes.');
}

function smallestValue(schema: unknown, root: Root, depth: number): unknown {
  spend(root, 1);
  if (!isObject(schema) || depth > ABANDONED_DEPTH) return null;
  const whole = resolve(schema, root);
  if ('const' in whole) return copied(whole['const'], root);
  if (Array.isArray(whole['enum']) && whole['enum'].length > 0) return copied(whole['enum'][0], root);
  const choices = objectsOf(whole['anyOf'] ?? whole['oneOf']);
  if (choices.length > 0) {
    const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = whole;
    spend(root, Object.keys(rest).length);
    return smallestValue({ ...rest, ...choose(choices, root, depth) }, root, depth + 1);
  }
  switch (typeOf(whole, depth)) {
    case 'object':
      return objectValue(whole, root, depth);
    case 'array':
      return listValue(whole, root, depth);
    case 'integer':
      return numberValue(whole, 1);
    case 'number':
      return numberValue(whole, 0);
    case 'boolean':
      return false;
    case 'string':
      return stringValue(whole, root);
    default:
      return null;
  }
}

/** Follows `$ref` within the document and merges `allOf`. */
function resolve(schema: JsonObject, root: Root, hopsBefore = 0): JsonObject {
  let whole = schema;
  spend(root, 1);
  if (hopsBefore > ABANDONED_DEPTH) return {};
  for (let hops = 0; typeof whole['$ref'] === 'string' && hops < NESTING_MAX; hops += 1) {
    const { $ref: reference, ...rest } = whole;
    spend(root, String(reference).length);
    whole = { ...pointed(String(reference), root.schema), ...rest };
    spend(root, Object.keys(whole).length);
  }
  for (const part of objectsOf(whole['allOf'])) {
    const folded = resolve(part, root, hopsBefore + 1);
    const properties = { ...asObject(whole['properties']), ...asObject(folded['properties']) };
    const required = [...namesOf(whole['required']), ...namesOf(folded['required'])];
    whole = { ...whole, ...folded, properties, required };
    spend(root, Object.keys(whole).length + Object.keys(properties).length + required.length);
  }
  return whole;
}

function pointed(reference: string, root: JsonObject): JsonObject {
  let at: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    at = isObject(at) ? at[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  return asObject(at) ?? {};
}

function choose(choices: readonly JsonObject[], root: Root, depth: number): JsonObject {
  const resolved = choices.map((choice) => resolve(choice, root));
  const flat = resolved.find((choice) => !['object', 'array', undefined].includes(typeOf(choice, depth)));
  return (depth > NESTING_MAX ? flat : undefined) ?? resolved[0] ?? {};
}

function typeOf(schema: JsonObject, depth: number): string | undefined {
  const type = schema['type'];
  if (Array.isArray(type)) return depth > NESTING_MAX && type.includes('null') ? 'null' : String(type[0]);
  if (typeof type === 'string') return type;
  if (isObject(schema['properties'])) return 'object';
  return schema['items'] === undefined ? undefined : 'array';
}

function listValue(schema: JsonObject, root: Root, depth: number): unknown[] {
  const length = numberOr(schema['minItems'], 0);
  spend(root, length);
  return Array.from({ length }, () => smallestValue(schema['items'], root, depth + 1));
}

/** A value from the schema itself, which may be used more than once. */
function copied(value: unknown, root: Root): unknown {
  spend(root, JSON.stringify(value)?.length ?? 0);
  return value;
}

function objectValue(schema: JsonObject, root: Root, depth: number): JsonObject {
  const properties = asObject(schema['properties']) ?? {};
  const value: Record<string, unknown> = {};
  for (const name of namesOf(schema['required'])) {
    spend(root, name.length);
    Object.defineProperty(value, name, {
      value: smallestValue(properties[name] ?? {}, root, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return value;
}

/** The lowest multiple of `step` within the bounds; `step` 0 allows any number. */
function numberValue(schema: JsonObject, step: number): number {
  const above = numberOr(schema['exclusiveMinimum'], Number.NEGATIVE_INFINITY);
  const below = numberOr(schema['exclusiveMaximum'], Number.POSITIVE_INFINITY);
  const low = Math.max(numberOr(schema['minimum'], Number.NEGATIVE_INFINITY), above);
  const high = Math.min(numberOr(schema['maximum'], Number.POSITIVE_INFINITY), below);
  const unit = numberOr(schema['multipleOf'], step);
  if (low < 0 && high > 0) return 0;
  if (low === 0 && above !== 0 && high >= 0) return 0;
  if (high === 0 && below !== 0) return 0;
  if (low === Number.NEGATIVE_INFINITY) return unit === 0 ? high - 1 : unit * Math.ceil(high / unit - 1);
  if (unit === 0) return above === low ? (Number.isFinite(high) ? (low + high) / 2 : low + 1) : low;
  const candidate = unit * Math.ceil(low / unit);
  return candidate > above ? candidate : candidate + unit;
}

const STRINGS_BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'demo@example.com',
  hostname: 'example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

function stringValue(schema: JsonObject, root: Root): string {
  const formatted = typeof schema['format'] === 'string' ? STRINGS_BY_FORMAT[schema['format']] : undefined;
  if (formatted !== undefined) return formatted;
  spend(root, numberOr(schema['minLength'], 0));
  const longEnough = 'demo'.padEnd(numberOr(schema['minLength'], 0), '-');
  return longEnough.slice(0, numberOr(schema['maxLength'], longEnough.length));
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
