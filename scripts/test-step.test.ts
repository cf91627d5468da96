/**
 * Goal: test files that share a process do not affect each other, and none can hang `npm test` or hide what it left open.
 * Method: made-up files, run as `npm test` runs them.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from '../test/support/child-environment.ts';

interface TestStep {
  runStep(
    folder: string,
    step: { readonly name: string; readonly parameters: readonly string[]; readonly files: readonly string[] },
    environment: Readonly<Record<string, string>>,
    fileTimeoutMs?: number,
  ): Promise<{ readonly passed: boolean; readonly output: string }>;
}

const { runStep } = (await import(pathToFileURL(join(import.meta.dirname, 'test-step.mjs')).href)) as TestStep;

const folder = mkdtempSync(join(tmpdir(), 'turnpike-step-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function run(sources: readonly string[], fileTimeoutMs?: number) {
  const files = sources.map((source, at) => {
    const file = `file-${at}.test.js`;
    writeFileSync(join(folder, file), `const { after, beforeEach, test } = require('node:test');\n${source}`);
    return file;
  });
  return runStep(folder, { name: 'made up', parameters: [], files }, childEnvironment(), fileTimeoutMs);
}

/** Prints what happens, so that the order can be read. */
const says = (what: string) => `console.log('says ${what}')`;
const said = (output: string) => [...output.matchAll(/^says (\w+)$/gm)].map(([, what]) => what);

test('top-level hooks of a file apply to that file alone, and the next is imported when it is over', async () => {
  const { passed, output } = await run([
    `${says('imported')}; beforeEach(() => ${says('each')}); after(() => ${says('after')}); test('one', () => {});`,
    `${says('next')}; test('two', () => {});`,
  ]);
  assert.equal(passed, true, output);
  assert.deepEqual(said(output), ['imported', 'each', 'after', 'next']);
});

test('a test that fails and a file that cannot be imported fail the step; the files after them run', async () => {
  for (const source of ["test('fails', () => { throw new Error('no'); });", "throw new Error('no');"]) {
    const { passed, output } = await run([source, `test('runs', () => ${says('ran')});`]);
    assert.equal(passed, false, output);
    assert.match(output, /Error: no/);
    assert.deepEqual(said(output), ['ran']);
  }
});

test('a file in an endless loop is ended and named, with those that did not run', async () => {
  const { passed, output } = await run(["test('one', () => {});", 'while (true);', "test('two', () => {});"], 2000);
  assert.equal(passed, false);
  assert.match(output, /^file-1\.test\.js did not end within 2 s/m);
  assert.match(output, /^These did not run: file-2\.test\.js$/m);
});
