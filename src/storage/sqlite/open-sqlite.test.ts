/** Goal: the SQLite storage keeps the promises of every storage; those of the ledger with either durability. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ledgerContract, storageContract } from '../contract.ts';
import { openSqliteUnderTest } from './sqlite-under-test.ts';

storageContract('sqlite', () => openSqliteUnderTest());
ledgerContract('sqlite, durability power', () => openSqliteUnderTest({ durability: 'power' }));

for (const durability of ['process', 'power'] as const) {
  test(`what was opened is closed again where something after it cannot be, durability ${durability}`, async () => {
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

/** Of this process. */
function openFilesBelow(folder: string): string[] {
  const links = '/proc/self/fd';
  return readdirSync(links)
    .map((name) => readLink(join(links, name)))
    .filter((path) => path.startsWith(folder));
}

/** Empty where it is closed by now. */
function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
