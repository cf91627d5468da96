/**
 * What the dashboard needs before it can be served: the packages of `web/package-lock.json`, and the build in
 * `web/dist`, made again when its sources have changed. Plain JavaScript for Node 18 and later, like `setup.mjs`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { installMissing, projectFolder, runtimePath, SetupProblem } from './setup.mjs';

/** Files of `web/` that the build depends on. */
const INPUTS = ['index.html', 'docs.html', 'docs-api.html', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];
/** Folders that the build depends on, relative to `web/`; the docs are built from the last one and from `PAGES`. */
const FOLDERS = ['src', 'docs', 'public', join('..', 'docs')];
const PAGES = ['README', 'ARCHITECTURE', 'CHANGELOG', 'CONTRIBUTING', 'GLOSSARY', 'SECURITY', join('bench', 'README')];
/** Texts; the rest is packed already. Smaller ones are not worth it. */
const PACKABLE = ['.html', '.md', '.js', '.css', '.json', '.svg', '.txt', '.webmanifest'];
const PACKED_BYTES_MIN = 600;
/** Changes when the processing of Vite's output does, so that an old build is made again. */
const STEPS = 'packed, texts by 9';

/**
 * Makes the dashboard ready, and says in one line when that takes a while; `withPackages` also installs its packages if it
 * is already built: its types need them, a server does not. Throws `SetupProblem`.
 */
export function prepareWeb(folder = projectFolder, { withPackages = false } = {}) {
  const web = join(folder, 'web');
  const wanted = sourcesDigest(web);
  const isBuilt = builtDigest(web) === wanted;
  if (!isBuilt || withPackages) installMissing({ folder: web, lockName: 'web/package-lock.json', dev: true });
  if (isBuilt) return;
  process.stderr.write('Building the dashboard …\n');
  buildWeb(folder, wanted);
}

/** The same for a server, which does not need the dashboard: what is wrong is one sentence, and no reason not to start. */
export function tryPrepareWeb(folder = projectFolder) {
  try {
    prepareWeb(folder);
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    const older = existsSync(join(folder, 'web', 'dist', 'index.html'))
      ? 'the one built before is served'
      : 'there is none';
    process.stderr.write(`The dashboard was not built, so ${older}. ${error.message}\n`);
  }
}

/** Of everything that a build is made of: names and contents. Some 100 small files, so a few milliseconds. */
export function sourcesDigest(web) {
  const hash = createHash('sha256').update(`${STEPS}\n`);
  const pages = ['package.json', ...PAGES.map((name) => `${name}.md`)].map((name) => join('..', name));
  const files = [...INPUTS, ...pages].map((name) => join(web, name));
  for (const path of [...files, ...FOLDERS.flatMap((name) => filesBelow(join(web, name)))]) {
    if (!existsSync(path)) continue;
    const content = readFileSync(path);
    // The length separates the end of one file from the start of the next.
    hash.update(`${relative(web, path)}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** The digest of the sources of `web/dist`, or null if there is none. */
export function builtDigest(web) {
  try {
    return readFileSync(join(web, 'dist', '.stamp'), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Next to the old build, which a running server keeps using until the new one is complete. */
function buildWeb(folder, digest) {
  const web = join(folder, 'web');
  const next = join(web, `dist.${process.pid}`);
  try {
    const result = spawnSync(
      runtimePath(folder),
      [
        join('node_modules', 'vite', 'bin', 'vite.js'),
        'build',
        '--outDir',
        next,
        '--emptyOutDir',
        '--logLevel',
        'warn',
      ],
      {
        cwd: web,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE_ENV: 'production' },
      },
    );
    if (result.error) throw new SetupProblem(`Vite could not be started: ${result.error.message}.`);
    if (result.status !== 0) throw new SetupProblem(`Vite failed:\n${lastLines(`${result.stdout}\n${result.stderr}`)}`);
    mkdirSync(next, { recursive: true });
    packFiles(next);
    writeFileSync(join(next, '.stamp'), digest);
    rmSync(join(web, 'dist'), { recursive: true, force: true });
    renameSync(next, join(web, 'dist'));
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}

/** Next to each file its compressed form, made once and as small as possible: a server only reads it. */
function packFiles(folder) {
  for (const path of filesBelow(folder)) {
    if (!PACKABLE.includes(extname(path))) continue;
    const bytes = readFileSync(path);
    if (bytes.length < PACKED_BYTES_MIN) continue;
    // Level 11 saves another tenth and takes ten times as long: only for code, which every page loads.
    const quality = ['.js', '.css'].includes(extname(path)) ? 11 : 9;
    const brotli = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: brotli }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

function lastLines(output) {
  return output.trim().split('\n').slice(-20).join('\n');
}

/** Sorted, so that the digest does not depend on the order of the disk. Tests are not part of a build. */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.name.endsWith('.test.ts') ? [] : [path];
    })
    .sort();
}
