/**
 * Goal: whatever nodes and operators ask, in whatever order, PostgreSQL answers as the model does with which everything else is proven, and its
 * tables agree with each other. Method: random sequences of requests of three nodes, sent to both; every answer and every table is compared
 * after each request. A failure names its seed. `npm run prove -- bank-model` does more of them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOf } from '../../../../test/prove/support/seeded.ts';
import { compareBanks } from '../../../../test/support/bank-model/compare-banks.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';

const SEQUENCES = 10;

for (const server of serverNames)
  for (const mode of ['prepaid', 'postpaid'] as const)
    test(`PostgreSQL ${server}, ${mode}: random requests of three nodes are answered as by the model`, {
      timeout: 120_000,
    }, async () => {
      const { requests } = await compareBanks({ server, mode, seed: seedOf(), sequences: SEQUENCES });
      assert.ok(requests >= SEQUENCES);
    });
