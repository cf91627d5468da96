/** Goal: counts exchanged through PostgreSQL keep the promises of every exchange. Method: the contract, on every PostgreSQL that is here. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDatabase } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { exchangeContract } from '../../../limits/sharing/exchange-contract.ts';
import { openConnections } from '../engine/connections.ts';
import { PostgresCounts } from './postgres-counts.ts';

for (const name of serverNames)
  describe(`PostgreSQL ${name}`, () => {
    exchangeContract(async () => {
      const database = await createDatabase(name);
      const connections = await openConnections({ url: database.url, readUrl: null, connections: 2 });
      const { exchange } = connections;
      return {
        exchanges: [new PostgresCounts(exchange), new PostgresCounts(exchange)],
        async flush() {
          await connections.query('truncate shared_counts, shared_announcements');
        },
        async close() {
          await connections.close();
          await database.drop();
        },
      };
    });

    test('counts that no longer matter are deleted once a minute', async () => {
      const database = await createDatabase(name);
      const connections = await openConnections({ url: database.url, readUrl: null, connections: 2 });
      const counts = new PostgresCounts(connections.exchange);
      const nothing = { requests: 1, requestsBefore: 0, tokens: 0, tokensBefore: 0, running: 0 };
      const share = { share: 0, used: 0, asked: 0, at: 0 };
      const batch = { counter: 'aa', day: 7, announced: [], heardAt: 0 };
      const own = [
        { scope: 'key', id: 1, today: 0, ...nothing, ...share },
        { scope: 'key', id: 2, today: 3, ...nothing, ...share },
      ] as const;
      await counts.exchange({ ...batch, minute: 10, counts: own });
      await counts.exchange({ ...batch, minute: 12, counts: [] });
      const left = await connections.query('select id from shared_counts');
      assert.deepEqual(left.rows, [{ id: 2 }]);
      await counts.exchange({ ...batch, minute: 13, day: 8, counts: [] });
      assert.equal((await connections.query('select id from shared_counts')).count, 0);
      await connections.close();
      await database.drop();
    });
  });
