/**
 * Goal: whatever the log says is failing, it says when that works again. Method: every kind of trouble in the sources, and the reporter with
 * each of them.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Log } from '../../telemetry/log.ts';
import { problemReporter } from '../report-problem.ts';
import { ALL_CLEARS, allClearOf, isAllClear } from './all-clears.ts';
import { NODE_ADVICE } from './node-advice.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

/** Of these there is no all-clear. */
const MOMENTS: Readonly<Record<string, string>> = {
  records_lost: 'what is lost stays lost, or is rebuilt in the background',
  captures_lost: 'what is lost stays lost',
  records_over_limit: 'the limit of one day, which ends with it',
  captures_over_limit: 'the limit of one day, which ends with it',
  settlement_conflict: 'about the calls that are named',
  replica_unusable: 'each report tries the replica again; doctor has its state',
  place_in_use: 'a start that waits: the node then says that it is ready, or why it ends',
  settlements_lost: 'what is lost stays lost',
  settled_late: 'about the calls that are counted',
  settled_unlent: 'about the calls that are counted',
  nodes_lost: 'about other nodes: each says itself when it has a place again',
  settlements_not_forwarded: 'the end of a process',
  node_did_not_leave: 'the end of a process',
};

test('every trouble has an all-clear, or a reason why there is none', () => {
  const [, storage = ''] =
    /interface StorageProblem \{([\s\S]*?)readonly count/.exec(read('src/storage/storage.ts')) ?? [];
  const kinds = [...storage.matchAll(/\| '([a-z_]+)'/g)].map(([, kind]) => kind ?? '');
  assert.ok(kinds.length > 10, kinds.join());
  for (const kind of new Set([...kinds, ...Object.keys(NODE_ADVICE)]))
    assert.ok((allClearOf(kind) === null) === kind in MOMENTS, `${kind}: an all-clear, or a reason`);
});

test('the end of a trouble is one line with its length, which is not counted as an alert', () => {
  const counted: string[] = [];
  const lines: [string, unknown, string][] = [];
  const at = (level: string) => (fields: unknown, type: string) => void lines.push([level, fields, type]);
  const log = { error: at('error'), info: at('info') } as unknown as Log;
  const report = problemReporter(log, { alert: (kind) => counted.push(kind) });
  report({ type: 'settlements_delayed', count: 7, cause: null, overAfterMs: 4_200 });
  const row = new Error('The row of alias 7 in the database cannot be read; correct it.');
  report({ type: 'row_unreadable', count: 1, cause: row, overAfterMs: 90 });
  assert.deepEqual(lines, [
    ['info', { afterMs: 4_200, count: 7 }, 'settlements_taken_again'],
    ['info', { afterMs: 90, count: 1, was: row.message }, 'row_read_again'],
  ]);
  assert.deepEqual(counted, []);
});

test('each is explained with the trouble that it ends', () => {
  const rows = read('docs/reference/metrics.md').split('\n');
  for (const [type, clear] of Object.entries(ALL_CLEARS)) {
    assert.ok(isAllClear(clear));
    assert.ok(
      rows.some((row) => row.includes(`\`${type}\``) && row.includes(`\`${clear}\``)),
      `${type}: ${clear}`,
    );
  }
});
