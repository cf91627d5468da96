/**
 * Goal: the first key and the set-up link are shown, whatever goes wrong before; the start lists the configured providers. Method:
 * the program as an operator starts it, on a port that is taken, in a folder that cannot be written, with a broken configuration;
 * then as it should be. Each start costs a second of processor time, so one serves several assertions.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApp } from '../../src/app/app.ts';
import { balanceOf } from '../../src/billing/money-view.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { turnpike } from '../cli/process.ts';
import { childEnvironment } from '../support/child-environment.ts';

const CLI = join(import.meta.dirname, '../../src/cli.ts');
const KEY = /sk-tp-\w{10,}/;
const LINK = /\/setup#token=\S+/;

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Until it is ready, is ended, or has failed. */
function serve(
  cwd: string,
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const child = spawn(process.execPath, [CLI, 'serve', '--log-level', 'silent', ...flags], {
    cwd,
    env: childEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes;
      if (/turnpike \S+ +ready in/.test(output)) child.kill('SIGTERM');
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-first-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a start that fails leaves the first key and the link to the next one; each start names its providers, or asks for one', {
  timeout: 90_000,
}, async (context) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  context.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  await withFolder(async (folder) => {
    const busy = await serve(folder, ['--port', String(port)]);
    assert.equal(busy.code, 1);
    assert.match(busy.output, /EADDRINUSE.*--port/);
    assert.doesNotMatch(busy.output, KEY);

    // The control socket cannot be created because a folder has its name.
    mkdirSync(join(folder, 'data', 'control.sock'), { recursive: true });
    writeFileSync(join(folder, 'data', 'control.sock', 'x'), '');
    const blocked = await serve(folder, ['--port', '0']);
    assert.equal(blocked.code, 1);
    assert.doesNotMatch(blocked.output, KEY);
    rmSync(join(folder, 'data', 'control.sock'), { recursive: true });

    writeFileSync(join(folder, 'turnpike.yaml'), 'prot: 1\n');
    const misspelt = await turnpike(folder, 'serve', '--port', '0');
    assert.notEqual(misspelt.code, 0);
    assert.match(misspelt.notes, /prot: is not an option/);
    assert.doesNotMatch(misspelt.out + misspelt.notes, KEY);
    rmSync(join(folder, 'turnpike.yaml'));

    const good = await serve(folder, ['--port', '0']);
    assert.equal(good.code, 0);
    assert.match(good.output, KEY);
    assert.match(good.output, LINK);
    assert.match(good.output, /Add a real provider/);
    const next = await serveWithProviders(folder);
    assert.doesNotMatch(next.output, KEY, 'shown once');
    assert.match(next.output, LINK);
  });
});

/** Starts it with providers of the file and of the environment, which it names; it asks for none. */
async function serveWithProviders(folder: string): Promise<Run> {
  const origin = 'http://127.0.0.1:9';
  const providers = [
    { name: 'lab', kind: 'custom', origin, models: [{ upstream: 'm' }] },
    { name: 'empty', kind: 'custom', origin },
  ];
  writeFileSync(join(folder, 'turnpike.yaml'), JSON.stringify({ providers }));
  const run = await serve(folder, ['--port', '0'], { OPENAI_API_KEY: 'sk-canary-of-openai' });
  assert.doesNotMatch(run.output, /Add a real provider/);
  assert.match(run.output, /openai \(environment, https:\/\/api\.openai\.com\/v1\/responses\): \d+ models/);
  assert.match(run.output, /lab \(configuration file, http:\/\/127\.0\.0\.1:9\/v1\/[a-z/]+\): 1 model$/m);
  assert.match(run.output, /empty \(configuration file.*serves no models yet/);
  assert.doesNotMatch(run.output, /canary/);
  return run;
}

test('a process that ends before its first key was made, listening or not, leaves it to the next', async () => {
  await withFolder(async (cwd) => {
    const { config } = loadConfig({ flags: { port: '0', 'log-level': 'silent' }, environment: {}, cwd });
    for (const listens of [false, true]) {
      const app = await openApp(config);
      if (listens) await app.listen();
      await app.close();
    }
    const app = await openApp(config);
    const firstRun = await app.begin();
    assert.match(firstRun?.secret.reveal() ?? '', KEY);
    assert.equal(await app.begin(), null);
    const balance = await balanceOf(app.gateway.bank.money, firstRun?.account.id as never);
    assert.equal(balance?.balance, 5_000_000_000n, 'credited once');
    await app.close();
  });
});

/** A command whose standard output cannot be written: a full disk, or a closed reader. */
async function unread(cwd: string, words: readonly string[], output: 'full' | 'gone', untilNote = ''): Promise<Run> {
  const full = output === 'full' ? openSync('/dev/full', 'w') : 'pipe';
  const child = spawn(process.execPath, [CLI, ...words], {
    cwd,
    env: childEnvironment({}),
    stdio: ['ignore', full, 'pipe'],
  });
  child.stdout?.destroy();
  if (full !== 'pipe') closeSync(full);
  let notes = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    notes += bytes;
    if (untilNote !== '' && notes.includes(untilNote)) child.kill('SIGTERM');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: notes };
}

test('a first key that cannot be shown is taken back, and the next start makes one', { timeout: 90_000 }, async () => {
  const SERVE = ['serve', '--port', '0', '--log-level', 'silent'];
  await withFolder(async (folder) => {
    for (const output of ['full', 'gone'] as const) {
      const { code, output: notes } = await unread(folder, SERVE, output);
      assert.equal(code, 1, notes);
      assert.match(notes, /^turnpike: standard output could not be written \(.*next start creates one\n$/, 'one line');
    }
    const good = await serveWithProviders(folder);
    assert.match(good.output, KEY);
    assert.match(good.output, / with \$5 credit,/, 'given once');
    // Nothing is lost with the output of a later start.
    const later = await unread(folder, SERVE, 'full', 'serves all the same');
    assert.equal(later.code, 0, later.output);
    assert.match(later.output, /serves all the same/);
  });
});

test('a command creates no first key, whether it succeeds or fails', { timeout: 90_000 }, async () => {
  await withFolder(async (folder) => {
    for (const words of [
      ['providers', 'add', 'bad name', '--kind', 'nosuch'],
      ['providers', 'add', 'lab', '--origin', 'http://127.0.0.1:9', '--models', 'm', '--dialects', 'openai-chat'],
      ['keys', 'create', '--project', 'nosuch'],
    ]) {
      const { out, notes } = await turnpike(folder, ...words);
      assert.doesNotMatch(out + notes, KEY, words.join(' '));
    }
    const { config } = loadConfig({ flags: { port: '0', 'log-level': 'silent' }, environment: {}, cwd: folder });
    const app = await openApp(config);
    const firstRun = await app.begin();
    await app.close();
    assert.match(firstRun?.secret.reveal() ?? '', KEY, 'the next start makes it');
  });
  await withFolder(async (folder) => {
    const { code, output } = await unread(folder, ['keys', 'create'], 'full');
    assert.equal(code, 1);
    assert.match(output, /\nturnpike: the result could not be written: ENOSPC[^\n]*\n$/);
    assert.doesNotMatch(output, /node:|at Socket/);
  });
});
