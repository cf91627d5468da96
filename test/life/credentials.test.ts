/**
 * Goal: what is sealed survives a rotation of the keys and every restart, and what cannot be opened is reported. Method: the whole
 * program opened again and again on one data folder, with the keys that a case leaves there.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, test } from 'node:test';
import { type App, openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { Secret } from '../../src/core/secret.ts';
import { signCall } from '../../src/providers/provider-fixture.ts';
import { openLog } from '../../src/telemetry/log.ts';

const CANARY = 'canary-credential-that-is-sealed';

let folder = '';
let app: App | null = null;
const log: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  log.length = 0;
});
afterEach(async () => {
  await app?.close();
  rmSync(folder, { recursive: true });
});

async function restart(environment: Readonly<Record<string, string>> = {}): Promise<App> {
  await app?.close();
  app = null;
  const file = { port: 0, dataFolder: join(folder, 'data'), demo: false };
  writeFileSync(join(folder, 'turnpike.yaml'), JSON.stringify(file));
  const { config } = loadConfig({ flags: {}, environment, cwd: folder });
  const destination = new Writable({
    write(line: Buffer, _encoding, done) {
      log.push(line.toString());
      done();
    },
  });
  app = await openApp(config, { log: openLog({ level: 'info', format: 'json', destination }) });
  return app;
}

async function withProvider(): Promise<App> {
  const opened = await restart();
  const credential = new Secret(CANARY);
  await opened.providers.create('mine', 'openai', {
    origin: 'http://127.0.0.1:9',
    options: {},
    credential,
    dialects: null,
    enabled: true,
    models: [{ upstream: 'm', id: 'mine/m', name: null, contextWindow: null, outputCap: null, price: 'free' }],
  });
  return opened;
}

interface Sealed {
  readonly data: {
    readonly older_keys: number;
    readonly under_active_key: number;
    readonly unopened: readonly string[];
  };
}

async function ask(method: 'GET' | 'POST', path: string): Promise<{ status: number; body: Sealed }> {
  const answer = await (app as App).control.inject({ method, url: path });
  return { status: answer.statusCode, body: answer.json() as Sealed };
}

function signedBy(opened: App): string | undefined {
  const provider = opened.gateway.providers.get('mine');
  return provider === undefined ? undefined : signCall(provider, 'openai-chat').headers['authorization'];
}

const ringPath = () => join(folder, 'data', 'sealing.key');

test('a provider of the dashboard is there after a restart, with its credential', async () => {
  await withProvider();
  const again = await restart();
  assert.equal(signedBy(again), `Bearer ${CANARY}`);
  assert.ok(again.gateway.catalog.get('mine/m') !== undefined);
  const [listed] = again.providers.list();
  assert.deepEqual(listed?.settings, [
    { upstream: 'm', id: 'mine/m', name: null, contextWindow: null, outputCap: null, price: 'free' },
  ]);
});

test('a rotation on the running program applies immediately, and after a restart', async () => {
  await withProvider();
  const before = readFileSync(ringPath(), 'utf8').trim();
  const { status, body } = await ask('POST', '/control/api/credentials/rotate');
  assert.equal(status, 200);
  assert.deepEqual([body.data.older_keys, body.data.under_active_key, body.data.unopened], [1, 1, []]);
  const [first, second] = readFileSync(ringPath(), 'utf8').split('\n');
  assert.notEqual(first, before);
  assert.ok(second?.startsWith(`${before} retired `));
  assert.equal(signedBy(await restart()), `Bearer ${CANARY}`);
  // The new key alone opens all of it.
  writeFileSync(ringPath(), `${first}\n`);
  assert.equal(signedBy(await restart()), `Bearer ${CANARY}`);
});

test('the next start completes a rotation that crashed after the new key was written', async () => {
  await withProvider();
  const old = readFileSync(ringPath(), 'utf8').trim();
  writeFileSync(ringPath(), `${'0123456789abcdef'.repeat(4)}\n${old} retired ${new Date().toISOString()}\n`);
  assert.equal(signedBy(await restart()), `Bearer ${CANARY}`);
  const { body } = await ask('GET', '/control/api/credentials');
  assert.deepEqual([body.data.under_active_key, body.data.unopened], [1, []]);
});

test('with another key the program starts, names what cannot be opened, and serves the rest', async () => {
  await withProvider();
  const old = readFileSync(ringPath(), 'utf8');
  writeFileSync(ringPath(), `${'0123456789abcdef'.repeat(4)}\n`);
  const opened = await restart();
  assert.ok(log.some((line) => line.includes('sealed_values_not_opened') && line.includes('provider:mine')));
  assert.deepEqual((await ask('GET', '/control/api/credentials')).body.data.unopened, ['provider:mine']);
  const [listed] = opened.providers.list();
  assert.match(listed?.problem ?? '', /cannot be decrypted/);
  assert.equal(opened.gateway.providers.has('mine'), false);
  assert.throws(() => opened.providers.callable('mine'), { code: 'conflict' });
  await assert.rejects(opened.providers.update('mine', { models: [] }), { code: 'invalid_value' });
  await opened.providers.update('mine', { enabled: false });
  await opened.providers.update('mine', {
    enabled: true,
    credential: new Secret('another one, no blanks'.replaceAll(' ', '-')),
  });
  assert.equal(signedBy(opened), 'Bearer another-one,-no-blanks');

  // What was sealed with the wrong key is lost with it; the old key does not help there.
  writeFileSync(ringPath(), old);
  assert.match((await restart()).providers.list()[0]?.problem ?? '', /cannot be decrypted/);
});

test('a key in the configuration replaces that of the file, and is not rotated here', async () => {
  await withProvider();
  const environment = { TURNPIKE_SEALING_KEY: 'fedcba9876543210'.repeat(4) };
  assert.equal(signedBy(await restart(environment)), `Bearer ${CANARY}`);
  const { body } = await ask('GET', '/control/api/credentials');
  assert.equal(body.data.under_active_key, 1);
  assert.equal((await ask('POST', '/control/api/credentials/rotate')).status, 409);
  rmSync(ringPath());
  assert.equal(signedBy(await restart(environment)), `Bearer ${CANARY}`);
});

test('no key and no credential is in the log or an answer', async () => {
  await withProvider();
  await ask('POST', '/control/api/credentials/rotate');
  const printed = JSON.stringify([log, await ask('GET', '/control/api/credentials')]);
  assert.ok(!printed.includes(CANARY));
  for (const key of readFileSync(ringPath(), 'utf8').match(/[0-9a-f]{64}/g) ?? []) assert.ok(!printed.includes(key));
});
