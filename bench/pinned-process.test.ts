/** Goal: the figures are those of the process asked about. Method: real children on Linux. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPinned } from './pinned-process.ts';

const elsewhere = process.platform === 'linux' ? false : 'the kernel figures are read from /proc, which only Linux has';
const BUSY = 'const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);';

test('CPU time and memory are the child’s own', { skip: elsewhere }, async () => {
  const child = startPinned(0, process.execPath, ['-e', `${BUSY} console.log("done"); setInterval(() => {}, 1000)`]);
  await child.printed(/done/);
  const busy = child.cpuMicros();
  assert.ok(busy > 200_000 && busy < 2_000_000, `${busy} µs`);
  assert.ok(child.residentBytes() > 20 * 1024 * 1024);
  assert.ok(child.waits() > 0);
  assert.deepEqual(child.pids(), [child.pid]);
  assert.equal(child.lastWords(), null);
  await child.stop();
  assert.match(child.lastWords() ?? '', /done/);
});

test('a child that ends without the words waited for is reported with what it said', { skip: elsewhere }, async () => {
  const child = startPinned(0, process.execPath, ['-e', 'console.error("no such thing"); process.exit(3)']);
  await assert.rejects(child.printed(/listening/), /ended[\s\S]*no such thing/);
});

test('a child keeps to its core', { skip: elsewhere }, async () => {
  const script = 'console.log(require("fs").readFileSync("/proc/self/status", "latin1"))';
  const child = startPinned(0, process.execPath, ['-e', script]);
  const [, cores] = await child.printed(/^Cpus_allowed_list:\s+(\S+)$/m);
  assert.equal(cores, '0');
  await child.stop();
});
