/**
 * Goal: every input of the management API is bounded, because what one tenant writes stays in shared memory. Method: the schemas of every
 * route, as JSON Schema, walked to their leaves.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { contractRoutes } from './schemas.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Whether a pattern itself bounds the length of a text. */
const bounded = (pattern: string) => !/[*+]|,\}/.test(pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x'));

function* unbounded(schema: Schema, path: string): Generator<string> {
  for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    yield* unbounded(each, path);
  const types = [schema.type ?? []].flat();
  if (types.includes('string') && schema.enum === undefined && schema.const === undefined) {
    const isBounded =
      schema.maxLength !== undefined ||
      (schema.pattern !== undefined && bounded(schema.pattern)) ||
      schema.format === 'date-time';
    if (!isBounded) yield `${path}: a text`;
  }
  if (types.includes('array')) {
    if (schema.maxItems === undefined) yield `${path}: a list`;
    if (schema.items !== undefined) yield* unbounded(schema.items, `${path}[]`);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* unbounded(property, `${path}.${name}`);
  if (typeof schema.additionalProperties === 'object') {
    if (schema.maxProperties === undefined) yield `${path}: any names`;
    yield* unbounded(schema.additionalProperties, `${path}.*`);
  }
}

test('every text and list in a request is bounded', () => {
  const found = contractRoutes.flatMap(({ name, route }) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = z.toJSONSchema(route[part], { io: 'input', unrepresentable: 'any' }) as Schema;
      return [...unbounded(schema, `${name} ${part}`)];
    }),
  );
  assert.deepEqual(found, []);
});
