/**
 * Goal: a server does not outlive a killed launcher. Method: the real launcher of `scripts/setup.mjs` over a small program that watches it
 * as `serve` does, and a kill that cannot be forwarded.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endWithLauncher, LAUNCHER_FILE } from './launcher.ts';

const root = mkdtempSync(join(tmpdir(), 'turnpike-launcher-'));
after(() => rmSync(root, { recursive: true }));

const launcherUrl = pathToFileURL(join(import.meta.dirname, 'launcher.ts')).href;
const setupUrl = pathToFileURL(join(import.meta.dirname, '..', '..', 'scripts', 'setup.mjs')).href;

/** The program runs `source` after it starts watching; the output of both is collected. */
function launch(source: string) {
  const folder = mkdtempSync(join(root, 'run-'));
  writeFileSync(
    join(folder, 'program.mjs'),
    `import { endWithLauncher } from ${JSON.stringify(launcherUrl)};
     endWithLauncher(process.env);
     ${source}`,
  );
  writeFileSync(
    join(folder, 'launcher.mjs'),
    `import { launch, runUnderRuntime } from ${JSON.stringify(setupUrl)};
     await launch(() => runUnderRuntime([${JSON.stringify(join(folder, 'program.mjs'))}]));`,
  );
  return spawn(process.execPath, [join(folder, 'launcher.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
}

test('a launcher killed with kill -9 ends the server as SIGTERM does', async () => {
  const launcher = launch(`
    process.on('SIGTERM', () => { console.log('draining'); process.exit(0); });
    setInterval(() => {}, 1000);
    console.log('ready');
  `);
  let output = '';
  launcher.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') launcher.kill('SIGKILL');
    output += text;
  });
  // Both have standard output open: it closes when the program has ended too.
  const [, signal] = await once(launcher, 'close');
  assert.equal(signal, 'SIGKILL');
  assert.equal(output, 'ready\ndraining\n');
});

test('the pipe does not keep a program running, leaves standard input to it and is not inherited', async () => {
  const launcher = launch(`
    let text = '';
    for await (const chunk of process.stdin) text += chunk;
    console.log(text, process.env.${LAUNCHER_FILE});
  `);
  launcher.stdin.end('typed');
  const [[code], output] = await Promise.all([once(launcher, 'close'), launcher.stdout.toArray()]);
  assert.equal(code, 0);
  assert.equal(Buffer.concat(output).toString(), 'typed undefined\n');
});

test('without a launcher, or with only its variable, nothing is watched', () => {
  endWithLauncher({});
  for (const text of ['', 'x', '-1', '99999']) endWithLauncher({ [LAUNCHER_FILE]: text });
});
