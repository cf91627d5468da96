/**
 * The Python packages that a few tests need, in a virtual environment below `.cache`: created once, from `test/sdk/python/requirements.txt`,
 * and again when that has changed. Python is optional: if there is none, or the packages cannot be installed, those tests say that they are
 * skipped, and why. Plain JavaScript for Node 18 and later, like `setup.mjs`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './setup.mjs';

const REQUIREMENTS = join('test', 'sdk', 'python', 'requirements.txt');
/** It takes some ten seconds; a network that does not answer must not keep the tests waiting. */
const STEP_TIMEOUT_MS = 60_000;
const PROBLEM_LENGTH_MAX = 300;

/** Creates the environment if it is missing, and says so in one line. Never throws because Python or its packages are missing. */
export function preparePython(folder = projectFolder, command = 'python3') {
  const { venv, digestFile, problemFile } = placesIn(folder);
  const wanted = digestOf(folder);
  if (existsSync(digestFile) && readFileSync(digestFile, 'utf8') === wanted) return;
  process.stderr.write('Installing the Python packages of some tests …\n');
  rmSync(venv, { recursive: true, force: true });
  mkdirSync(join(folder, '.cache'), { recursive: true });
  const problem = run(command, ['-m', 'venv', venv], folder) ?? installInto(venv, folder);
  if (problem === null) {
    rmSync(problemFile, { force: true });
    // Written last: an interrupted installation counts as missing.
    writeFileSync(digestFile, wanted);
    return;
  }
  rmSync(venv, { recursive: true, force: true });
  writeFileSync(problemFile, problem);
  process.stderr.write(`Those tests are skipped: ${problem}\n`);
}

/** The interpreter with the packages, or a sentence why there is none. */
export function findPython(folder = projectFolder) {
  const { venv, digestFile, problemFile } = placesIn(folder);
  if (existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digestOf(folder)) {
    return { python: join(venv, 'bin', 'python'), problem: null };
  }
  const known = existsSync(problemFile) ? readFileSync(problemFile, 'utf8') : 'they come with `npm test`.';
  return { python: null, problem: `The Python packages of ${REQUIREMENTS} are not installed: ${known}` };
}

/** Packages are installed as published, by their hashes; none runs a script. */
function installInto(venv, folder) {
  const flags = ['--require-hashes', '--no-deps', '--only-binary', ':all:', '--no-compile', '--no-input', '--quiet'];
  const network = ['--disable-pip-version-check', '--retries', '1', '--timeout', '10'];
  return run(join(venv, 'bin', 'python'), ['-m', 'pip', 'install', ...flags, ...network, '-r', REQUIREMENTS], folder);
}

/** Null on success, else the end of its output, in one line. */
function run(command, words, folder) {
  const { PYTHONHOME: _home, PYTHONPATH: _path, ...env } = process.env;
  const result = spawnSync(command, words, { cwd: folder, env, encoding: 'utf8', timeout: STEP_TIMEOUT_MS });
  if (result.error) return `${command} could not be run (${result.error.message}).`;
  if (result.status === 0) return null;
  const said = `${result.stdout}\n${result.stderr}`.trim().replace(/\s+/g, ' ');
  return `${words.slice(0, 3).join(' ')} failed: ${said.slice(-PROBLEM_LENGTH_MAX)}`;
}

function placesIn(folder) {
  const cache = join(folder, '.cache');
  const venv = join(cache, 'python');
  return { venv, digestFile: join(venv, 'made-of'), problemFile: join(cache, 'python-problem.txt') };
}

function digestOf(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, REQUIREMENTS)))
    .digest('hex');
}
