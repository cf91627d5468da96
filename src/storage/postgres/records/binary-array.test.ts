/** Goal: the server reads the same values that were written. Method: values of each type, back from a real server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverNames, serverUrl } from '../../../../test/support/postgres/servers.ts';
import { openConnections } from '../engine/connections.ts';
import { type ArrayType, type ArrayValue, binaryArray } from './binary-array.ts';

const LARGE = 9_223_372_036_854_775_807n;
const CASES: readonly (readonly [ArrayType, readonly ArrayValue[]])[] = [
  ['integer', [0, -1, 2_147_483_647, null]],
  ['smallint', [0, -32_768, 32_767]],
  ['bigint', [null, LARGE, -LARGE, 5n]],
  ['text', ['', 'plain', null, 'a "quote", {a brace} and \\ 灯'.repeat(40), 'x']],
  ['bytea', [new Uint8Array(0), Uint8Array.of(0, 255), null, new Uint8Array(3_000).fill(7), Uint8Array.of(1)]],
  ['bigint', []],
];

for (const server of serverNames)
  test(`PostgreSQL ${server}: an array arrives as it was written`, async (context) => {
    const connections = await openConnections({ url: await serverUrl(server), readUrl: null, connections: 1 });
    context.after(() => connections.close());
    for (const [type, values] of CASES) {
      const { rows } = await connections.query<{ value: ArrayValue }>(`select unnest($1::${type}[]) as value`, [
        binaryArray(type, values),
      ]);
      assert.deepEqual(
        rows.map(({ value }) => value),
        values,
        type,
      );
    }
  });

test('a number that is no whole number, or does not fit, is refused', () => {
  assert.throws(() => binaryArray('integer', [1.5]), RangeError);
  assert.throws(() => binaryArray('integer', [2 ** 31]), RangeError);
  assert.throws(() => binaryArray('bigint', [LARGE + 1n]), RangeError);
});
