/**
 * Runs test files one after the other in this process, each as a suite of its name: a file's top-level hooks (`before`,
 * `after`, `beforeEach`, `afterEach`) then apply to that file alone. `npm test` starts this (`test.mjs`) and reads from a
 * pipe which file is running, so that one that hangs has a name.
 */
import { writeSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import './track-tests.mjs';

const { after, describe } = await import('node:test');

/** The number of the open pipe. No test sees the variable. */
const PROGRESS = 'TURNPIKE_TEST_PROGRESS';
/** Whatever is open after the last test keeps the process alive. Pooled connections take some seconds to close. */
const LEFT_OPEN_AFTER_MS = 20_000;

const progress = process.env[PROGRESS];
delete process.env[PROGRESS];

for (const path of process.argv.slice(2)) await runFile(path);
report('');
setTimeout(() => {
  process.stderr.write(`A test left something open: ${process.getActiveResourcesInfo().join(', ')}\n`);
  // This event makes the runner print the report of all tests.
  process.emit('beforeExit', 1);
  setTimeout(() => process.exit(1), 1000);
}, LEFT_OPEN_AFTER_MS).unref();

/** The next file is imported once this one's tests are over: some open servers on import. */
function runFile(path) {
  const file = relative(process.cwd(), resolve(path));
  report(file);
  return new Promise((over) => {
    describe(file, async () => {
      try {
        await import(pathToFileURL(resolve(path)).href);
      } finally {
        // After the file's own hooks, which were registered before it.
        after(() => over());
      }
    });
  });
}

function report(file) {
  if (progress !== undefined) writeSync(Number(progress), `${file}\n`);
}
