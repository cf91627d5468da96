/**
 * Goal: whatever is wrong with a database, `serve` and `doctor` say it in a sentence that says what to do, without a stack or a password, and
 * change nothing. Method: the real program, on a real server with one thing wrong.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openConnections } from '../../src/storage/postgres/engine/connections.ts';
import { childEnvironment } from '../support/child-environment.ts';
import {
  administer,
  createDatabase,
  createEmptyDatabase,
  execute,
  type TestDatabase,
} from '../support/postgres/database.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { type Installation, newInstallation } from '../support/serve-process.ts';

const SERVER = serverNames[0] ?? 18;
const PASSWORD = 'canary-of-a-database-role';
const SECRETS = { pepper: '0123456789abcdef'.repeat(4), sealingKey: 'fedcba9876543210'.repeat(4) };
const CLI = join(import.meta.dirname, '../../src/cli.ts');

describe(`PostgreSQL ${SERVER}: what is wrong is said in a sentence`, () => {
  let database: TestDatabase;
  let empty: TestDatabase;
  let role: string;
  let installation: Installation;
  before(async () => {
    database = await createDatabase(SERVER);
    empty = await createEmptyDatabase(SERVER);
    role = `${database.name}_role`;
    await execute(database.url, `create role ${role} login password '${PASSWORD}'`);
    installation = await newInstallation(SECRETS);
  });
  after(async () => {
    await rm(installation.folder, { recursive: true, force: true });
    await database.drop();
    await empty.drop();
    await administer(SERVER, ({ query }) => query(`drop role if exists ${role}`));
  });

  const urlOf = ({ url }: TestDatabase, changes: Partial<Pick<URL, 'port' | 'username' | 'password'>>) =>
    Object.assign(new URL(url), changes).href;
  const asRole = (of: TestDatabase) => urlOf(of, { username: role, password: PASSWORD });

  async function run(command: string, environment: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, [CLI, ...command.split(' ')], {
      cwd: installation.folder,
      env: childEnvironment({ PORT: '0', ...environment }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }

  /** Both commands fail with this sentence. */
  async function refused(sentence: RegExp, url: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const environment = { DATABASE_URL: url, ...more };
    const [served, doctor] = [await run('serve', environment), await run('doctor', environment)];
    for (const [command, { code, output }] of [['serve', served] as const, ['doctor', doctor] as const]) {
      assert.ok(code !== 0 && code !== null, `${command}: ${output}`);
      const said = output.split('\n').filter((line) => sentence.test(line));
      assert.equal(said.length, 1, `${command} says it once: ${output}`);
      assert.doesNotMatch(output, /^\s+at |UnusableDatabase|Error:/m, `${command} prints no stack`);
      for (const secret of [new URL(url).password, PASSWORD, ...Object.values(SECRETS)])
        assert.ok(!output.includes(secret), `${command} prints no secret`);
    }
  }

  test('nothing listens at the address', () =>
    refused(
      /Nothing listens at 127\.0\.0\.1:1, .*Start PostgreSQL, or correct database\.url/,
      urlOf(database, { port: '1' }),
    ));

  test('the password is wrong', () =>
    refused(
      /refused the password of \w+\. Correct it in database\.url/,
      urlOf(database, { password: 'canary-wrong' }),
    ));

  test('the database is read-only', async () => {
    await execute(database.url, `alter database ${database.name} set default_transaction_read_only = on`);
    try {
      await refused(/is read-only .* SET default_transaction_read_only = off;/, database.url);
    } finally {
      await administer(SERVER, ({ query }) =>
        query(`alter database ${database.name} reset default_transaction_read_only`),
      );
    }
  });

  test('the role may not create tables', async () => {
    await execute(empty.url, 'revoke create on schema public from public');
    await refused(/may not create tables in the schema public .* GRANT ALL ON SCHEMA "public"/, asRole(empty));
  });

  test('the role has no connection left', async () => {
    await administer(SERVER, ({ query }) => query(`alter role ${role} connection limit 0`));
    try {
      await refused(
        /has no free connection \(.*\)\. Raise max_connections there, or lower database\.connections/,
        asRole(database),
      );
    } finally {
      await administer(SERVER, ({ query }) => query(`alter role ${role} connection limit -1`));
    }
  });

  test('the role has a time limit for statements that is too short', async () => {
    const connections = await openConnections({ url: database.url, readUrl: null, connections: 1 });
    const holder = await connections.control.acquire();
    try {
      await administer(SERVER, async ({ query }) => {
        await query(`alter role ${role} superuser`);
        await query(`alter role ${role} set statement_timeout = '300ms'`);
      });
      // What makes a statement slow here is a lock.
      await holder.query('begin');
      await holder.query('lock table migrations');
      await refused(
        /ended a statement after its time limit\. .* ALTER ROLE ".*" RESET statement_timeout;/,
        asRole(database),
      );
    } finally {
      holder.release(true);
      await connections.close();
      await administer(SERVER, ({ query }) => query(`alter role ${role} reset statement_timeout`));
    }
  });

  test('the secrets are those of another installation', async () => {
    // The first start writes what identifies them.
    const first = await run('nodes', { DATABASE_URL: database.url });
    assert.equal(first.code, 0, first.output);
    await refused(/pepper.* other nodes have/, database.url, { TURNPIKE_PEPPER: '89abcdef01234567'.repeat(4) });
  });

  test('a replica for reports that is away is named where the ledger is verified, and the database is read', async () => {
    const away = urlOf(database, { port: '1' });
    const { code, output } = await run('ledger verify', {
      DATABASE_URL: database.url,
      TURNPIKE_DATABASE_READ_URL: away,
    });
    assert.equal(code, 0, output);
    assert.match(
      output,
      /^Read from the database instead of the replica\. Nothing listens at 127\.0\.0\.1:1, .*, or correct database\.readUrl \(TURNPIKE_DATABASE_READ_URL\)\.\nThe ledger is correct: /m,
    );
  });

  test('a newer version has removed what this one needs', async () => {
    await execute(database.url, "update facts set value = '99.0.0' where name = 'oldest_program'");
    await refused(/last used by a newer version of Turnpike.* Start 99\.0\.0 or a later one/, database.url);
  });

  test('a database without a schema is no mistake: `doctor` says that the first start creates it', async () => {
    const { output } = await run('doctor', { DATABASE_URL: empty.url });
    assert.match(output, /schema: none yet; the first start creates it/);
  });
});
