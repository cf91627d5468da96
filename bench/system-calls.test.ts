/** Goal: the counted calls are those of the given process. Method: a real summary, and a real child under strace if it is installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { startPinned } from './pinned-process.ts';
import { countOf, countSystemCalls, readSummary } from './system-calls.ts';

const SUMMARY = `strace: Process 70 attached with 2 threads
    calls syscall
--------- ----------------
       34 pwrite64
      425 epoll_pwait
--------- ----------------
      459 total
strace: Process 70 detached
`;

const hasStrace = spawnSync('strace', ['-V'], { stdio: 'ignore' }).error === undefined;

test('a summary is read by name, and added up in all or for some names', () => {
  const calls = readSummary(SUMMARY);
  assert.ok(calls);
  assert.deepEqual(
    [...calls],
    [
      ['pwrite64', 34],
      ['epoll_pwait', 425],
    ],
  );
  assert.equal(countOf(calls), 459);
  assert.equal(countOf(calls, new Set(['pwrite64', 'fsync'])), 34);
});

test('a summary that lacks a line or its total is none', () => {
  assert.equal(readSummary(SUMMARY.replace('       34 pwrite64\n', '')), null);
  assert.equal(readSummary(SUMMARY.replace('      459 total\n', '')), null);
  assert.equal(readSummary('strace: attach: ptrace(PTRACE_SEIZE, 70): Operation not permitted'), null);
});

test('calls of a child are counted while the work is done', {
  skip: hasStrace ? false : 'strace is not installed',
}, async () => {
  const script =
    'setInterval(() => { try { require("fs").rmdirSync("/no/such/folder") } catch {} }, 5); console.log("up")';
  const child = startPinned(0, process.execPath, ['-e', script]);
  try {
    await child.printed(/^up$/m);
    const cpu = child.cpuMicros();
    const calls = await countSystemCalls(child, async () => {
      while (child.cpuMicros() < cpu + 30_000) await new Promise((resolve) => setImmediate(resolve));
    });
    // Without permission to trace, the caller learns that nothing was counted.
    if (calls === null) return;
    assert.ok((calls.get('rmdir') ?? 0) > 0, [...calls].join(' '));
  } finally {
    await child.stop();
  }
});
