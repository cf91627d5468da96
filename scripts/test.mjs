/**
 * `npm test [flags] [part of a path …]`: types, lint and every test file, or those whose path contains one of the given
 * parts. All run whatever the others say; one summary at the end.
 *
 * Starting a process and importing the program costs a small test file more than its tests do. So files that leave the
 * process as they found it run together, a few processes in all; the rest have a process each (`test-groups.mjs`).
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { preparePython } from './python.mjs';
import { installMissing, launch, projectFolder, runtimeEnvironment, runtimePath, SetupProblem } from './setup.mjs';
import { groupTests } from './test-groups.mjs';
import { prepareWeb } from './web.mjs';

const FOLDERS = ['src', 'test', 'bench', 'scripts', 'web/src'];
const BROWSER_TESTS = join('test', 'browser');
const PYTHON_TESTS = join('test', 'sdk', 'python');
/** No test file takes this long unless it hangs. */
const FILE_TIMEOUT_MS = 120_000;
/** A group of files takes a tenth of this. One that takes longer hangs, and its files run again in processes of their own, which names the one. */
const GROUP_TIMEOUT_MS = 300_000;

await launch(async () => {
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
  const cores = Math.max(1, availableParallelism());
  const testFlags = ['--test', `--test-timeout=${FILE_TIMEOUT_MS}`, ...flags];
  const { gathered, alone } = groupTests(projectFolder, files);
  // Those that take long first, so that no core is idle at the end.
  const steps = await allOf(cores, [
    ...gathered.map(({ name, files }) => ({
      name: `tests of ${name} (${files.length} files)`,
      parameters: [...testFlags, '--test-isolation=none', ...files],
      isGroup: true,
    })),
    { name: 'types', parameters: ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'] },
    { name: 'lint', parameters: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
    { name: 'types of web', parameters: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'web'] },
    {
      name: 'types of browser tests',
      parameters: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'test/browser'],
    },
  ]);
  const hanging = gathered.filter((_, at) => steps[at].timedOut).flatMap(({ files }) => files);
  const isolated = [...alone, ...hanging].sort();
  if (isolated.length > 0) {
    const parameters = [
      ...testFlags,
      `--test-concurrency=${cores}`,
      ...(usesBrowser ? [`--test-global-setup=${join(BROWSER_TESTS, 'share-browser.ts')}`] : []),
      ...isolated,
    ];
    steps.push(await step({ name: `tests in processes of their own (${isolated.length} files)`, parameters }));
  }
  process.stdout.write(
    `\n${steps.map((done) => `${done.passed ? 'passed' : 'FAILED'}  ${done.name}  ${done.seconds} s`).join('\n')}\n`,
  );
  return steps.every((done) => done.passed) ? 0 : 1;
});

/** Runs the steps beside each other, at most `width` at a time; each one's output is printed as a whole, once it is done. */
async function allOf(width, steps) {
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < steps.length) {
      const at = next++;
      results[at] = await step({ ...steps[at], isQuiet: true });
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}

/** Runs a step. Without `isQuiet` its output is printed as it comes. */
async function step({ name, parameters, isGroup = false, isQuiet = false }) {
  const startedMs = performance.now();
  const output = isQuiet ? 'pipe' : 'inherit';
  const child = spawn(runtimePath(), parameters, {
    cwd: projectFolder,
    stdio: ['ignore', output, output],
    env: testEnvironment(),
  });
  let timedOut = false;
  const timer = isGroup
    ? setTimeout(() => {
        timedOut = true;
        child.kill('SIGKILL');
      }, GROUP_TIMEOUT_MS)
    : undefined;
  const printed = Promise.all(isQuiet ? [text(child.stdout), text(child.stderr)] : []);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  clearTimeout(timer);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (isQuiet) process.stdout.write(`\n${name}\n${(await printed).join('')}`);
  if (timedOut) process.stdout.write(`${name}: still running after ${seconds} s; each file again in its own process\n`);
  return { name, passed: code === 0, timedOut, seconds };
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
