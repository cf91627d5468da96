/**
 * Goal: `npm run demo` shows what it claims to show, money included, and leaves nothing behind. Method: it is run
 * unchanged, and its table read.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const STATUSES = ['', ...Array.from({ length: 20 }, () => '200'), '502', '402', '429', '200', '', '401', ''];
const ROW = /^(?<mark>[✓✗]) (?<name>.{28}) (?<status>\d{3}|) +[\d.]+ +\$(?<balance>[\d.]+) +(?<saw>.+)$/;

test('every step of the demo is as expected, and charges are deducted from the balance', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'run-demo.ts')], {
    env: { PATH: process.env['PATH'], TMPDIR: temporary },
  });
  const rows = stdout.split('\n').flatMap((line) => {
    const groups = ROW.exec(line)?.groups;
    return groups === undefined ? [] : [groups];
  });
  assert.deepEqual(
    rows.map(({ status }) => status),
    STATUSES,
    stdout,
  );
  assert.ok(
    rows.every(({ mark }) => mark === '✓'),
    stdout,
  );
  assert.equal(rows[0]?.['balance'], '5');
  assert.equal(new Set(rows.map(({ balance }) => balance)).size, 20, 'nineteen calls are charged');
  assert.match(stdout, /All is well after [\d.]+ s\.\n$/);
  assert.deepEqual(readdirSync(temporary), []);
  rmSync(temporary, { recursive: true });
});
