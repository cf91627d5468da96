/**
 * The Redis or Valkey that a few tests start: the one on PATH, else Debian's `redis-server` below `.cache`. Plain JavaScript for Node 18 and
 * later, like `setup.mjs`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath, librariesIn, unpackedIn, unpackPackages } from './debian-packages.mjs';
import { projectFolder } from './setup.mjs';

const NAMES = ['valkey-server', 'redis-server'];
/** The server, and the libraries that Debian has only because of it. */
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];

/** Downloads the server if there is none, and says so in one line; returns what `findRedis` then returns. Never throws because it cannot. */
export function prepareRedis(folder = projectFolder, environment = process.env) {
  const found = findRedis(folder, environment);
  if (found.server !== null) return found;
  process.stderr.write('Downloading redis-server for the tests …\n');
  const problem = unpackPackages(folder, 'redis', PACKAGES, environment);
  return problem === null ? findRedis(folder, environment) : { ...found, problem: sentence(problem) };
}

/**
 * The program, the folders of libraries that it needs in addition (for `LD_LIBRARY_PATH`), and, if there is none, a sentence that says what
 * to install.
 */
export function findRedis(folder = projectFolder, environment = process.env) {
  const installed = findOnPath(NAMES, environment);
  if (installed !== null) return { server: installed, libraries: [], problem: null };
  const place = unpackedIn(folder, 'redis');
  const server = join(place, 'usr', 'bin', 'redis-server');
  if (existsSync(server)) return { server, libraries: librariesIn(place), problem: null };
  return { server: null, libraries: [], problem: sentence('it comes with `npm test`.') };
}

function sentence(why) {
  return `The tests of what nodes share need valkey-server or redis-server on PATH, or a server's address as TEST_VALKEY_URL (\`apt-get install redis-server\`): ${why}`;
}
