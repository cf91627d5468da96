/**
 * `npm test [flags] [part of a path …]`: types, lint and every test file that is not long (`long-tests.mjs`), or those whose
 * path contains one of the given parts. With `--long`, the long ones alone. All run whatever the others report; one summary
 * at the end.
 *
 * Starting a process and importing the program costs a small test file more than its tests do. So files that leave the
 * process as they found it share a few processes; the rest have a process each (`test-groups.mjs`).
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { isLong } from './long-tests.mjs';
import { preparePython } from './python.mjs';
import { prepareRedis } from './redis.mjs';
import { installMissing, launch, projectFolder, runtimeEnvironment, runtimePath, SetupProblem } from './setup.mjs';
import { makeTemporaryFolder } from './temporary-folder.mjs';
import { groupTests } from './test-groups.mjs';
import { runStep, whatFailed } from './test-step.mjs';
import { prepareWeb } from './web.mjs';

const FOLDERS = ['src', 'test', 'bench', 'scripts', 'web/docs', 'web/src'];
const BROWSER_TESTS = join('test', 'browser');
/** What tests that start a Redis import. */
const REDIS_TESTS = 'support/redis-server.ts';
/**
 * One Chromium for all test files, each of which would need a second of CPU time to start its own, and the servers that
 * several of them read. The browser is unpacked first: test files run at the same time, and one would start what another
 * is still writing.
 */
const BROWSER_SHARE = join(BROWSER_TESTS, 'share-browser.ts');
/** The same for PostgreSQL, which takes a second, too. */
const POSTGRES_SHARE = join('test', 'support', 'postgres', 'share-servers.ts');
const PYTHON_TESTS = join('test', 'sdk', 'python');
/** Several threads check the types that they share once each. */
const TYPES = ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'];
const CHECKS = [
  { name: 'types', parameters: TYPES },
  { name: 'types of web', parameters: [...TYPES, '-p', 'web'] },
  { name: 'types of browser tests', parameters: [...TYPES, '-p', BROWSER_TESTS] },
  { name: 'lint', parameters: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
];
/** A flag of ours, among those of Node's test runner. */
const LONG = '--long';
/** No test takes this long unless it waits for something that never happens. */
const TEST_TIMEOUT_MS = 120_000;

await launch(async () => {
  installMissing({ dev: true });
  // Before the tests, because those with a browser need it; types of the dashboard need its packages.
  prepareWeb(projectFolder, { withPackages: true });
  const words = process.argv.slice(2);
  const flags = words.filter((word) => word.startsWith('-') && word !== LONG);
  const parts = words.filter((word) => !word.startsWith('-'));
  const all = FOLDERS.flatMap((folder) => testFiles(join(projectFolder, folder)))
    .map((file) => relative(projectFolder, file))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort();
  const files = all.filter((file) => (words.includes(LONG) ? isLong(file) : parts.length > 0 || !isLong(file)));
  if (files.length === 0) throw new SetupProblem(`No test file's path contains ${parts.join(' or ')}.`);
  if (files.some((file) => file.startsWith(PYTHON_TESTS))) preparePython();
  // Those that need it fail without it, and say what to install.
  if (files.some((file) => readFileSync(join(projectFolder, file), 'utf8').includes(REDIS_TESTS))) prepareRedis();
  const shared = [];
  if (files.some((file) => file.startsWith(BROWSER_TESTS))) shared.push(await startShared(BROWSER_SHARE));
  if (files.some(usesPostgres)) shared.push(await startShared(POSTGRES_SHARE));
  const temporary = makeTemporaryFolder();
  const environment = Object.assign(testEnvironment(), temporary.variables, ...shared.map((each) => each.environment));
  const testFlags = [`--test-timeout=${TEST_TIMEOUT_MS}`, ...flags];
  const steps = [
    ...(words.includes(LONG) ? [] : CHECKS),
    ...groupTests(projectFolder, files).map(({ name, files }) => ({
      name: files.length === 1 ? files[0] : `${name} (${files.length} files)`,
      parameters: testFlags,
      files,
    })),
  ];
  const startedMs = performance.now();
  // One more than there are cores: tests also wait for disks and clocks.
  const results = await allOf(availableParallelism() + 1, steps, environment).finally(async () => {
    await Promise.all(shared.map((each) => each.stop()));
    temporary.remove();
  });
  for (const { passed, name, seconds } of results) {
    process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${name}  ${seconds.toFixed(1)} s\n`);
  }
  if (files.length < all.length && !words.includes(LONG)) {
    process.stdout.write(`${all.length - files.length} long test files did not run: npm run prove -- long-tests\n`);
  }
  const failed = results.filter((result) => !result.passed);
  // Again, and last: where only the end of the output is kept, it says what to fix.
  for (const { name, output } of failed) process.stdout.write(`\n${name}\n${whatFailed(output)}\n`);
  process.stdout.write(
    `\n${files.length} test files in ${((performance.now() - startedMs) / 1000).toFixed(0)} s: ` +
      `${failed.length === 0 ? 'all passed' : `FAILED: ${failed.map(({ name }) => name).join('; ')}`}\n`,
  );
  return failed.length === 0 ? 0 : 1;
});

/** Runs the steps in their order, `width` at a time. Each one's output is printed as a whole, once it is done. */
async function allOf(width, steps, environment) {
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < steps.length) {
      const at = next++;
      const result = await runStep(projectFolder, steps[at], environment);
      process.stdout.write(`\n${steps[at].name}\n${result.output}`);
      results[at] = result;
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}

/** Starts a process that has what test files share, and prints the environment variables that lead to it. */
async function startShared(script) {
  const child = spawn(runtimePath(), [script], {
    cwd: projectFolder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: testEnvironment(),
  });
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const variables = await Promise.race([
    new Promise((resolve) => createInterface(child.stdout).once('line', resolve)),
    exited.then(() => null),
  ]);
  if (variables === null) throw new SetupProblem(`What tests share could not be started: ${script}.`);
  return {
    environment: JSON.parse(variables),
    stop() {
      child.stdin.end();
      return exited;
    },
  };
}

/** The pinned Node comes first on PATH, for tests that start a process of their own. */
function testEnvironment() {
  const environment = runtimeEnvironment();
  return { ...environment, PATH: `${join(projectFolder, 'node_modules', '.bin')}:${environment.PATH ?? ''}` };
}

/** Any mention will do: the servers are started on demand. */
function usesPostgres(file) {
  return readFileSync(join(projectFolder, file), 'utf8').toLowerCase().includes('postgres');
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
