/** Goal: notices in PostgreSQL keep the promises of every board. Method: the contract, on every PostgreSQL that is here. */
import { describe } from 'node:test';
import { createDatabase } from '../../../../test/support/postgres/database.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { boardContract } from '../../../nodes/notices/board-contract.ts';
import { openConnections } from '../engine/connections.ts';
import { PostgresNotices } from './postgres-notices.ts';

for (const name of serverNames)
  describe(`PostgreSQL ${name}`, () => {
    boardContract(async () => {
      const database = await createDatabase(name);
      const connections = await openConnections({ url: database.url, readUrl: null, connections: 2 });
      const { exchange } = connections;
      return {
        boards: [new PostgresNotices(exchange), new PostgresNotices(exchange)],
        async flush() {
          await connections.query('truncate shared_notices');
        },
        async close() {
          await connections.close();
          await database.drop();
        },
      };
    });
  });
