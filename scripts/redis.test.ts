/**
 * Goal: the tests of what nodes share have a server, wherever they run, or say what to install. Method: projects with stand-ins for Debian's
 * programs.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface Found {
  readonly server: string | null;
  readonly libraries: readonly string[];
  readonly problem: string | null;
}

interface Redis {
  prepareRedis(folder: string, environment: Readonly<Record<string, string>>): Found;
  findRedis(folder: string, environment: Readonly<Record<string, string>>): Found;
}

const { prepareRedis, findRedis } = (await import(pathToFileURL(join(import.meta.dirname, 'redis.mjs')).href)) as Redis;
const root = mkdtempSync(join(tmpdir(), 'turnpike-redis-'));
after(() => rmSync(root, { recursive: true }));

/** Notes what it is asked. `LISTS`: `old` lists have no packages until they are updated; `none` cannot be updated. */
const APT_GET = `#!${process.execPath}
  const { appendFileSync, writeFileSync } = require('node:fs');
  const words = process.argv.slice(2);
  const isUpdate = words.includes('update');
  const hasOwnLists = words.includes('-o');
  appendFileSync(process.env.ASKED, (isUpdate ? 'update' : 'download') + '\\n');
  if (process.env.LISTS === 'none' || (process.env.LISTS === 'old' && !hasOwnLists)) {
    console.error('E: Unable to locate package redis-server');
    process.exit(100);
  }
  if (!isUpdate) writeFileSync('redis-tools_7_amd64.deb', '');
`;
const DPKG = `#!${process.execPath}
  const { mkdirSync, writeFileSync } = require('node:fs');
  const target = process.argv.at(-1);
  mkdirSync(target + '/usr/bin', { recursive: true });
  mkdirSync(target + '/usr/lib/x86_64-linux-gnu', { recursive: true });
  writeFileSync(target + '/usr/bin/redis-server', '');
`;

function project(changes: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(root, 'project-'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'apt-get'), APT_GET, { mode: 0o755 });
  writeFileSync(join(bin, 'dpkg'), DPKG, { mode: 0o755 });
  const log = join(folder, 'asked.log');
  const environment = { PATH: bin, ASKED: log, LISTS: 'fresh', ...changes };
  const asked = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { folder, bin, environment, asked };
}

test('the server of Debian is unpacked below .cache, once, with its libraries', () => {
  const { folder, environment, asked } = project();
  assert.equal(findRedis(folder, environment).server, null);
  const found = prepareRedis(folder, environment);
  assert.equal(found.server, join(folder, '.cache', 'redis', 'usr', 'bin', 'redis-server'));
  assert.ok(found.libraries.includes(join(folder, '.cache', 'redis', 'usr', 'lib', 'x86_64-linux-gnu')));
  assert.deepEqual(prepareRedis(folder, environment), found);
  assert.deepEqual(asked(), ['download']);
  assert.deepEqual(readdirSync(join(folder, '.cache')), ['redis']);
});

test('lists of packages that are too old are updated in the same folder', () => {
  const { folder, environment, asked } = project({ LISTS: 'old' });
  assert.equal(prepareRedis(folder, environment).problem, null);
  assert.deepEqual(asked(), ['download', 'update', 'download']);
});

test('a server on PATH is used as it is', () => {
  const { folder, bin, environment, asked } = project();
  const server = join(bin, 'valkey-server');
  writeFileSync(server, '');
  assert.deepEqual(prepareRedis(folder, environment), { server, libraries: [], problem: null });
  assert.deepEqual(asked(), []);
});

test('without any, the problem says what to install, and nothing is left behind', () => {
  const { folder, environment } = project({ LISTS: 'none' });
  const { server, problem } = prepareRedis(folder, environment);
  assert.equal(server, null);
  assert.match(problem ?? '', /apt-get install redis-server.*Unable to locate package/);
  assert.deepEqual(readdirSync(join(folder, '.cache')), []);
});
