/** Goal: PostgreSQL reads joined batches as the rows that were encoded. Method: `unnest` on every installed version. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serverNames, serverUrl } from '../../../test/support/postgres/servers.ts';
import { callIdBytes } from '../../core/ids.ts';
import { NO_MONEY } from '../../core/money.ts';
import { crashed, sampleReplay, sampleSettlement } from '../contract/sample-rows.ts';
import { openConnections, type PostgresConnections } from '../postgres/engine/connections.ts';
import { type BatchTable, sentColumns } from './batch-format.ts';
import { type BatchParameters, concatenateBatches } from './concatenate-batches.ts';
import { encodeBatch } from './encode-batch.ts';

for (const server of serverNames)
  describe(`PostgreSQL ${server}`, () => {
    let connections: PostgresConnections;
    before(async () => {
      connections = await openConnections({ url: await serverUrl(server), readUrl: null, connections: 1 });
    });
    after(() => connections.close());

    async function read(table: BatchTable, parameters: BatchParameters) {
      const columns = sentColumns(table);
      const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
      const { rows } = await connections.query(
        `SELECT ${columns.map(({ name }) => name).join(', ')} FROM unnest(${arrays}) AS batch(${columns.map(({ name }) => name).join(', ')})`,
        parameters[table],
      );
      return rows;
    }

    test('rows of several batches, names of different batches, and defaults', async () => {
      const full = sampleSettlement(86_400_000 * 20_000, { model: 'acme/Größe' });
      const free = { ...crashed(full), cost: null, hold: null, priceVersion: null, provider: 'other' };
      const stored = {
        projectId: full.projectId,
        digest: new Uint8Array(16),
        provider: 'third',
        upstreamModel: 'chat',
      };
      const parameters = concatenateBatches([
        encodeBatch([{ settlement: free, stored: [{ ...stored, credential: null, createdAt: 7 }] }]),
        encodeBatch([
          { settlement: full, replay: sampleReplay(full, { answer: null }) },
          { settlement: { ...full, fault: NO_MONEY } },
        ]),
      ]);
      const names = (await read('names', parameters)).map(({ name }) => name);
      assert.deepEqual(names, ['third', 'chat', 'acme/Größe', 'other', 'acme']);
      const rows = await read('settlements', parameters);
      assert.deepEqual(
        rows.map(({ operation, model, provider }) => [operation, model, provider].map((at) => names[Number(at) - 1])),
        [
          ['chat', 'acme/Größe', 'other'],
          ['chat', 'acme/Größe', 'acme'],
          ['chat', 'acme/Größe', 'acme'],
        ],
      );
      assert.deepEqual(
        rows.map((row) => [row['cost_nano'], row['fault_nano'], row['input_tokens'], row['saved_nano'], row['day']]),
        [
          [null, 0n, 0n, null, 20_000],
          [full.cost, full.fault, 412n, null, 20_000],
          [full.cost, 0n, 412n, null, 20_000],
        ],
      );
      assert.deepEqual(Buffer.from(rows[1]?.['call_id'] as Uint8Array), callIdBytes(full.callId));
      const [replay] = await read('replays', parameters);
      assert.deepEqual([replay?.['expires_at'], replay?.['answer']], [BigInt(full.admittedAt + 86_400_000), null]);
      const [kept] = await read('storedIds', parameters);
      assert.deepEqual([kept?.['provider'], kept?.['upstream_model'], kept?.['credential']], [1, 2, null]);
    });
  });
