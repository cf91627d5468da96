/**
 * Goal: synthetic traffic is made completely or not at all. Method: the script itself, twice on one folder, of both kinds; its
 * result is compared, and the ledger verified.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { turnpike } from '../test/cli/process.ts';
import { childEnvironment } from '../test/support/child-environment.ts';

const root = mkdtempSync(join(tmpdir(), 'turnpike-traffic-'));
after(() => rmSync(root, { recursive: true }));

function make(...words: readonly string[]) {
  const script = join(import.meta.dirname, 'make-traffic.ts');
  return spawnSync(process.execPath, [script, ...words], { cwd: root, env: childEnvironment(), encoding: 'utf8' });
}

function sums(folder: string): unknown {
  const database = new DatabaseSync(join(folder, 'turnpike.db'), { readOnly: true });
  const found = ['rollups_hour', 'rollups_day', 'settlements', 'names'].map((table) =>
    database.prepare(`SELECT count(*) AS rows FROM ${table}`).get(),
  );
  database.close();
  return found;
}

test('in bulk it is made in a new folder only; a used one is refused before anything is written', {
  timeout: 90_000,
}, () => {
  const folder = join(root, 'bulk');
  const size = ['--folder', folder, '--days', '2', '--calls', '2000', '--accounts', '2'];
  assert.match(make(...size).stdout, /2000 calls/);
  const before = sums(folder);
  const { status, stderr, stdout } = make(...size);
  assert.equal(status, 1);
  assert.match(stderr, /has calls already.*nothing was written/);
  assert.doesNotMatch(stderr, /\n {4}at /);
  assert.equal(stdout, '');
  assert.deepEqual(sums(folder), before);
});

test('calls of the first account are added to those that are there, and the ledger holds', {
  timeout: 90_000,
}, async () => {
  const folder = join(root, 'seeded');
  const none = make('--folder', folder, '--calls', '50', '--seed-demo');
  assert.deepEqual([none.status, none.stderr.split('\n').length], [1, 2], none.stderr);
  assert.match(none.stderr, /start a server on this folder once before/);
  assert.equal((await turnpike(root, 'keys', 'create', '--data', folder)).code, 0);
  for (const _time of [1, 2]) {
    const made = make('--folder', folder, '--calls', '50', '--days', '2', '--seed-demo');
    assert.equal(made.status, 0, made.stderr);
  }
  const verified = await turnpike(root, 'ledger', 'verify', '--data', folder);
  assert.equal(verified.code, 0, verified.out + verified.notes);
  const bulk = make('--folder', folder, '--calls', '50', '--rollups-only');
  assert.deepEqual([bulk.status, bulk.stderr.split('\n').length], [1, 2], bulk.stderr);
});

test('a wrong command line is one sentence', { timeout: 60_000 }, () => {
  for (const words of [[], ['--folder', join(root, 'x'), '--days', '0']]) {
    const { status, stderr } = make(...words);
    assert.equal(status, 1);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});
