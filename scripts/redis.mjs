/**
 * The Redis or Valkey that a few tests start: the one on PATH, else Debian's `redis-server` below `.cache`, unpacked there without installing
 * anything on the machine. Plain JavaScript for Node 18 and later, like `setup.mjs`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { projectFolder } from './setup.mjs';

const NAMES = ['valkey-server', 'redis-server'];
/** The server, and the libraries that Debian has only because of it. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];
const STEP_TIMEOUT_MS = 120_000;
const PROBLEM_LENGTH_MAX = 300;

/** Downloads the server if there is none, and says so in one line; returns what `findRedis` then returns. Never throws because it cannot. */
export function prepareRedis(folder = projectFolder, environment = process.env) {
  const found = findRedis(folder, environment);
  if (found.server !== null) return found;
  process.stderr.write('Downloading redis-server for the tests …\n');
  mkdirSync(join(folder, '.cache'), { recursive: true });
  const unpacked = mkdtempSync(join(folder, '.cache', 'redis-'));
  const problem = download(unpacked, environment);
  // Moved in one step: an interrupted download counts as missing, and of two at a time one is kept.
  if (problem === null && !existsSync(placeIn(folder))) renameSync(unpacked, placeIn(folder));
  rmSync(unpacked, { recursive: true, force: true });
  return problem === null ? findRedis(folder, environment) : { ...found, problem };
}

/**
 * The program, the folders of libraries that it needs in addition (for `LD_LIBRARY_PATH`), and, if there is none, a sentence that says what
 * to install.
 */
export function findRedis(folder = projectFolder, environment = process.env) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((each) => each !== '');
  for (const name of NAMES) {
    const server = folders.map((each) => join(each, name)).find((path) => existsSync(path));
    if (server !== undefined) return { server, libraries: [], problem: null };
  }
  const server = join(placeIn(folder), 'usr', 'bin', 'redis-server');
  if (existsSync(server)) return { server, libraries: librariesIn(placeIn(folder)), problem: null };
  return { server: null, libraries: [], problem: sentence('it comes with `npm test`.') };
}

/** Null on success, else why there is none. Nothing of it needs to be root. */
function download(target, environment) {
  const debs = join(target, 'debs');
  mkdirSync(debs);
  const fetch = (options) => run('apt-get', [...options, 'download', '--quiet', ...PACKAGES], debs, environment);
  let problem = fetch([]);
  if (problem !== null) {
    // The lists of packages are missing or old: newer ones go into this folder.
    const own = ['-o', `Dir::State::Lists=${join(debs, 'lists')}`, '-o', `Dir::Cache=${join(debs, 'cache')}`];
    mkdirSync(join(debs, 'lists', 'partial'), { recursive: true });
    mkdirSync(join(debs, 'cache', 'archives', 'partial'), { recursive: true });
    problem = run('apt-get', [...own, 'update', '--quiet'], debs, environment) ?? fetch(own);
  }
  if (problem !== null) return sentence(problem);
  for (const deb of readdirSync(debs).filter((name) => name.endsWith('.deb'))) {
    const unpacked = run('dpkg', ['-x', join(debs, deb), target], target, environment);
    if (unpacked !== null) return sentence(unpacked);
  }
  rmSync(debs, { recursive: true });
  return null;
}

function sentence(why) {
  return `The tests of what nodes share need valkey-server or redis-server on PATH, or a server's address as TEST_VALKEY_URL (\`apt-get install redis-server\`): ${why}`;
}

/** Null on success, else the end of its output, in one line. */
function run(command, words, cwd, env) {
  const result = spawnSync(command, words, { cwd, env, encoding: 'utf8', timeout: STEP_TIMEOUT_MS });
  if (result.error) return `${command} could not be run (${result.error.message}).`;
  if (result.status === 0) return null;
  const said = `${result.stdout}\n${result.stderr}`.trim().replace(/\s+/g, ' ');
  return `${command} failed: ${said.slice(-PROBLEM_LENGTH_MAX)}`;
}

function librariesIn(place) {
  const library = join(place, 'usr', 'lib');
  return existsSync(library) ? [library, ...readdirSync(library).map((name) => join(library, name))] : [];
}

function placeIn(folder) {
  return join(folder, '.cache', 'redis');
}
