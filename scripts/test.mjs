/**
 * `npm test [flags] [part of a path …]`: types, lint, then every test file, or those whose path
 * contains one of the given parts. All run whatever the others say; one summary at the end.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { preparePython } from './python.mjs';
import { installMissing, launch, projectFolder, runtimeEnvironment, runtimePath, SetupProblem } from './setup.mjs';
import { prepareWeb } from './web.mjs';

const FOLDERS = ['src', 'test', 'bench', 'scripts', 'web/src'];
const BROWSER_TESTS = join('test', 'browser');
const PYTHON_TESTS = join('test', 'sdk', 'python');
/** No test file takes this long unless it hangs. */
const FILE_TIMEOUT_MS = 120_000;

await launch(() => {
  installMissing({ dev: true });
  // Before the tests, because those with a browser need it; types of the dashboard need its packages.
  prepareWeb(projectFolder, { withPackages: true });
  const flags = process.argv.slice(2).filter((word) => word.startsWith('-'));
  const parts = process.argv.slice(2).filter((word) => !word.startsWith('-'));
  const files = FOLDERS.flatMap((folder) => testFiles(join(projectFolder, folder)))
    .map((file) => relative(projectFolder, file))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort();
  if (files.length === 0) throw new SetupProblem(`No test file's path contains ${parts.join(' or ')}.`);
  const usesBrowser = files.some((file) => file.startsWith(BROWSER_TESTS));
  if (usesBrowser) unpackBrowser();
  if (files.some((file) => file.startsWith(PYTHON_TESTS))) preparePython();
  const steps = [
    step('types', ['node_modules/typescript/bin/tsc', '--noEmit']),
    step('types of web', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'web']),
    step('types of browser tests', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'test/browser']),
    step('lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']),
    step(`tests (${files.length} files)`, [
      '--test',
      `--test-concurrency=${Math.max(1, availableParallelism())}`,
      `--test-timeout=${FILE_TIMEOUT_MS}`,
      ...(usesBrowser ? [`--test-global-setup=${join(BROWSER_TESTS, 'share-browser.ts')}`] : []),
      ...flags,
      ...files,
    ]),
  ];
  process.stdout.write(
    `\n${steps.map((done) => `${done.passed ? 'passed' : 'FAILED'}  ${done.name}  ${done.seconds} s`).join('\n')}\n`,
  );
  return steps.every((done) => done.passed) ? 0 : 1;
});

function step(name, parameters) {
  const startedMs = performance.now();
  const result = spawnSync(runtimePath(), parameters, {
    cwd: projectFolder,
    stdio: 'inherit',
    env: testEnvironment(),
  });
  if (result.error) throw result.error;
  return { name, passed: result.status === 0, seconds: ((performance.now() - startedMs) / 1000).toFixed(1) };
}

/** Once, beforehand: test files run at the same time, and one would start what another is still writing. */
function unpackBrowser() {
  const program = "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();";
  const result = spawnSync(runtimePath(), ['--input-type=module', '--eval', program], {
    cwd: projectFolder,
    stdio: 'inherit',
  });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new SetupProblem('The browser for the tests could not be unpacked.');
}

/** The pinned Node comes first on PATH, for tests that start a process of their own. */
function testEnvironment() {
  const environment = runtimeEnvironment();
  return { ...environment, PATH: `${join(projectFolder, 'node_modules', '.bin')}:${environment.PATH ?? ''}` };
}

function testFiles(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
