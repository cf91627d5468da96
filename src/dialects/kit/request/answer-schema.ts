/**
 * Converts the schema of an answer, or of a strict tool, for the Messages API: every object closed, no limits of numbers and lengths. Such
 * limits are not lost: the model reads them in the field's description.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs#json-schema-limitations
 */
import type { Json, JsonObject } from '../../../chat/request.ts';
import { isList, isRecord } from './request-values.ts';

/** Equal to `schema` if the API accepts it unchanged. */
export function answerSchema(schema: JsonObject, warnings: Set<string>): JsonObject {
  const fields: [string, Json][] = [];
  const limits: string[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (isLimit(name, value)) limits.push(`${name}: ${JSON.stringify(value)}`);
    else if (name === 'oneOf' && !Object.hasOwn(schema, 'anyOf')) fields.push(['anyOf', inner(name, value, warnings)]);
    else if (name !== 'additionalProperties') fields.push([name, inner(name, value, warnings)]);
  }
  if (isOfObjects(schema)) {
    if (schema['additionalProperties'] !== false) warnings.add(CLOSED);
    fields.push(['additionalProperties', false]);
  }
  const written = Object.fromEntries(fields);
  if (limits.length === 0) return written;
  warnings.add(DESCRIBED);
  const description = typeof schema['description'] === 'string' ? `${schema['description']}\n\n` : '';
  return { ...written, description: `${description}{${limits.join(', ')}}` };
}

/**
 * Whether `answerSchema` keeps the meaning. It does not if an object is a map with arbitrary names: closed, it could only be empty. If
 * properties are named, additional ones are no longer allowed.
 */
export function isExpressible(schema: JsonObject): boolean {
  const { properties, additionalProperties: others, patternProperties: patterns } = schema;
  if (isRecord(patterns) && Object.keys(patterns).length > 0) return false;
  const named = isRecord(properties) && Object.keys(properties).length > 0;
  if (isRecord(others) && Object.keys(others).length > 0) return false;
  const isMap = !named && others !== false && !Object.keys(schema).some((name) => REFERS.has(name));
  // Many schemas have an empty list of properties to say that there are none.
  if (isOfObjects(schema) && isMap && (properties === undefined || others !== undefined)) return false;
  return schemasWithin(schema).every(isExpressible);
}

/** Keywords that define the object elsewhere. */
const REFERS: ReadonlySet<string> = new Set(['$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const']);

function schemasWithin(schema: JsonObject): JsonObject[] {
  const within = Object.entries(schema).flatMap(([name, value]): readonly Json[] => {
    if (name === 'items') return [value];
    if (LISTS.has(name) && isList(value)) return value;
    return BY_NAME.has(name) && isRecord(value) ? Object.values(value) : [];
  });
  return within.filter(isRecord);
}

const CLOSED =
  'objects in a schema to be followed strictly were closed: this API does not support additionalProperties';
const DESCRIBED =
  'limits in a schema to be followed strictly were put into its descriptions: this API does not enforce them';

const LIMITS: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
]);

function isLimit(name: string, value: Json): boolean {
  return LIMITS.has(name) || (name === 'minItems' && value !== 0 && value !== 1);
}

function isOfObjects({ type, properties }: JsonObject): boolean {
  return type === 'object' || (isList(type) && type.includes('object')) || (type === undefined && isRecord(properties));
}

const BY_NAME: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf']);

/** The schemas within a schema; everything else (`enum`, `default`, …) is data. */
function inner(name: string, value: Json, warnings: Set<string>): Json {
  const written = (schema: Json): Json => (isRecord(schema) ? answerSchema(schema, warnings) : schema);
  if (name === 'items') return written(value);
  if (LISTS.has(name) && isList(value)) return value.map(written);
  if (!BY_NAME.has(name) || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, schema]) => [key, written(schema)]));
}
