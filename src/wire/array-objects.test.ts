/** Goal: one pass over an array finds the same elements and values as a parser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { itemsOf } from './array-items.ts';
import { objectsOf } from './array-objects.ts';

const NAMES = ['type', 'id'] as const;
const QUOTED = NAMES.map((name) => Buffer.from(JSON.stringify(name)));

function read(json: string) {
  const bytes = Buffer.from(json);
  const array = { valueStart: 0, valueEnd: bytes.length };
  const objects = objectsOf(bytes, array, QUOTED);
  assert.deepEqual(
    objects.map(({ start, end }) => ({ start, end })),
    itemsOf(bytes, array),
  );
  const parsed = (place: { readonly start: number; readonly end: number } | null) =>
    place === null ? undefined : JSON.parse(bytes.toString('utf8', place.start, place.end));
  return objects.map(({ values }) => values.map(parsed));
}

test('any array has the elements and values that a parser finds, with any white space', () => {
  const item = fc.oneof(
    fc.jsonValue(),
    fc.record({ type: fc.jsonValue(), id: fc.string(), more: fc.jsonValue() }, { requiredKeys: [] }),
  );
  fc.assert(
    fc.property(fc.array(item), fc.constantFrom('', ' ', '\n'), (items, space) => {
      const json = `[${space}${items.map((each) => JSON.stringify(each, null, space)).join(`${space},${space}`)}${space}]`;
      const expected = (JSON.parse(json) as unknown[]).map((each) =>
        NAMES.map((name) => (isObject(each) && !hasEscape(each) ? each[name] : undefined)),
      );
      assert.deepEqual(read(json), expected);
    }),
    { numRuns: 2_000 },
  );
});

test('of duplicates the last one counts, and an escape in any name hides them all', () => {
  assert.deepEqual(read('[{"id":1,"id":2},{"id":1,"ty\\u0070e":2},"id",{"type":"\\"id\\":3"}]'), [
    [undefined, 2],
    [undefined, undefined],
    [undefined, undefined],
    ['"id":3', undefined],
  ]);
});

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `JSON.stringify` writes one of its names with an escape. */
function hasEscape(object: Record<string, unknown>): boolean {
  return Object.keys(object).some((name) => JSON.stringify(name).includes('\\'));
}
