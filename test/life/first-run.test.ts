/**
 * Goal: the first key and the set-up link are shown, whatever goes wrong before; the start says whom calls can be sent to. Method:
 * the program as an operator starts it, on a port that is taken, in a folder that cannot be written, with a broken configuration;
 * then as it should be.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { childEnvironment } from '../support/child-environment.ts';

const CLI = join(import.meta.dirname, '../../src/cli.ts');
const KEY = /sk-tp-\w{10,}/;
const LINK = /\/setup#token=\S+/;

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Until it is ready, when it is ended, or has failed. */
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

test('a start that fails, for whatever reason, leaves the first key and the link to the next one', {
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

    // The control socket cannot be made where a folder stands.
    mkdirSync(join(folder, 'data', 'control.sock'), { recursive: true });
    writeFileSync(join(folder, 'data', 'control.sock', 'x'), '');
    const blocked = await serve(folder, ['--port', '0']);
    assert.equal(blocked.code, 1);
    assert.doesNotMatch(blocked.output, KEY);
    rmSync(join(folder, 'data', 'control.sock'), { recursive: true });

    writeFileSync(join(folder, 'turnpike.yaml'), 'prot: 1\n');
    const misspelt = await serve(folder, ['--port', '0']);
    assert.notEqual(misspelt.code, 0);
    assert.doesNotMatch(misspelt.output, KEY);
    rmSync(join(folder, 'turnpike.yaml'));

    const good = await serve(folder, ['--port', '0']);
    assert.equal(good.code, 0);
    assert.match(good.output, KEY);
    assert.match(good.output, LINK);
    const next = await serve(folder, ['--port', '0']);
    assert.doesNotMatch(next.output, KEY, 'shown once');
    assert.match(next.output, LINK);
  });
});

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
    assert.equal(app.gateway.bank.balanceOf(firstRun?.account.id as never)?.balance, 5_000_000_000n, 'credited once');
    await app.close();
  });
});

test('the start names the providers that are configured, and asks for one only where there is none', {
  timeout: 60_000,
}, async () => {
  await withFolder(async (folder) => {
    const bare = await serve(folder, ['--port', '0', '--data', 'bare']);
    assert.match(bare.output, /Add a real provider/);
    writeFileSync(
      join(folder, 'turnpike.yaml'),
      JSON.stringify({
        providers: [
          { name: 'lab', kind: 'custom', origin: 'http://127.0.0.1:9', models: [{ upstream: 'm' }] },
          { name: 'empty', kind: 'custom', origin: 'http://127.0.0.1:9' },
        ],
      }),
    );
    const environment = { OPENAI_API_KEY: 'sk-canary-of-openai' };
    for (const isFirst of [true, false]) {
      const { output } = await serve(folder, ['--port', '0'], environment);
      assert.equal(KEY.test(output), isFirst);
      assert.doesNotMatch(output, /Add a real provider/);
      assert.match(output, /openai \(environment, https:\/\/api\.openai\.com\): \d+ models/);
      assert.match(output, /lab \(configuration file, http:\/\/127\.0\.0\.1:9\): 1 model$/m);
      assert.match(output, /empty \(configuration file.*serves no model yet/);
      assert.doesNotMatch(output, /canary/);
    }
  });
});
