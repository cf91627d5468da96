/** Every test of what is stored in PostgreSQL, on PostgreSQL 15: `npm test` runs them on the newest, and a short one on this. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedMajors } from '../support/postgres/installations.ts';
import { TESTED_MAJOR } from '../support/postgres/servers.ts';
import { prove } from './support/prove.ts';
import { runTestFiles } from './support/run-test-files.ts';

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
  const { passed, output } = await runTestFiles(files, { TEST_DATABASE_URL: undefined, [TESTED_MAJOR]: String(MAJOR) });
  assert.match(output, new RegExp(`PostgreSQL ${MAJOR}`), 'the tests name the server that they ran on');
  return `${passed} tests of ${files.length} files pass on PostgreSQL ${MAJOR}`;
});
