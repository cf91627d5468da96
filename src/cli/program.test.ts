/** Goal: a command in a message works where the message is printed. Method: folders and search paths. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { programFrom } from './program.ts';

const root = mkdtempSync(join(tmpdir(), 'turnpike-program-'));
after(() => rmSync(root, { recursive: true }));
const checkout = join(root, 'checkout');
const installed = join(root, 'bin');
const ofNpm = join(checkout, 'node_modules', '.bin');
for (const folder of [installed, ofNpm]) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'turnpike'), '');
}

test('it is the bare name if the shell finds it, npx within a checkout, otherwise the path', () => {
  const path = join(checkout, 'bin', 'turnpike.js');
  for (const [PATH, cwd, name, serve] of [
    [`/nowhere:${installed}`, root, 'turnpike', 'turnpike serve'],
    [installed, checkout, 'turnpike', 'turnpike serve'],
    [ofNpm, checkout, 'npx --no turnpike', 'npm start'],
    [undefined, join(checkout, 'docs'), 'npx --no turnpike', 'npm start'],
    [`${ofNpm}:/nowhere`, root, path, `${path} serve`],
    ['', `${checkout}-2`, path, `${path} serve`],
  ] as const)
    assert.deepEqual(programFrom({ environment: { PATH }, cwd, checkout }), { name, serve }, cwd);
});
