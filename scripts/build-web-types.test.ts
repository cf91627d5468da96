/** Goal: the dashboard's types are the contract's. Method: the file as it would be written now; small schemas, printed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { printType } from './build-web-types/print-type.ts';
import { webDialects } from './build-web-types/web-dialects.ts';
import { webTypes } from './build-web-types/web-types.ts';

test('the types of the dashboard are those of the contract', () => {
  const written = readFileSync(new URL('../web/src/api/types.ts', import.meta.url), 'utf8');
  assert.equal(written, webTypes(), 'run node_modules/.bin/node scripts/build-web-types.ts');
});

test('the formats of the dashboard are those of the table of dialects', () => {
  const written = readFileSync(new URL('../web/src/api/dialects.ts', import.meta.url), 'utf8');
  assert.equal(written, webDialects(), 'run node_modules/.bin/node scripts/build-web-types.ts');
});

test('objects, lists, alternatives and what may be absent are printed as TypeScript', () => {
  const print = (schema: Parameters<typeof printType>[0]) => printType(schema).replaceAll(/\s+/g, ' ');
  assert.equal(print({ type: ['number', 'null'] }), 'number | null');
  assert.equal(print({ enum: ['a', "b'c", null] }), `'a' | 'b\\'c' | null`);
  assert.equal(print({ type: 'array', items: { type: ['string', 'null'] } }), 'readonly (string | null)[]');
  assert.equal(print({ type: 'array', items: { $ref: '#/components/schemas/Key' } }), 'readonly Key[]');
  assert.equal(print({ const: true }), 'true');
  assert.equal(print({}), 'unknown');
  assert.equal(print({ type: 'object', additionalProperties: false }), 'Readonly<Record<string, never>>');
  assert.equal(
    print({ type: 'object', additionalProperties: { type: 'integer' } }),
    'Readonly<Record<string, number>>',
  );
  assert.equal(
    print({
      type: 'object',
      properties: { a: { type: 'string' }, 'b-c': { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
      required: ['a'],
      additionalProperties: false,
    }),
    "{ readonly a: string; readonly 'b-c'?: number | null | undefined; }",
  );
});

test('a whole number in a query may be given as one', () => {
  const account = { type: 'string', pattern: '^[1-9]\\d{0,15}$' };
  assert.equal(printType(account, '', { numbersAsText: true }), 'number | string');
  assert.equal(printType(account), 'string');
});
