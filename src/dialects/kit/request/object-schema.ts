/**
 * Converts a tool's schema for the Messages API: the root is an object, without `oneOf`, `anyOf` or `allOf`.
 *
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 */
import type { Json, JsonObject } from '../../../chat/request.ts';
import { isList, isRecord } from './request-values.ts';

/**
 * The schema itself if it is valid there. Alternatives at its root become one object with the properties of all of them: looser, but the
 * arguments keep the shape that the caller expects.
 */
export function objectSchema(schema: JsonObject, warnings: Set<string>): JsonObject {
  const { oneOf, anyOf, allOf, ...rest } = schema;
  const choices = [...branches(oneOf, schema), ...branches(anyOf, schema)];
  const parts = branches(allOf, schema);
  if (oneOf === undefined && anyOf === undefined && allOf === undefined) return withType(schema);
  warnings.add('a tool schema with oneOf, anyOf or allOf at its root was loosened to one object');
  const properties = new Map<string, Json>();
  for (const branch of [rest, ...parts, ...choices]) mergeProperties(properties, branch);
  const required = new Set([rest, ...parts].flatMap(requiredOf));
  return {
    ...rest,
    type: 'object',
    // Not by assignment: a property may be named `__proto__`.
    properties: Object.fromEntries(properties),
    ...(required.size > 0 && { required: [...required] }),
  };
}

function withType(schema: JsonObject): JsonObject {
  if (schema['type'] === 'object') return schema;
  const bare = Object.keys(schema).length === 0;
  return bare ? { type: 'object', properties: {} } : { ...schema, type: 'object' };
}

/** The objects in a list of schemas; a reference into the schema's own definitions is followed once. */
function branches(value: Json | undefined, root: JsonObject): JsonObject[] {
  if (!isList(value)) return [];
  return value.filter(isRecord).map((branch) => followed(branch, root));
}

function followed(branch: JsonObject, root: JsonObject): JsonObject {
  const match = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(branch['$ref'] ?? ''));
  const holder = root[match?.[1] ?? ''];
  if (match === null || !isRecord(holder)) return branch;
  const target = Object.hasOwn(holder, match[2] ?? '') ? holder[match[2] ?? ''] : undefined;
  return isRecord(target) ? target : branch;
}

function mergeProperties(properties: Map<string, Json>, branch: JsonObject): void {
  const own = branch['properties'];
  if (!isRecord(own)) return;
  for (const [name, schema] of Object.entries(own)) {
    const before = properties.get(name);
    const same = before === undefined || JSON.stringify(before) === JSON.stringify(schema);
    properties.set(name, same ? schema : { anyOf: [before, schema] });
  }
}

function requiredOf(branch: JsonObject): string[] {
  const required = branch['required'];
  if (!isList(required)) return [];
  return required.filter((name) => typeof name === 'string');
}
