/** Goal: the SQLite storage fulfils the contract of every storage, and that of the ledger with both durabilities. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleBatch } from '../contract/batches.ts';
import { ledgerContract, storageContract } from '../contract.ts';
import { openSqliteUnderTest } from './sqlite-under-test.ts';

storageContract('sqlite', () => openSqliteUnderTest());
ledgerContract('sqlite, durability power', () => openSqliteUnderTest({ durability: 'power' }));

for (const durability of ['process', 'power'] as const) {
  test(`what was opened is closed again if a later part cannot be opened, durability ${durability}`, async () => {
    for (const blocked of ['records', 'captures']) {
      const folder = mkdtempSync(join(tmpdir(), 'turnpike-blocked-'));
      writeFileSync(join(folder, blocked), '');
      await assert.rejects(openSqliteUnderTest({ folder, durability }), { code: 'EEXIST' });
      assert.deepEqual(openFilesBelow(folder), []);
      rmSync(join(folder, blocked));
      const under = await openSqliteUnderTest({ folder, durability });
      await under.dispose();
    }
  });
}

test('a damaged database is named, with what to do about it', async () => {
  const under = await openSqliteUnderTest();
  const path = join(under.folder, 'turnpike.db');
  await under.storage.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, 4_096, 4_296));
  await assert.rejects(openSqliteUnderTest({ folder: under.folder }), /turnpike\.db is damaged: .*turnpike restore/);
  rmSync(under.folder, { recursive: true });
});

test('batches of a process that was killed may be run at once', async () => {
  const killed = await openSqliteUnderTest();
  const batch = sampleBatch(1);
  await killed.storage.batches.create(batch);
  const nowMs = 1_000;
  const claim = (owner: string) => ({ owner, nowMs, untilMs: nowMs + 20_000 });
  await killed.storage.batches.claim(claim('killed'), 1);
  assert.deepEqual(await killed.storage.batches.claim(claim('another'), 1), []);
  await killed.storage.close();
  const next = await openSqliteUnderTest({ folder: killed.folder });
  const [claimed] = await next.storage.batches.claim(claim('next'), 1);
  assert.equal(claimed?.id, batch.id);
  await next.dispose();
});

/** Files that this process has open below a folder. */
function openFilesBelow(folder: string): string[] {
  const links = '/proc/self/fd';
  return readdirSync(links)
    .map((name) => readLink(join(links, name)))
    .filter((path) => path.startsWith(folder));
}

/** Empty if it has been closed meanwhile. */
function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
