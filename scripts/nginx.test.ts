/** Goal: the proofs that need nginx have one, or say what to install. Method: a project with nginx on PATH, and one without any program. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface Found {
  readonly server: string | null;
  readonly libraries: readonly string[];
  readonly problem: string | null;
}

interface Nginx {
  prepareNginx(folder: string, environment: Readonly<Record<string, string>>): Found;
}

const { prepareNginx } = (await import(pathToFileURL(join(import.meta.dirname, 'nginx.mjs')).href)) as Nginx;
const root = mkdtempSync(join(tmpdir(), 'turnpike-nginx-'));
after(() => rmSync(root, { recursive: true }));

test('nginx on PATH is used as it is', () => {
  const server = join(root, 'bin', 'nginx');
  mkdirSync(join(root, 'bin'));
  writeFileSync(server, '');
  assert.deepEqual(prepareNginx(root, { PATH: join(root, 'bin') }), { server, libraries: [], problem: null });
});

test('without any, the problem says what to install, and nothing is left behind', () => {
  const { server, problem } = prepareNginx(root, { PATH: join(root, 'empty') });
  assert.equal(server, null);
  assert.match(problem ?? '', /apt-get install nginx.*apt-get could not be run/);
  assert.deepEqual(readdirSync(join(root, '.cache')), []);
});
