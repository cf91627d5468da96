/** Every test file that `npm test` leaves out because it takes long (`scripts/long-tests.mjs`). What they print passes as it comes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { prove } from './support/prove.ts';

const ROOT = join(import.meta.dirname, '../..');

await prove('long-tests', async () => {
  const only = (process.env['TURNPIKE_PROVE_FILES'] ?? '').split(',').filter((part) => part !== '');
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'test.mjs'), '--long', ...only], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, 'the lines above say which tests failed');
  return only.length === 0 ? 'every long test file passes' : `those of ${only.join(' and ')} pass`;
});
