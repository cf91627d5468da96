/** Every test file that `npm test` leaves out because it takes long (`scripts/long-tests.mjs`). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { prove } from './support/prove.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The last line of `scripts/test.mjs`. */
const SUMMARY = /^(\d+) test files in \d+ s: all passed$/m;

await prove('long-tests', async () => {
  const only = (process.env['TURNPIKE_PROVE_FILES'] ?? '').split(',').filter((part) => part !== '');
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'test.mjs'), '--long', ...only], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) process.stdout.write(output);
  assert.equal(code, 0, 'tests failed');
  return `${SUMMARY.exec(output)?.[1]} test files pass`;
});
