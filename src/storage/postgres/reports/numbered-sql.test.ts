/** Goal: a statement of reports reads the same here, for one set of values or many. Method: a real server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverNames, serverUrl } from '../../../../test/support/postgres/servers.ts';
import type { FoundRow, SqlValue } from '../../sql/reports/steps.ts';
import { openConnections } from '../engine/connections.ts';
import { bigTypes } from '../engine/value-types.ts';
import { bySet, numbered, numberedSets } from './numbered-sql.ts';

const SQL = `SELECT ? + day AS sum, ? AS text, encode(?, 'hex') AS bytes
  FROM (SELECT generate_series(1, CAST(? AS integer)) AS day) AS days WHERE day <> 2 ORDER BY day LIMIT ?`;
const SETS: readonly (readonly SqlValue[])[] = [
  [10, 'a', Uint8Array.of(1), 3, 9],
  [20n, 'b', Uint8Array.of(2), 0, 9],
  [Number.MAX_SAFE_INTEGER - 10, "it's", Uint8Array.of(0, 255), 9, 2],
];

for (const server of serverNames)
  test(`PostgreSQL ${server}: sets of values that are asked for together have the rows that each has alone`, async (context) => {
    const connections = await openConnections({ url: await serverUrl(server), readUrl: null, connections: 1 });
    context.after(() => connections.close());
    const rowsOf = async (statement: { readonly text: string; readonly values: readonly unknown[] }) =>
      (await connections.query<FoundRow>({ ...statement, types: bigTypes })).rows;
    const alone = await Promise.all(SETS.map((values) => rowsOf(numbered(SQL, values))));
    assert.deepEqual(
      alone.map((rows) => rows.length),
      [2, 0, 2],
    );
    assert.deepEqual(alone[0]?.[0], { sum: 11n, text: 'a', bytes: '01' });
    const together = bySet(await rowsOf(numberedSets(SQL, SETS)), SETS.length);
    const plain = together.map((rows) => rows.map(({ sum, text, bytes }) => ({ sum, text, bytes })));
    assert.deepEqual(plain, alone);
  });

test('a statement whose values are too few or too many is refused', () => {
  assert.throws(() => numbered('SELECT ?', []), /1 parameters, and 0 values/);
});
