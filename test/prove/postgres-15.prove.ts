/** Every test of what is stored in PostgreSQL, on PostgreSQL 15: `npm test` runs them on the newest, and a short one on this. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { installedMajors } from '../support/postgres/installations.ts';
import { TESTED_MAJOR } from '../support/postgres/servers.ts';
import { prove } from './support/prove.ts';

const MAJOR = 15;
const ROOT = join(import.meta.dirname, '../..');
/** What a test file imports that asks which server to use. */
const SERVERS = /support\/postgres\/servers\.ts'/;

await prove('postgres-15', async () => {
  assert.ok(installedMajors().includes(MAJOR), `PostgreSQL ${MAJOR} is not installed here: apt-get install postgresql`);
  const only = (process.env['TURNPIKE_PROVE_FILES'] ?? '').split(',');
  const files = globSync('{src,test}/**/*.test.ts', { cwd: ROOT })
    .filter((file) => SERVERS.test(readFileSync(join(ROOT, file), 'utf8')))
    .filter((file) => only.some((part) => file.includes(part)))
    .sort();
  assert.ok(files.length > 0, `no test file's path contains ${only.join(' or ')}`);
  const { code, passed, output } = await run(files);
  if (code !== 0) process.stdout.write(output);
  assert.equal(code, 0, 'tests failed');
  assert.match(output, new RegExp(`PostgreSQL ${MAJOR}`), 'the tests name the server that they ran on');
  return `${passed} tests of ${files.length} files pass on PostgreSQL ${MAJOR}`;
});

async function run(files: readonly string[]) {
  const flags = ['--test', '--test-timeout=120000', '--test-concurrency=2', '--test-reporter=spec'];
  const child = spawn(process.execPath, [...flags, ...files], {
    cwd: ROOT,
    env: { ...process.env, TEST_DATABASE_URL: undefined, [TESTED_MAJOR]: String(MAJOR) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code: code as number | null, passed: Number(/^ℹ pass (\d+)$/m.exec(output)?.[1] ?? 0), output };
}
