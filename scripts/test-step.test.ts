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
  whatFailed(output: string): string;
}

const { runStep, whatFailed } = (await import(
  pathToFileURL(join(import.meta.dirname, 'test-step.mjs')).href
)) as TestStep;

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

test('what failed is said again with its place and error, without the tests that passed', async () => {
  const { output } = await run([
    "test('good', () => {}); test('bad', () => { throw new Error('of bad'); });",
    "test('worse', () => { throw new Error('of worse'); });",
  ]);
  const failed = whatFailed(output);
  for (const part of ['file-0.test.js:2', '✖ bad', 'Error: of bad', '✖ worse', 'Error: of worse']) {
    assert.ok(failed.includes(part), `${part} is not in ${failed}`);
  }
  assert.doesNotMatch(failed, /good|node:internal/);
  assert.match(whatFailed('a type error\n'), /a type error/);
});

test('a file in an endless loop is ended and named, with those that did not run', async () => {
  const { passed, output } = await run(["test('one', () => {});", 'while (true);', "test('two', () => {});"], 2000);
  assert.equal(passed, false);
  assert.match(output, /^file-1\.test\.js did not end within 2 s/m);
  assert.match(output, /^These did not run: file-2\.test\.js$/m);
});

const seen = (event: string) => `await new Promise((over) => process.once('${event}', over));`;
/** Each fails with an error of this name, which no caller of the test's function sees. */
const LATE = {
  timer: `setTimeout(() => { throw new Error('of timer'); }, 1); ${seen('uncaughtExceptionMonitor')}`,
  rejection: `(async () => { ${seen('turn')} throw new Error('of rejection'); })();
    setImmediate(() => process.emit('turn')); ${seen('unhandledRejection')}`,
  connection: `const server = require('node:net').createServer(() => { throw new Error('of connection'); }).listen(0);
    const client = require('node:net').connect(server.address().port);
    ${seen('uncaughtExceptionMonitor')} client.destroy(); server.close();`,
};

test('an error outside of every promise that a test waits for fails this test, within its suite and file', async () => {
  const tests = Object.entries(LATE).map(([name, work]) => `test('${name}', async () => { ${work} });`);
  const { passed, output } = await run([
    `const { suite } = require('node:test'); suite('outer', () => { ${tests.join('\n')} test('good', () => {}); });`,
    `test('early', () => { setTimeout(() => { throw new Error('of early'); }, 5); });
     test('waits', async () => { ${seen('uncaughtExceptionMonitor')} });`,
  ]);
  assert.equal(passed, false);
  const outline = output.split('\n').flatMap((line) => /^ *[▶✔✖] [\w.-]+/.exec(line)?.[0] ?? []);
  const expected = ['▶ file-0.test.js', '  ▶ outer', ...Object.keys(LATE).map((name) => `    ✖ ${name}`), '    ✔ good'];
  assert.deepEqual(outline.slice(0, expected.length), expected, output);
  for (const name of Object.keys(LATE)) assert.match(output, new RegExp(`✖ ${name} .*\\n +Error: of ${name}\\n`));
  assert.match(output, /Test "early" at file-1\.test\.js:2:1 generated asynchronous activity after the test ended/);
});
