/**
 * Goal: tables, rows and sums match the declaration of the columns. Method: the tables created by the migrations, and a row in
 * which every field has a different value.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callIdBytes } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import { crashed, sampleSettlement, settlementRow } from '../../contract/sample-rows.ts';
import { openSqliteUnderTest, type SqliteUnderTest } from '../../sqlite/sqlite-under-test.ts';
import { ROLLUP_COLUMNS, settledColumns, settledIn } from './rollup-columns.ts';
import { type NamedSettlementRow, SETTLEMENT_COLUMNS } from './settlement-columns.ts';
import { readSettlement, selectSettlements, writeSettlement } from './settlement-rows.ts';

let under: SqliteUnderTest;
before(async () => {
  under = await openSqliteUnderTest();
});
after(() => under.dispose());

for (const table of ['settlements', 'holds'])
  test(`the table of ${table} has the declared columns, in order`, () => {
    const database = under.openConnection();
    const columns = database.prepare(`SELECT name, "notnull" AS isRequired FROM pragma_table_info('${table}')`).all();
    database.close();
    assert.deepEqual(
      columns.map((column) => ({ ...column })),
      SETTLEMENT_COLUMNS.map(({ column, nullable }) => ({ name: column, isRequired: nullable ? 0 : 1 })),
    );
  });

test('the tables of sums have the declared columns, in order', () => {
  const database = under.openConnection();
  for (const table of ['rollups_hour', 'rollups_day'])
    assert.deepEqual(
      database
        .prepare(`SELECT name FROM pragma_table_info('${table}')`)
        .all()
        .map(({ name }) => name),
      ROLLUP_COLUMNS,
    );
  database.close();
});

test('a settlement is written at the given offset, one value per column', () => {
  const row = sampleSettlement(1_000, { saved: nanoUsd(11n) });
  const values: unknown[] = ['before'];
  writeSettlement(row, { idOf: (name) => name.length * 100 }, values, 1);
  assert.equal(values.length, 1 + SETTLEMENT_COLUMNS.length);
  const valueIn = (name: string) => values[1 + SETTLEMENT_COLUMNS.findIndex(({ column }) => column === name)];
  assert.deepEqual(valueIn('call_id'), callIdBytes(row.callId));
  assert.equal(valueIn('provider'), row.provider.length * 100);
  assert.equal(valueIn('web_searches'), row.usage.webSearches);
  assert.equal(valueIn('variance_nano'), row.variance);
  assert.equal(valueIn('saved_nano'), row.saved);
});

test('every field is read as it was written, and sums match those of the domain', async () => {
  const row = sampleSettlement(2_000, { usageSource: 'cache', saved: nanoUsd(9_007_199_254_740_999n) });
  const unpriced = { ...sampleSettlement(2_001), priceVersion: null, cost: null, hold: null };
  const held = crashed(sampleSettlement(2_002));
  await under.storage.ledger.commit([settlementRow(row), settlementRow(unpriced), { type: 'hold', settlement: held }]);
  const database = under.openConnection();
  const read = (table: 'settlements' | 'holds') =>
    (database.prepare(`${selectSettlements('main', table)} ORDER BY call_id`).all() as unknown[]).map((found) =>
      readSettlement(found as NamedSettlementRow),
    );
  assert.deepEqual(read('settlements'), [row, unpriced]);
  assert.deepEqual(read('holds'), [held]);
  const sums = database
    .prepare(
      `SELECT ${settledIn('prompt_tokens')} AS prompt, ${settledIn('completion_tokens')} AS completion,
         ${settledIn('failed')} AS failed FROM settlements WHERE call_id = ?`,
    )
    .get(callIdBytes(row.callId));
  database.close();
  const failed = row.ending === 'complete' || row.ending === 'empty' ? 0 : 1;
  assert.deepEqual({ ...sums }, { prompt: promptTokens(row.usage), completion: completionTokens(row.usage), failed });
  assert.equal(settledColumns(3_600_000).length, ROLLUP_COLUMNS.length);
});
