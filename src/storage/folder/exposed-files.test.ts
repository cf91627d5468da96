/** Goal: files of a data folder that other users can access are reported, with the command that fixes it. Method: folders with given modes; a gateway on one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openGateway } from '../../../test/support/open-gateway.ts';
import { exposureOf } from './exposed-files.ts';

const root = mkdtempSync(join(tmpdir(), 'turnpike-exposed-'));
after(() => rmSync(root, { recursive: true }));

function folderWith(modes: Readonly<Record<string, number>>, mode: number, name = 'data'): string {
  const folder = join(mkdtempSync(join(root, 'case-')), name);
  mkdirSync(join(folder, 'records'), { recursive: true });
  for (const [file, fileMode] of Object.entries(modes)) {
    writeFileSync(join(folder, file), 'x');
    chmodSync(join(folder, file), fileMode);
  }
  chmodSync(join(folder, 'records'), 0o755);
  chmodSync(folder, mode);
  return folder;
}

test('a folder that only its owner can enter exposes nothing, nor does a missing one', () => {
  assert.equal(exposureOf(folderWith({ 'turnpike.db': 0o644 }, 0o700)), null);
  assert.equal(exposureOf(join(root, 'none')), null);
});

test('files that the group or everybody can read or write are named, in subfolders too', () => {
  const files = {
    'turnpike.db': 0o644,
    pepper: 0o600,
    'sealing.key': 0o640,
    lock: 0o602,
    'records/2026-01-01.db': 0o604,
  };
  for (const mode of [0o755, 0o750, 0o711, 0o701]) {
    const names = exposureOf(folderWith(files, mode))?.names.toSorted();
    assert.deepEqual(names, ['lock', 'records/2026-01-01.db', 'sealing.key', 'turnpike.db'], mode.toString(8));
  }
});

test('a readable folder of private files exposes their names', () => {
  const exposure = exposureOf(folderWith({ 'turnpike.db': 0o600 }, 0o755));
  assert.deepEqual([exposure?.names, exposure?.summary], [[], 'the names of its files']);
});

test('of many files the first ones are named, and the rest counted', () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`file-${index + 10}`, 0o644]));
  assert.match(exposureOf(folderWith(files, 0o755))?.summary ?? '', /^file-10, .*file-17 and 12 more$/);
});

test('the command shown fixes it, whatever the folder is called', () => {
  for (const name of ['data', "it's a folder; $(really)"]) {
    const folder = folderWith({ 'turnpike.db': 0o644 }, 0o755, name);
    execFileSync('sh', ['-c', exposureOf(folder)?.command ?? 'false']);
    assert.equal(exposureOf(folder), null);
  }
});

test('starting on a folder that others can read logs a warning with the command to run', async () => {
  const gateway = await openGateway();
  const warnings = () =>
    gateway.log.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).startsWith('data_folder_exposed'));
  try {
    assert.deepEqual(warnings(), []);
    chmodSync(gateway.dataFolder, 0o755);
    chmodSync(join(gateway.dataFolder, 'turnpike.db'), 0o644);
    const { dataFolder } = gateway;
    await gateway.app.close();
    const again = await openGateway({ dataFolder });
    const [warning] = again.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
    await again.app.close();
    assert.equal(warning?.folder, dataFolder);
    assert.match(warning?.files, /turnpike\.db/);
    assert.equal(warning?.run, `chmod -R go= ${dataFolder}`);
    assert.match(warning?.msg, /^data_folder_exposed/);
  } finally {
    await gateway.close();
  }
});
