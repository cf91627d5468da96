/**
 * Goal: acknowledged commits survive `kill -9`. Method: a real process that settles
 * as fast as it can and prints what was acknowledged, killed while it works. Some calls write a hold first.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { accountId } from '../../core/ids.ts';
import { callIds } from '../contract/sample-rows.ts';
import { openSqliteUnderTest } from './sqlite-under-test.ts';

const SETTLER = `
  import { systemClock } from ${JSON.stringify(import.meta.resolve('../../core/clock.ts'))};
  import { openSqlite } from ${JSON.stringify(import.meta.resolve('./open-sqlite.ts'))};
  import { crashed, sampleRecord, sampleSettlement, settlementRow } from ${JSON.stringify(import.meta.resolve('../contract/sample-rows.ts'))};
  const [folder, durability] = process.argv.slice(1);
  const storage = await openSqlite({ folder, durability, clock: systemClock, recordsBytesMax: 1e9, onProblem: console.error,
    givenSecrets: { pepper: null, sealingKey: null },
    maintenance: { billingMode: 'prepaid', longestCallMs: 3_600_000, version: '1.2.3', rulesModule: '' } });
  const settle = async (holds) => {
    for (;;) {
      const row = sampleSettlement(Date.now(), { cost: 123456789n }); // small enough for the sum of many calls to fit the ledger's integers
      if (holds) {
        await storage.ledger.commit([{ type: 'hold', settlement: crashed(row) }]);
        process.stdout.write('held ' + row.callId + '\\n');
        await storage.ledger.commit([{ type: 'checkpoint', settlement: { ...crashed(row), charge: row.charge / 2n } }]);
      }
      await storage.ledger.commit([settlementRow(row, { hadHold: holds })]);
      storage.records.append(sampleRecord(row));
      process.stdout.write(row.callId + '\\n');
    }
  };
  for (let caller = 0; caller < 16; caller += 1) void settle(caller % 2 === 0);
`;

for (const [durability, killAfter] of [
  ['process', 1],
  ['process', 1_000],
  ['power', 300],
] as const) {
  test(`every settlement acknowledged before kill -9 survives it (${durability}, ${killAfter})`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
    const { acknowledged, held } = await settleAndKill(folder, durability, killAfter);
    assert.ok(acknowledged.length >= killAfter);

    let subject = await openSqliteUnderTest({ folder });
    const settlements = await subject.settlements();
    const settled = callIds(settlements);
    const there = new Set(settled);
    assert.deepEqual(
      [...acknowledged, ...held].filter((id) => !there.has(id as (typeof settled)[number])),
      [],
    );
    assert.equal(there.size, settled.length);
    assert.deepEqual(await subject.holds(), []);
    const crashes = settlements.filter((row) => row.ending === 'gateway_crashed');
    assert.equal(crashes.length, subject.storage.ledger.recovered);
    assert.deepEqual(
      crashes.filter((row) => acknowledged.includes(row.callId)),
      [],
      'an acknowledged settlement is not settled as crashed',
    );
    const { balances } = await subject.storage.ledger.load();
    const charges = settlements.reduce((sum, row) => sum + row.charge, 0n);
    assert.equal(balances.get(accountId(1))?.balance, -charges);
    const sums = await subject.rollups('day');
    assert.equal(
      sums.reduce((sum, row) => sum + row.calls, 0),
      settled.length,
    );

    const records = await subject.storage.records.tail({ after: null, limit: 1_000_000 });
    assert.deepEqual(callIds(records), settled, 'every settlement has its record, rebuilt if it was lost');
    subject = await subject.reopen();
    assert.equal((await subject.settlements()).length, settled.length);
    await subject.dispose();
  });
}

async function settleAndKill(
  folder: string,
  durability: string,
  killAfter: number,
): Promise<{ acknowledged: string[]; held: string[] }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SETTLER, folder, durability], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: string[] = [];
  const held: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    // The kill may truncate the last line; half a line does not count as acknowledged.
    if (line.length === 31) held.push(line.slice(5));
    if (line.length === 26) acknowledged.push(line);
    if (acknowledged.length === killAfter) child.kill('SIGKILL');
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  return { acknowledged, held };
}
