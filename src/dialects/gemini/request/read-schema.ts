/**
 * Google's own schemas as JSON Schema: types in capitals, `nullable`, counts in quotes. What is JSON Schema already stays as it is.
 *
 * https://ai.google.dev/api/caching#Schema
 */
import type { Json, JsonObject } from '../../../chat/request.ts';
import { isAbsent, isList, isRecord } from '../../kit/request/request-values.ts';

/** `schema` nests no deeper than a request may. */
export function readSchema(schema: JsonObject): JsonObject {
  const keywords = Object.entries(schema).map(([name, value]) => [NAMES.get(name) ?? name, value as Json] as const);
  const read: JsonObject = Object.fromEntries(
    keywords.filter(([name]) => !LEFT_OUT.has(name)).map(([name, value]) => [name, readKeyword(name, value)]),
  );
  const ordered = isRecord(read['properties']) ? inOrder(read['properties'], orderOf(schema)) : null;
  const typed = ordered === null ? read : { ...read, properties: ordered };
  return schema['nullable'] === true ? nullable(typed) : typed;
}

/** The second spelling of Google's keywords, and its names for two of JSON Schema's. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['any_of', 'anyOf'],
  ['max_items', 'maxItems'],
  ['min_items', 'minItems'],
  ['max_length', 'maxLength'],
  ['min_length', 'minLength'],
  ['max_properties', 'maxProperties'],
  ['min_properties', 'minProperties'],
  ['additional_properties', 'additionalProperties'],
  ['prefix_items', 'prefixItems'],
  ['property_ordering', 'propertyOrdering'],
  ['defs', '$defs'],
  ['ref', '$ref'],
]);
/** They become the order of the properties and a type. */
const LEFT_OUT: ReadonlySet<string> = new Set(['propertyOrdering', 'nullable']);
const COUNTS: ReadonlySet<string> = new Set([
  ...['maxItems', 'minItems', 'maxLength', 'minLength', 'maxProperties', 'minProperties'],
]);
const SCHEMAS: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties']);

function readKeyword(name: string, value: Json): Json {
  if (name === 'type') return isList(value) ? value.map(readType) : readType(value);
  // Google's JSON writes 64-bit numbers as strings.
  if (COUNTS.has(name)) return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (SCHEMAS.has(name)) return readInner(value);
  if (LISTS.has(name)) return isList(value) ? value.map(readInner) : value;
  if (!MAPS.has(name) || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readInner(inner as Json)]));
}

function readInner(value: Json): Json {
  return isRecord(value) ? readSchema(value) : value;
}

function readType(type: Json): Json {
  return typeof type === 'string' ? type.toLowerCase() : type;
}

function orderOf(schema: JsonObject): readonly Json[] {
  const order = schema['propertyOrdering'] ?? schema['property_ordering'];
  return isList(order) ? order : [];
}

/** The named properties first: models write them in this order. */
function inOrder(properties: JsonObject, order: readonly Json[]): JsonObject {
  const first = order.filter((name): name is string => typeof name === 'string' && Object.hasOwn(properties, name));
  if (first.length === 0) return properties;
  return { ...Object.fromEntries(first.map((name) => [name, properties[name] as Json])), ...properties };
}

function nullable(schema: JsonObject): JsonObject {
  const { type, enum: words } = schema;
  if (isAbsent(type))
    return schema['anyOf'] === undefined ? schema : { ...schema, anyOf: [...listOf(schema['anyOf']), NULL] };
  const types = isList(type) ? type : [type];
  const known = types.includes('null') ? types : [...types, 'null'];
  return { ...schema, type: known, ...(isList(words) && !words.includes(null) && { enum: [...words, null] }) };
}

const NULL: JsonObject = { type: 'null' };

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}
