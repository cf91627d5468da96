/**
 * Goal: a backup made while the ledger is in use can be restored exactly, and a damaged one cannot be restored. Method: a correct
 * ledger, backed up with its storage open; bytes of the copy are changed.
 */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ledgerRules } from '../../../billing/ledger-rules.ts';
import { systemClock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { migrations } from '../../sql/migrations/migrations.ts';
import { sealMonth } from '../archive/seal-month.ts';
import { sqliteFlavour } from '../engine/flavour.ts';
import { BACKUP_NOTE } from '../files.ts';
import { openValidLedger, type ValidLedger } from '../verify/valid-ledger.ts';
import { verifyLedger } from '../verify/verify-ledger.ts';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';

const root = mkdtempSync(join(tmpdir(), 'turnpike-backup-'));
let ledger: ValidLedger;
before(async () => {
  ledger = await openValidLedger();
  for (const name of ['pepper', 'sealing.key']) writeFileSync(join(ledger.under.folder, name), name, { mode: 0o600 });
  sealMonth({ folder: ledger.under.folder, month: '2026-09', nowMs: ledger.under.clock.now() });
});
after(async () => {
  await ledger.under.dispose();
  rmSync(root, { recursive: true });
});

const NOW = Date.UTC(2026, 10, 22);

function make(name: string, secrets = true) {
  const to = join(root, name);
  return backUp({ from: ledger.under.folder, to, secrets, version: '1.2.3', nowMs: NOW });
}

test('a backup is restored into a correct folder, whose files only the owner can read', async () => {
  const report = await make('whole');
  assert.equal(report.files, 3 + 1 + 2 + 1);
  assert.equal(statSync(report.folder).mode & 0o777, 0o700);
  const to = join(root, 'restored');
  const restored = await restore({ from: report.folder, to });
  assert.deepEqual([restored.files, restored.createdAt, restored.secrets], [7, NOW, true]);
  for (const file of ['turnpike.db', 'pepper', 'archive/ledger-2026-09.db', 'records/2026-11-21.db'])
    assert.equal(statSync(join(to, file)).mode & 0o777, 0o600, file);
  assert.equal(readFileSync(join(to, 'pepper'), 'utf8'), 'pepper');
  const found = await verifyLedger({
    folder: to,
    archive: true,
    billingMode: 'prepaid',
    longestCallMs: 3_600_000,
    nowMs: NOW,
    clock: systemClock,
    rules: ledgerRules,
  });
  assert.deepEqual(found.violations, []);
  assert.equal(found.settlements, 18);
  assert.ok(existsSync(join(ledger.under.folder, BACKUP_NOTE)));
});

test('the manifest contains versions, and a hash of each file', async () => {
  const { folder } = await make('manifest');
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  assert.equal(manifest.turnpike, '1.2.3');
  assert.equal(manifest.schema, Object.keys(migrations(sqliteFlavour)).at(-1));
  assert.match(manifest.files[0].sha256, /^[0-9a-f]{64}$/);
  assert.equal(statSync(join(folder, 'manifest.json')).mode & 0o777, 0o600);
});

test('secrets can be excluded', async () => {
  const { folder } = await make('open', false);
  assert.ok(!existsSync(join(folder, 'pepper')));
  assert.equal((await restore({ from: folder, to: join(root, 'restored-open') })).secrets, false);
});

test('the target must be an empty folder outside the data folder', async () => {
  mkdirSync(join(root, 'used'));
  writeFileSync(join(root, 'used', 'x'), 'x');
  await assert.rejects(make('used'), /is not empty/);
  const to = join(ledger.under.folder, 'backup');
  await assert.rejects(
    backUp({ from: ledger.under.folder, to, secrets: true, version: '', nowMs: NOW }),
    /cannot be written into the data folder/,
  );
});

test('a target that cannot be created or used is named, with the reason', async () => {
  writeFileSync(join(root, 'file'), 'x');
  for (const name of ['file', 'file/below'])
    await assert.rejects(
      make(name),
      (error) =>
        error instanceof GatewayError &&
        error.status === 400 &&
        /cannot make or use .*(EEXIST|ENOTDIR)/.test(error.message),
    );
});

test('a damaged or incomplete backup, or a folder that is not one, is not restored, and the target stays empty', async () => {
  const to = join(root, 'never');
  const damaged = (await make('damaged')).folder;
  appendFileSync(join(damaged, 'records/2026-11-21.db'), 'x');
  await assert.rejects(restore({ from: damaged, to }), /damaged: records\/2026-11-21\.db/);
  const partial = (await make('partial')).folder;
  rmSync(join(partial, 'pepper'));
  await assert.rejects(restore({ from: partial, to }), /not whole: pepper is missing/);
  await assert.rejects(restore({ from: join(root, 'nothing'), to }), /is not a backup/);
  const hostile = (await make('hostile')).folder;
  const path = join(hostile, 'manifest.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"pepper"', '"../pepper"'));
  await assert.rejects(restore({ from: hostile, to }), /does not belong to a data folder: \.\.\/pepper/);
  assert.ok(!existsSync(to));
});

test('a backup is never restored over a folder that is not empty', async () => {
  const { folder } = await make('again');
  await assert.rejects(restore({ from: folder, to: ledger.under.folder }), /is not empty/);
});
