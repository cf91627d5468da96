/**
 * Programs of Debian that a few tests start, downloaded and unpacked below `.cache` without installing anything on the machine. Plain
 * JavaScript for Node 18 and later, like `setup.mjs`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const STEP_TIMEOUT_MS = 120_000;
const PROBLEM_LENGTH_MAX = 300;

/** The path of a program on PATH, or of the first one of several names; null if there is none. */
export function findOnPath(names, environment) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((each) => each !== '');
  for (const name of names) {
    const found = folders.map((each) => join(each, name)).find((path) => existsSync(path));
    if (found !== undefined) return found;
  }
  return null;
}

/** Where packages are unpacked, as `unpackPackages` names them. */
export function unpackedIn(folder, name) {
  return join(folder, '.cache', name);
}

/** The folders of libraries that were unpacked with a program, for `LD_LIBRARY_PATH`. */
export function librariesIn(place) {
  const library = join(place, 'usr', 'lib');
  return existsSync(library) ? [library, ...readdirSync(library).map((name) => join(library, name))] : [];
}

/** Downloads packages and unpacks them below `.cache/<name>`. Null on success, else why it could not. Nothing of it needs to be root. */
export function unpackPackages(folder, name, packages, environment) {
  mkdirSync(join(folder, '.cache'), { recursive: true });
  const target = mkdtempSync(join(folder, '.cache', `${name}-`));
  const problem = download(target, packages, environment);
  // Moved in one step: an interrupted download counts as missing, and of two at a time one is kept.
  if (problem === null && !existsSync(unpackedIn(folder, name))) renameSync(target, unpackedIn(folder, name));
  rmSync(target, { recursive: true, force: true });
  return problem;
}

function download(target, packages, environment) {
  const debs = join(target, 'debs');
  mkdirSync(debs);
  const fetch = (options) => run('apt-get', [...options, 'download', '--quiet', ...packages], debs, environment);
  let problem = fetch([]);
  if (problem !== null) {
    // The lists of packages are missing or old: newer ones go into this folder.
    const own = ['-o', `Dir::State::Lists=${join(debs, 'lists')}`, '-o', `Dir::Cache=${join(debs, 'cache')}`];
    mkdirSync(join(debs, 'lists', 'partial'), { recursive: true });
    mkdirSync(join(debs, 'cache', 'archives', 'partial'), { recursive: true });
    problem = run('apt-get', [...own, 'update', '--quiet'], debs, environment) ?? fetch(own);
  }
  if (problem !== null) return problem;
  for (const deb of readdirSync(debs).filter((each) => each.endsWith('.deb'))) {
    const unpacked = run('dpkg', ['-x', join(debs, deb), target], target, environment);
    if (unpacked !== null) return unpacked;
  }
  rmSync(debs, { recursive: true });
  return null;
}

/** Null on success, else the end of its output, in one line. */
function run(command, words, cwd, env) {
  const result = spawnSync(command, words, { cwd, env, encoding: 'utf8', timeout: STEP_TIMEOUT_MS });
  if (result.error) return `${command} could not be run (${result.error.message}).`;
  if (result.status === 0) return null;
  const said = `${result.stdout}\n${result.stderr}`.trim().replace(/\s+/g, ' ');
  return `${command} failed: ${said.slice(-PROBLEM_LENGTH_MAX)}`;
}
