/**
 * Goal: every supported PostgreSQL takes the schema and its functions. Method: a storage on each server that the other tests do not use, from an
 * empty database on. `npm run prove -- postgres-15` runs all of those tests there.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEmptyDatabase } from '../../../test/support/postgres/database.ts';
import { olderServerNames } from '../../../test/support/postgres/servers.ts';
import { sampleSettlement, settlementRows } from '../contract/sample-rows.ts';
import { openPostgresUnderTest } from './postgres-under-test.ts';

for (const server of olderServerNames)
  test(`PostgreSQL ${server}: an empty database is migrated, calls are settled once, and changes are delivered`, async () => {
    const first = await openPostgresUnderTest(server, {}, createEmptyDatabase);
    const heard: string[] = [];
    first.storage.feed.subscribe('account', ({ seq, name }) => heard.push(`${seq} ${name}`));
    await first.storage.accounts.createAccount({ name: 'Acme', createdAt: 0 });
    const settled = [0, 1, 2].map((after) => sampleSettlement(first.clock.now() + after));
    await first.storage.ledger.commit(settlementRows(settled));
    await first.storage.ledger.commit(settlementRows(settled));
    assert.equal(heard.at(-1)?.split(' ')[1], 'Acme');
    const again = await first.reopen();
    try {
      assert.deepEqual(await again.settlements(), settled);
      const { balances } = await again.storage.ledger.load();
      const charged = settled.reduce((sum, { charge }) => sum + charge, 0n);
      assert.equal(balances.get(settled[0]?.accountId ?? assert.fail())?.charged, charged);
      assert.ok(((await again.storage.feed.since(0, 10)) ?? []).some(({ topic }) => topic === 'account'));
    } finally {
      await again.dispose();
    }
  });
