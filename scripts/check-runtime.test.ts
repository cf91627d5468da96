/**
 * Goal: a Node that is not the one the project expects is not run. Method: projects with a stand-in
 * for the Node of the packages, and launchers that would run it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface Setup {
  runtimePath(folder: string): string;
}

const setupUrl = pathToFileURL(join(import.meta.dirname, 'setup.mjs')).href;
const { runtimePath } = (await import(setupUrl)) as Setup;
const root = mkdtempSync(join(tmpdir(), 'turnpike-runtime-'));
after(() => rmSync(root, { recursive: true }));

const MACHINE = `${process.platform}-${process.arch}`;
const GOOD = '#!/bin/sh\necho good\n';
const OTHER = '#!/bin/sh\necho evil\n';

/** A project whose Node is a text file, and that expects `expected`. */
function project(runtime: string, expected = GOOD, machine = MACHINE) {
  const folder = mkdtempSync(join(root, 'project-'));
  const program = join(folder, 'node_modules', 'node-of-ours', 'node');
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  mkdirSync(join(folder, 'node_modules', 'node-of-ours'));
  mkdirSync(join(folder, 'scripts'));
  writeFileSync(program, runtime, { mode: 0o755 });
  symlinkSync('../node-of-ours/node', join(folder, 'node_modules', '.bin', 'node'));
  const sha256 = createHash('sha256').update(expected).digest('hex');
  writeFileSync(
    join(folder, 'scripts', 'runtime-digests.json'),
    JSON.stringify({ [machine]: { version: '26.0.0', sha256 } }),
  );
  return { folder, program };
}

test('the one that is expected is run', () => {
  const { folder } = project(GOOD);
  for (let times = 0; times < 2; times += 1) {
    assert.equal(runtimePath(folder), join(folder, 'node_modules', '.bin', 'node'));
  }
});

test('any other is not, and the sentence says what to do', () => {
  const { folder } = project(OTHER);
  assert.throws(() => runtimePath(folder), /is not the Node 26\.0\.0 that this project expects.* Remove node_modules/);
  const launcher = join(folder, 'launcher.mjs');
  writeFileSync(
    launcher,
    `import { launch, runUnderRuntime } from ${JSON.stringify(setupUrl)};
     await launch(() => runUnderRuntime(['x.ts'], ${JSON.stringify(folder)}));`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher], { encoding: 'utf8' });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /so it is not run: its SHA-256 is/);
});

test('nor is one for a machine without a digest in the project', () => {
  const { folder } = project(GOOD, GOOD, 'plan9-vax');
  assert.throws(() => runtimePath(folder), /keeps no digest/);
});

test('one that takes the place of another that was checked is checked again, also if it has the same size and time', () => {
  const { folder, program } = project(GOOD);
  runtimePath(folder);
  assert.ok(existsSync(join(folder, 'node_modules', '.cache', 'runtime-checked')));
  const time = new Date(Date.UTC(2026, 0, 1));
  utimesSync(program, time, time);
  runtimePath(folder);
  const next = `${program}.next`;
  writeFileSync(next, OTHER, { mode: 0o755 });
  utimesSync(next, time, time);
  renameSync(next, program);
  assert.throws(() => runtimePath(folder), /is not run/);
  writeFileSync(program, GOOD);
  runtimePath(folder);
  writeFileSync(program, OTHER);
  utimesSync(program, time, time);
  assert.throws(() => runtimePath(folder), /is not run/);
});

test('the Node that npm runs on starts the launchers, not the one of the packages, which nobody has checked yet', () => {
  const { scripts, bin } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
  const launchers = Object.values(scripts as Record<string, string>).filter((line) => line.includes('scripts/'));
  assert.equal(launchers.length, 6);
  // npm puts node_modules/.bin first on PATH, where a plain `node` would be the one of the packages.
  for (const line of launchers) assert.match(line, /^exec "\$\{npm_node_execpath:-node\}" scripts\/\w+\.mjs$/);
  const [first] = readFileSync(join(import.meta.dirname, '..', bin.turnpike), 'utf8').split('\n');
  assert.match(first ?? '', /exec "\$\{npm_node_execpath:-node\}"/);
});
