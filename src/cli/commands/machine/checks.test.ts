/** Goal: `doctor` reports the right state for each check. Method: folders with given modes and times, versions as text. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkClock, checkDataFolder, checkNode, checkPort, checkSqlite } from './checks.ts';

const root = mkdtempSync(join(tmpdir(), 'turnpike-checks-'));
after(() => rmSync(root, { recursive: true }));

test('an old Node and an old SQLite fail', () => {
  assert.equal(checkNode('26.10.0').state, 'ok');
  assert.equal(checkNode('24.1.0').state, 'fail');
  assert.equal(checkSqlite('3.53.0').state, 'ok');
  assert.equal(checkSqlite('3.51.2').state, 'fail');
  assert.equal(checkSqlite(undefined).state, 'fail');
});

test('files that other users can read fail, and a folder that they can list is a warning', () => {
  const folder = mkdtempSync(join(root, 'data-'));
  writeFileSync(join(folder, 'pepper'), 'x', { mode: 0o600 });
  writeFileSync(join(folder, 'turnpike.db'), 'x');
  chmodSync(join(folder, 'turnpike.db'), 0o644);
  chmodSync(folder, 0o700);
  assert.equal(checkDataFolder(folder).state, 'ok');
  chmodSync(folder, 0o755);
  const { state, detail } = checkDataFolder(folder);
  assert.equal(state, 'fail');
  assert.equal(detail, `other users can read turnpike.db; run: chmod -R go= ${folder}`);
  chmodSync(join(folder, 'turnpike.db'), 0o600);
  assert.deepEqual(checkDataFolder(folder), {
    name: 'data folder',
    state: 'warn',
    detail: `other users can read the names of its files; run: chmod -R go= ${folder}`,
  });
});

test('a data folder that does not exist yet is ok', () => {
  assert.equal(checkDataFolder(join(root, 'none')).state, 'ok');
});

test('a clock before the last write, or before this program existed, fails', () => {
  const folder = mkdtempSync(join(root, 'clock-'));
  writeFileSync(join(folder, 'turnpike.db'), 'x');
  const nowMs = Date.UTC(2027, 0, 1);
  utimesSync(join(folder, 'turnpike.db'), nowMs / 1000, nowMs / 1000);
  assert.equal(checkClock(folder, nowMs).state, 'ok');
  assert.equal(checkClock(folder, nowMs - 3_600_000).state, 'fail');
  assert.equal(checkClock(join(root, 'none'), 0).state, 'fail');
});

test('a port used by our own server is ok', async () => {
  assert.equal((await checkPort('127.0.0.1', 8080, 'http://127.0.0.1:8080')).state, 'ok');
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const own = await checkPort('127.0.0.1', port, 'http://127.0.0.1:9000');
  assert.deepEqual([own.state, /^127\.0\.0\.1:9000 is in use by this Turnpike server/.test(own.detail)], ['ok', true]);
  assert.equal((await checkPort('127.0.0.1', port, null)).state, 'fail');
  other.close();
  assert.equal((await checkPort('127.0.0.1', 0, null)).state, 'ok');
});
