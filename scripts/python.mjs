/**
 * The Python packages that a few tests need, in a virtual environment below `.cache`: created once, from `test/sdk/python/requirements.txt`
 * (for the proof of clients: from its own), and again when that has changed. Python is optional: if there is none, or the packages cannot be installed, those tests say that they are
 * skipped, and why. Plain JavaScript for Node 18 and later, like `setup.mjs`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './setup.mjs';

/** Sets of packages: where they are listed, and the name of their environment below `.cache`. */
const SETS = {
  tests: { requirements: join('test', 'sdk', 'python', 'requirements.txt'), name: 'python' },
  clients: { requirements: join('test', 'clients', 'python', 'requirements.txt'), name: 'python-clients' },
};
/** It takes some ten seconds, half a minute on a busy machine; a network that does not answer must not keep the tests waiting. */
const STEP_TIMEOUT_MS = 180_000;
const PROBLEM_LENGTH_MAX = 300;

/** Creates the environment if it is missing, and says so in one line. Never throws because Python or its packages are missing. */
export function preparePython(folder = projectFolder, command = 'python3', set = 'tests') {
  const { requirements, venv, digestFile, problemFile } = placesIn(folder, set);
  const wanted = digestOf(folder, requirements);
  if (existsSync(digestFile) && readFileSync(digestFile, 'utf8') === wanted) return;
  process.stderr.write(`Installing the Python packages of ${requirements} …\n`);
  rmSync(venv, { recursive: true, force: true });
  mkdirSync(join(folder, '.cache'), { recursive: true });
  const problem = run(command, ['-m', 'venv', venv], folder) ?? installInto(venv, folder, requirements);
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
export function findPython(folder = projectFolder, set = 'tests') {
  const { requirements, venv, digestFile, problemFile } = placesIn(folder, set);
  if (existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digestOf(folder, requirements)) {
    return { python: join(venv, 'bin', 'python'), problem: null };
  }
  const known = existsSync(problemFile) ? readFileSync(problemFile, 'utf8') : 'they come with `npm test`.';
  return { python: null, problem: `The Python packages of ${requirements} are not installed: ${known}` };
}

/** Packages are installed as published, by their hashes; none runs a script. */
function installInto(venv, folder, requirements) {
  const flags = ['--require-hashes', '--no-deps', '--only-binary', ':all:', '--no-compile', '--no-input', '--quiet'];
  const network = ['--disable-pip-version-check', '--retries', '1', '--timeout', '10'];
  return run(join(venv, 'bin', 'python'), ['-m', 'pip', 'install', ...flags, ...network, '-r', requirements], folder);
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

function placesIn(folder, set) {
  const { requirements, name } = SETS[set];
  const cache = join(folder, '.cache');
  const venv = join(cache, name);
  return { requirements, venv, digestFile: join(venv, 'made-of'), problemFile: join(cache, `${name}-problem.txt`) };
}

function digestOf(folder, requirements) {
  return createHash('sha256')
    .update(readFileSync(join(folder, requirements)))
    .digest('hex');
}
