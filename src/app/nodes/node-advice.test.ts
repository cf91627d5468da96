/**
 * Goal: an alert of a node can be counted, says what to do, and is explained. Method: the reporter with every alert; its row in the
 * reference; and the sources, for alerts that nobody thought of.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Log } from '../../telemetry/log.ts';
import { problemReporter } from '../report-problem.ts';
import { isAllClear } from './all-clears.ts';
import { NODE_ADVICE } from './node-advice.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('an alert of a node is counted once, and its log line says what to do', () => {
  const counted: string[] = [];
  const lines: [unknown, string][] = [];
  const log = { error: (fields: unknown, type: string) => lines.push([fields, type]) } as unknown as Log;
  const report = problemReporter(log, { alert: (kind) => counted.push(kind) });
  for (const [type, advice] of Object.entries(NODE_ADVICE)) {
    report({ type, count: 2, cause: new Error('it is away') });
    assert.deepEqual([counted.pop(), counted.length], [type, 0]);
    assert.deepEqual(lines.pop(), [{ count: 2, cause: 'it is away', advice }, type]);
  }
  report({ type: 'disk_full', count: 1, cause: null });
  assert.deepEqual(lines.pop(), [{ count: 1, cause: null }, 'disk_full']);
});

test('each has a row in the reference', () => {
  const rows = read('docs/reference/metrics.md').split('\n');
  for (const type of Object.keys(NODE_ADVICE))
    assert.equal(rows.filter((row) => row.startsWith(`| \`${type}\` |`)).length, 1, type);
});

test('every problem of the journal and every event of a node has advice', () => {
  const events = ['src/nodes/session/node-session.ts', 'src/nodes/feed/feed-follower.ts']
    .flatMap((path) => [...read(path).matchAll(/readonly type: ((?:'[a-z_]+'(?: \| )?)+)/g)])
    .flatMap(([, types]) => [...(types ?? '').matchAll(/'([a-z_]+)'/g)].map(([, type]) => type ?? ''));
  const problems = ['journal', 'forwarder', 'bank-waits']
    .map((name) => read(`src/storage/journal/${name}.ts`))
    .flatMap((source) => [...source.matchAll(/type: (?:isFault \? )?'([a-z_]+)'/g)].map(([, type]) => type ?? ''));
  assert.ok(events.length > 5 && problems.length > 3, `${events} ${problems}`);
  // The last one is of every storage.
  const hasAdvice = (type: string) => isAllClear(type) || type === 'checkpoint_failed' || type in NODE_ADVICE;
  for (const type of [...events, ...problems]) assert.ok(hasAdvice(type), type);
});
