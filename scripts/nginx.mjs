/**
 * The nginx that a few tests and proofs start: the one on PATH, else Debian's below `.cache`. Plain JavaScript for Node 18 and later, like
 * `setup.mjs`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath, librariesIn, unpackedIn, unpackPackages } from './debian-packages.mjs';
import { projectFolder } from './setup.mjs';

const PACKAGES = ['nginx', 'nginx-common', 'libpcre2-8-0', 'libssl3'];

/** Downloads nginx if there is none, and says so in one line; returns what `findNginx` then returns. Never throws because it cannot. */
export function prepareNginx(folder = projectFolder, environment = process.env) {
  const found = findNginx(folder, environment);
  if (found.server !== null) return found;
  process.stderr.write('Downloading nginx for the tests …\n');
  const problem = unpackPackages(folder, 'nginx', PACKAGES, environment);
  return problem === null ? findNginx(folder, environment) : { ...found, problem: sentence(problem) };
}

/**
 * The program, the folders of libraries that it needs in addition (for `LD_LIBRARY_PATH`), and, if there is none, a sentence that says what
 * to install.
 */
export function findNginx(folder = projectFolder, environment = process.env) {
  const installed = findOnPath(['nginx'], environment);
  if (installed !== null) return { server: installed, libraries: [], problem: null };
  const place = unpackedIn(folder, 'nginx');
  const server = join(place, 'usr', 'sbin', 'nginx');
  if (existsSync(server)) return { server, libraries: librariesIn(place), problem: null };
  return { server: null, libraries: [], problem: sentence('it comes with `npm test`.') };
}

function sentence(why) {
  return `The proofs of several nodes need nginx on PATH (\`apt-get install nginx\`): ${why}`;
}
