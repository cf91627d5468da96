/**
 * Goal: the passwords in the URLs of the database and of Valkey appear nowhere. Method: the real program and its commands with right, wrong
 * and malformed URLs, on a real PostgreSQL and a real Redis, also after these have gone; then everything that was printed, answered, measured
 * and stored is searched.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '../src/core/clock.ts';
import { childEnvironment } from './support/child-environment.ts';
import { control } from './support/control.ts';
import { type ConfigFile, chatBody } from './support/open-gateway.ts';
import { administer, createDatabase, execute, type TestDatabase } from './support/postgres/database.ts';
import { type ServerName, serverNames } from './support/postgres/servers.ts';
import { type RedisServer, startRedis } from './support/redis-server.ts';
import { type Installation, newInstallation, type ServeProcess, startServer } from './support/serve-process.ts';

const SERVER: ServerName = serverNames[0] ?? 18;
const ROLE = 'turnpike_canary';
/** With what an address has to escape, and what an error message would quote. */
const SECRETS = {
  'the password of the database': 'canary/of:a@database?right',
  'a wrong password of the database': 'canary/of:a@database?wrong',
  'the password of Valkey': 'canary/of:a@valkey?right',
  'a wrong password of Valkey': 'canary/of:a@valkey?wrong',
  'the pepper': '0123456789abcdef'.repeat(4),
  'the master key': 'fedcba9876543210'.repeat(4),
  'the credential of a damaged row': 'canary-credential-of-a-row',
} as const;
const DATABASE = SECRETS['the password of the database'];
const DATABASE_WRONG = SECRETS['a wrong password of the database'];
const VALKEY = SECRETS['the password of Valkey'];
const VALKEY_WRONG = SECRETS['a wrong password of Valkey'];
const MASTER = { pepper: SECRETS['the pepper'], sealingKey: SECRETS['the master key'] };
const CLI = join(import.meta.dirname, '../src/cli.ts');

let database: TestDatabase;
let redis: RedisServer;
const servers: ServeProcess[] = [];
/** By where it was. */
const seen: [string, string][] = [];

before(async () => {
  database = await createDatabase(SERVER);
  await administer(SERVER, async ({ query }) => {
    await query(`drop role if exists ${ROLE}`);
    await query(`create role ${ROLE} login superuser password '${DATABASE}'`);
  });
  redis = await startRedis();
  await redis.client.config('SET', 'requirepass', VALKEY);
});
after(async () => {
  for (const server of servers) await server.remove();
  await database?.drop();
  await administer(SERVER, ({ query }) => query(`drop role if exists ${ROLE}`));
  await redis?.close();
});

function databaseUrl(password: string): string {
  const url = new URL(database.url);
  url.username = ROLE;
  url.password = encodeURIComponent(password);
  return url.href;
}

const valkeyUrl = (password: string) => `redis://:${encodeURIComponent(password)}@127.0.0.1:${redis.port}`;

const fileOf = (url: string, valkey: string): ConfigFile => ({
  ...MASTER,
  log: { level: 'trace' },
  database: { url },
  valkey: { url: valkey },
});

/** Runs a command in an installation and keeps what it prints; resolves to its exit code. */
async function run({ folder }: Installation, words: string, environment: Readonly<Record<string, string>> = {}) {
  const env = childEnvironment({ PORT: '0', ...environment });
  const child = spawn(process.execPath, [CLI, ...words.split(' ')], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
  const [code] = (await once(child, 'close')) as [number | null];
  seen.push([`turnpike ${words}`, output]);
  return { code, output };
}

async function look(server: ServeProcess, when: string): Promise<void> {
  for (const path of ['/health', '/health/ready', '/metrics', '/openapi.json']) {
    const answer = await fetch(server.url + path);
    seen.push([`${path} ${when}`, await answer.text()]);
  }
  const call = await fetch(`${server.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...chatBody(false), model: 'demo/echo' }),
  });
  seen.push([`a call ${when}`, await call.text()]);
  for (const path of ['status', 'nodes', 'load', 'records', 'people', 'ledger/verification'])
    seen.push([`${path} ${when}`, JSON.stringify(await control(server.dataFolder, 'GET', `/control/api/${path}`))]);
  await run(server, 'doctor');
}

test('a server with the right passwords, before and after what it needs has gone', { timeout: 100_000 }, async () => {
  const server = await startServer(fileOf(databaseUrl(DATABASE), valkeyUrl(VALKEY)));
  servers.push(server);
  await look(server, 'while all is well');
  assert.equal((await fetch(`${server.url}/health/ready`)).status, 200);
  for (const words of ['config check', 'config check --json', 'status']) await run(server, words);
  // Both refuse what was right: every connection of the server ends, and none begins.
  await administer(SERVER, async ({ query }) => {
    await query(`alter role ${ROLE} password 'another'`);
    await query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [ROLE]);
  });
  await redis.client.config('SET', 'requirepass', 'another');
  await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  for (let look = 0; look < 200 && !/pulse_failed/.test(server.printed()); look += 1) await pause(50);
  assert.match(server.printed(), /pulse_failed/);
  await look(server, 'without them');
  server.process.kill('SIGKILL');
  await administer(SERVER, ({ query }) => query(`alter role ${ROLE} password '${DATABASE}'`));
  await redis.client.config('SET', 'requirepass', VALKEY);
});

test('a server with rows that cannot be read', { timeout: 100_000 }, async () => {
  const broken = SECRETS['the credential of a damaged row'];
  const damaged = `{"credential":"${broken}"`;
  await execute(
    database.url,
    `insert into providers (name, kind, settings, enabled, created_at, updated_at) values ('damaged', 'openai', '${damaged}', 1, 1, 1)`,
  );
  await execute(
    database.url,
    "insert into sealing_keys (id, wrapped, created_at, retired_at) values (decode(repeat('00', 16), 'hex'), '\\x00', 1, 2)",
  );
  const server = await startServer(fileOf(databaseUrl(DATABASE), valkeyUrl(VALKEY)));
  servers.push(server);
  assert.match(server.printed(), /row_unreadable/);
  await look(server, 'with damaged rows');
  assert.ok(seen.some(([, text]) => text.includes('The row of provider damaged in the database cannot be read')));
});

test('a database that refuses the password, or cannot be read as an address', { timeout: 100_000 }, async () => {
  const refused = await newInstallation(fileOf(databaseUrl(DATABASE_WRONG), valkeyUrl(VALKEY)));
  const { code, output } = await run(refused, 'serve');
  assert.notEqual(code, 0);
  assert.match(output, new RegExp(`refused the password of ${ROLE}`));
  await run(refused, 'doctor');
  for (const url of [
    databaseUrl(DATABASE_WRONG).replace('postgres:', 'mysql:'),
    databaseUrl(DATABASE_WRONG).replace(/:\d+\//, ':none/'),
    `${databaseUrl(DATABASE_WRONG)}?sslmode=whatever`,
    `postgres://${ROLE}:${DATABASE_WRONG}`,
  ]) {
    for (const words of ['config check', 'doctor']) await run(refused, words, { DATABASE_URL: url });
    writeFileSync(join(refused.folder, 'turnpike.yaml'), JSON.stringify({ ...fileOf(url, `${url}${VALKEY_WRONG}`) }));
    await run(refused, 'serve');
  }
});

test('a Valkey that refuses the password', { timeout: 100_000 }, async () => {
  const server = await startServer(fileOf(databaseUrl(DATABASE), valkeyUrl(VALKEY_WRONG)));
  servers.push(server);
  for (let look = 0; look < 200 && !/counts_not_exchanged/.test(server.printed()); look += 1) await pause(50);
  assert.match(server.printed(), /counts_not_exchanged/);
  await look(server, 'with a wrong password');
});

test('none of it has a password', () => {
  for (const server of servers) {
    seen.push(['the output', server.printed()]);
    for (const path of filesOf(server.dataFolder)) seen.push([path, readFileSync(path, 'latin1')]);
  }
  assert.ok(seen.length > 40, 'there is something to search');
  const found = seen.flatMap(([place, text]) =>
    Object.entries(SECRETS)
      .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
      .map(([name]) => `${name} in ${place}`),
  );
  assert.deepEqual([...new Set(found)], []);
});

test('the search finds a password in an address', () => {
  for (const secret of Object.values(SECRETS))
    assert.ok(formsOf(secret).some((form) => databaseUrl(secret).includes(form)));
});

/** Between two looks. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => systemClock.after(ms, resolve));
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const plain = [secret, encodeURIComponent(secret), encodeURIComponent(encodeURIComponent(secret))];
  return [...plain, bytes.toString('hex'), bytes.toString('base64').slice(0, -4)];
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
