/**
 * Goal: the Python packages of some tests are installed once, again when their list has changed, and testing works
 * without Python. Method: projects with a stand-in for Python.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface Python {
  preparePython(folder: string, command: string): void;
  findPython(folder: string): { readonly python: string | null; readonly problem: string | null };
}

const { preparePython, findPython } = (await import(
  pathToFileURL(join(import.meta.dirname, 'python.mjs')).href
)) as Python;
const root = mkdtempSync(join(tmpdir(), 'turnpike-python-'));
after(() => rmSync(root, { recursive: true }));

/** Records its arguments, acts as the interpreter of an environment, and fails like pip if the requirements say so. */
const STAND_IN = `#!${process.execPath}
  const { appendFileSync, copyFileSync, mkdirSync, readFileSync } = require('node:fs');
  const [, , , what, ...words] = process.argv;
  appendFileSync('asked.log', what + '\\n');
  if (what === 'venv') {
    mkdirSync(words[0] + '/bin', { recursive: true });
    copyFileSync(__filename, words[0] + '/bin/python');
  } else if (readFileSync(words.at(-1), 'utf8').includes('nowhere')) {
    console.error('ERROR: no\\nsuch package');
    process.exit(1);
  }
`;

function project(requirements: string): string {
  const folder = mkdtempSync(join(root, 'project-'));
  mkdirSync(join(folder, 'test', 'sdk', 'python'), { recursive: true });
  require(folder, requirements);
  writeFileSync(join(folder, 'python3'), STAND_IN, { mode: 0o755 });
  return folder;
}

function require(folder: string, requirements: string): void {
  writeFileSync(join(folder, 'test', 'sdk', 'python', 'requirements.txt'), requirements);
}

const prepare = (folder: string) => preparePython(folder, join(folder, 'python3'));
const asked = (folder: string) => readFileSync(join(folder, 'asked.log'), 'utf8').trim().split('\n');

test('packages are installed once, and again if others are required', () => {
  const folder = project('one==1');
  assert.match(findPython(folder).problem ?? '', /npm test/);
  prepare(folder);
  prepare(folder);
  assert.deepEqual(asked(folder), ['venv', 'pip']);
  assert.deepEqual(findPython(folder), { python: join(folder, '.cache', 'python', 'bin', 'python'), problem: null });
  require(folder, 'one==2');
  assert.equal(findPython(folder).python, null);
  prepare(folder);
  assert.deepEqual(asked(folder), ['venv', 'pip', 'venv', 'pip']);
  assert.equal(findPython(folder).problem, null);
});

test('if a package cannot be installed nothing fails, and one line says so', () => {
  const folder = project('nowhere==1');
  prepare(folder);
  assert.match(findPython(folder).problem ?? '', /^The Python packages of .* failed: ERROR: no such package$/);
  assert.equal(existsSync(join(folder, '.cache', 'python')), false);
  require(folder, 'one==1');
  prepare(folder);
  assert.equal(findPython(folder).problem, null);
});

test('if there is no Python nothing fails, and one line says so', () => {
  const folder = project('one==1');
  preparePython(folder, join(folder, 'no-such-python'));
  const { python, problem } = findPython(folder);
  assert.equal(python, null);
  assert.match(problem ?? '', /no-such-python could not be run/);
});
