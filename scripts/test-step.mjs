/** One process of `npm test`: a check, or the tests of some files (`run-test-files.mjs`). */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { projectFolder, runtimePath } from './setup.mjs';

const RUN_FILES = join(projectFolder, 'scripts', 'run-test-files.mjs');
/** Longer than the time limit of a test, which a test that never yields does not notice. */
const FILE_TIMEOUT_MS = 300_000;
/** Where the runner begins to list the failed tests with their errors, after all others. */
const FAILED_TESTS = '\n✖ failing tests:\n';
/** A few errors with their first lines. */
const MAX_FAILURE_CHARACTERS = 1200;
/** The file descriptor of the process's end of the pipe, which reports the running file; and its variable. */
const PROGRESS_PIPE = 3;
const PROGRESS = 'TURNPIKE_TEST_PROGRESS';

/**
 * Runs a step in `folder` and returns `{ name, passed, seconds, output }`. `parameters` are Node's; with `files`, their tests run.
 * The process is ended, and the step failed, once a file takes longer than `fileTimeoutMs`.
 */
export async function runStep(folder, { name, parameters, files = [] }, environment, fileTimeoutMs = FILE_TIMEOUT_MS) {
  const startedMs = performance.now();
  const hasTests = files.length > 0;
  const child = spawn(runtimePath(), [...parameters, ...(hasTests ? [RUN_FILES, ...files] : [])], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', hasTests ? 'pipe' : 'ignore'],
    env: { ...environment, ...(hasTests ? { [PROGRESS]: String(PROGRESS_PIPE) } : {}) },
  });
  const stopWatching = hasTests ? watch(child, files, fileTimeoutMs) : () => '';
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const hung = stopWatching();
  const seconds = (performance.now() - startedMs) / 1000;
  return { name, passed: code === 0, seconds, output: (await printed).join('') + hung };
}

/** Returns the end of a failed step's output that says what failed, or its last lines, shortened: for a summary. */
export function whatFailed(output) {
  const at = output.lastIndexOf(FAILED_TESTS);
  const lines = (at === -1 ? output : output.slice(at + FAILED_TESTS.length)).split('\n').filter(isOfFailure);
  const text = lines.join('\n');
  return at === -1 ? text.slice(-MAX_FAILURE_CHARACTERS) : text.slice(0, MAX_FAILURE_CHARACTERS);
}

/** Neither empty nor a line of a stack that is Node's or a package's. */
function isOfFailure(line) {
  return line.trim() !== '' && !/^ *at .*(node:internal|node_modules)/.test(line);
}

/** Ends the process if a file takes too long. Returns a function that stops watching and says what hung, if anything did. */
function watch(child, files, fileTimeoutMs) {
  let running = files[0];
  let hung = '';
  const end = () => {
    const what = running === '' ? `The process of ${files.join(', ')}` : running;
    const missed = running === '' ? [] : files.slice(files.indexOf(running) + 1);
    hung = `${what} did not end within ${fileTimeoutMs / 1000} s and was ended.\n`;
    if (missed.length > 0) hung += `These did not run: ${missed.join(', ')}\n`;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(end, fileTimeoutMs);
  createInterface(child.stdio[PROGRESS_PIPE]).on('line', (file) => {
    running = file;
    clearTimeout(timer);
    timer = setTimeout(end, fileTimeoutMs);
  });
  return () => {
    clearTimeout(timer);
    return hung;
  };
}
