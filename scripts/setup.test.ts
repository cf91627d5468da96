/**
 * Goal: the launchers detect what is missing, and pass exit codes and signals on. Method: lock
 * files written by the test, and small scripts run under the pinned Node.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface Setup {
  runtimeFlags(cores?: number): string[];
  installMissing(options: { readonly folder: string; readonly dev?: boolean }): void;
  missingPackage(folder: string, dev?: boolean): string | null;
}

const setupUrl = pathToFileURL(join(import.meta.dirname, 'setup.mjs')).href;
const { installMissing, missingPackage, runtimeFlags } = (await import(setupUrl)) as Setup;
const root = mkdtempSync(join(tmpdir(), 'turnpike-setup-'));
after(() => rmSync(root, { recursive: true }));

type Packages = Record<
  string,
  { version: string; integrity?: string; optional?: boolean; dev?: boolean; os?: string[] }
>;

function project(wanted: Packages, installed: Packages | string | null): string {
  const folder = mkdtempSync(join(root, 'project-'));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': { version: '1' }, ...wanted } }));
  if (installed === null) return folder;
  mkdirSync(join(folder, 'node_modules'));
  const text = typeof installed === 'string' ? installed : JSON.stringify({ packages: installed });
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), text);
  return folder;
}

const one = { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-a' } };

test('as many helper threads as there are other cores, one at least and four at most', () => {
  assert.deepEqual(
    [1, 2, 3, 5, 64].map((cores) => runtimeFlags(cores)),
    [1, 1, 2, 4, 4].map((threads) => [`--v8-pool-size=${threads}`]),
  );
  assert.match(runtimeFlags().join(' '), /^--v8-pool-size=[1-4]$/);
});

test('nothing is missing when every package of the lock file is installed', () => {
  assert.equal(missingPackage(project(one, one)), null);
});

test('an absent, unfinished or different installation is recognised', () => {
  assert.equal(missingPackage(project(one, null)), 'none are installed');
  assert.equal(missingPackage(project(one, '{"packages": {')), 'none are installed');
  assert.equal(missingPackage(project(one, {})), 'one 1.0.0 is not installed');
  const older = { 'node_modules/one': { version: '0.9.0', integrity: 'sha512-a' } };
  assert.equal(missingPackage(project(one, older)), 'one 1.0.0 is not installed');
  const changed = { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-b' } };
  assert.equal(missingPackage(project(one, changed)), 'one 1.0.0 is not installed');
});

test('packages for other machines and absent optional ones are not required', () => {
  const wanted = {
    ...one,
    'node_modules/other': { version: '1.0.0', os: ['no-such-system'] },
    'node_modules/extra': { version: '1.0.0', optional: true },
  };
  assert.equal(missingPackage(project(wanted, one)), null);
});

test('serving requires no package that only building and testing need, and ignores those that are there', () => {
  const dev = { 'node_modules/tool': { version: '1.0.0', integrity: 'sha512-t', dev: true } };
  const served = project({ ...one, ...dev }, one);
  assert.equal(missingPackage(served, false), null);
  assert.equal(missingPackage(served, true), 'tool 1.0.0 is not installed');
  const whole = project({ ...one, ...dev }, { ...one, ...dev });
  assert.deepEqual([missingPackage(whole, false), missingPackage(whole, true)], [null, null]);
  assert.equal(missingPackage(project({ ...one, ...dev }, dev), false), 'one 1.0.0 is not installed');
});

/** Records its arguments, and installs what is requested: everything, or without what only building needs. */
const NPM = `
  const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
  const words = process.argv.slice(2);
  appendFileSync('npm.log', words.join(' ') + '\\n');
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const wanted = Object.entries(packages).filter(([, { dev }]) => !dev || words.includes('--include=dev'));
  mkdirSync('node_modules', { recursive: true });
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(wanted) }));
`;

test('serving brings no developers’ packages, testing adds them, nothing is installed twice, and no package runs a script', () => {
  const dev = { 'node_modules/tool': { version: '1.0.0', integrity: 'sha512-t', dev: true } };
  const folder = project({ ...one, ...dev }, null);
  const npm = join(mkdtempSync(join(root, 'npm-')), 'npm-cli.js');
  writeFileSync(npm, NPM);
  const before = process.env['npm_execpath'];
  process.env['npm_execpath'] = npm;
  try {
    for (const isDev of [false, false, true, false, true]) installMissing({ folder, dev: isDev });
    rmSync(join(folder, 'node_modules'), { recursive: true });
    for (const isDev of [true, false]) installMissing({ folder, dev: isDev });
  } finally {
    if (before === undefined) delete process.env['npm_execpath'];
    else process.env['npm_execpath'] = before;
  }
  assert.deepEqual(readFileSync(join(folder, 'npm.log'), 'utf8').trim().split('\n'), [
    'ci --omit=dev --include=optional --ignore-scripts',
    'install --no-save --include=dev --include=optional --ignore-scripts',
    'ci --include=dev --include=optional --ignore-scripts',
  ]);
});

test('a project without a lock file gets one sentence', () => {
  assert.throws(() => missingPackage(mkdtempSync(join(root, 'empty-'))), /package-lock\.json is missing or broken/);
});

/** Runs a launcher made of `setup.mjs` and the given script. */
function launchScript(source: string) {
  const folder = mkdtempSync(join(root, 'launch-'));
  writeFileSync(join(folder, 'script.mjs'), source);
  writeFileSync(
    join(folder, 'launcher.mjs'),
    `import { launch, runUnderRuntime } from ${JSON.stringify(setupUrl)};
     await launch(() => runUnderRuntime([${JSON.stringify(join(folder, 'script.mjs'))}]));`,
  );
  return spawn(process.execPath, [join(folder, 'launcher.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
}

test('the exit code of the program is the exit code of the launcher', async () => {
  const [code] = await once(launchScript('process.exit(7)'), 'exit');
  assert.equal(code, 7);
});

test('SIGTERM reaches the program, which ends normally', async () => {
  const launcher = launchScript(`
    process.on('SIGTERM', () => { console.log('draining'); process.exit(0); });
    setInterval(() => {}, 1000);
    console.log('ready');
  `);
  let output = '';
  launcher.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') launcher.kill('SIGTERM');
    output += text;
  });
  const [code] = await once(launcher, 'close');
  assert.equal(code, 0);
  assert.equal(output, 'ready\ndraining\n');
});

test('a program killed by a signal is reported as a shell would', async () => {
  const [code] = await once(launchScript("process.kill(process.pid, 'SIGKILL')"), 'exit');
  assert.equal(code, 137);
});
