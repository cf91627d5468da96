/**
 * Goal: a database that cannot be used is refused with a sentence that says what to do, without its password. Method: real servers, each with
 * one thing wrong.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase, createEmptyDatabase, execute } from '../../../test/support/postgres/database.ts';
import { serverNames, serverUrl } from '../../../test/support/postgres/servers.ts';
import { ManualClock } from '../../core/clock.ts';
import { openWhole } from '../../core/open-whole.ts';
import { Secret } from '../../core/secret.ts';
import { checkServer } from './engine/check-server.ts';
import { openConnections } from './engine/connections.ts';
import { explainConnection } from './engine/explain-connection.ts';
import { openPostgresDatabase } from './open-database.ts';

const SECRETS = {
  pepper: new Secret('0123456789abcdef'.repeat(4)),
  sealingKey: new Secret('fedcba9876543210'.repeat(4)),
};

function open(url: string, changes: Partial<Parameters<typeof openPostgresDatabase>[0]> = {}) {
  return openWhole(async (closing) => {
    const opened = await openPostgresDatabase(
      {
        folder: '/no/such/folder',
        database: { url: new Secret(url), readUrl: null, connections: 4 },
        givenSecrets: SECRETS,
        clock: new ManualClock(Date.UTC(2026, 10, 21, 12)),
        version: '1.2.3',
        ...changes,
      },
      closing,
    );
    return opened;
  });
}

/** The message of the refusal, which has no password. */
async function refusal(url: string, changes: Parameters<typeof open>[1] = {}): Promise<string> {
  const error = await open(url, changes).then(
    async ({ connections }) => {
      await connections.close();
      return null;
    },
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error, 'it was opened');
  assert.equal(error.name, 'UnusableDatabase', String(error.stack));
  const { password } = new URL(url);
  assert.ok(password === '' || !error.message.includes(password), error.message);
  return error.message;
}

function changed(
  url: string,
  parts: Partial<Pick<URL, 'port' | 'hostname' | 'username' | 'password' | 'pathname'>>,
): string {
  return Object.assign(new URL(url), parts).href;
}

for (const name of serverNames) {
  const title = `PostgreSQL ${name}`;

  test(`${title}: an empty database is migrated, and opened again without a change`, async () => {
    const database = await createEmptyDatabase(name);
    try {
      const first = await open(database.url);
      const ring = first.secrets.sealingKeys.map(({ secret }) => secret.reveal());
      await first.connections.close();
      const again = await open(database.url);
      assert.deepEqual(
        again.secrets.sealingKeys.map(({ secret }) => secret.reveal()),
        ring,
      );
      await again.connections.close();
    } finally {
      await database.drop();
    }
  });

  test(`${title}: four programs that open an empty database at once migrate it once`, async () => {
    const database = await createEmptyDatabase(name);
    try {
      const opened = await Promise.all([1, 2, 3, 4].map(() => open(database.url)));
      const rings = opened.map(({ secrets }) => secrets.sealingKeys.map(({ secret }) => secret.reveal()).join());
      assert.equal(new Set(rings).size, 1);
      await Promise.all(opened.map(({ connections }) => connections.close()));
    } finally {
      await database.drop();
    }
  });

  test(`${title}: a server that cannot be reached is named`, async () => {
    const url = await serverUrl(name);
    assert.match(
      await refusal(changed(url, { port: '1' })),
      /^Nothing listens at 127\.0\.0\.1:1, .* Start PostgreSQL, or correct database\.url/,
    );
    assert.match(
      await refusal(changed(url, { hostname: 'no-such-host.invalid' })),
      /^The host of the database, no-such-host\.invalid:\d+, is not known to DNS\./,
    );
  });

  test(`${title}: a server without TLS is named if TLS is asked for`, async () => {
    const url = await serverUrl(name);
    for (const mode of ['require', 'verify-full'])
      assert.match(
        await refusal(`${url}?sslmode=${mode}`),
        /^PostgreSQL at 127\.0\.0\.1:\d+ has no TLS, .* Turn it on there \(ssl = on\), or write sslmode=disable in the URL/,
      );
  });

  test(`${title}: a wrong password, an unknown role and a database that does not exist have a sentence each`, async () => {
    const url = await serverUrl(name);
    assert.match(
      await refusal(changed(url, { password: 'wrong-secret' })),
      /refused the password of \w+\. Correct it in database\.url/,
    );
    assert.match(
      await refusal(changed(url, { pathname: '/no_such' })),
      /has no database no_such\. Create it: CREATE DATABASE "no_such" OWNER/,
    );
  });

  test(`${title}: a database that is read-only is refused`, async () => {
    const database = await createDatabase(name);
    try {
      await execute(database.url, `alter database ${database.name} set default_transaction_read_only = on`);
      assert.match(await refusal(database.url), /is read-only .* SET default_transaction_read_only = off;$/);
    } finally {
      await database.drop();
    }
  });

  test(`${title}: a role that may not create tables is refused with the statement that allows it`, async () => {
    const database = await createEmptyDatabase(name);
    const role = `${database.name}_role`;
    try {
      await execute(database.url, `create role ${role} login password 'pass-of-role'`);
      await execute(database.url, 'revoke create on schema public from public');
      const url = changed(database.url, { username: role, password: 'pass-of-role' });
      assert.match(
        await refusal(url),
        new RegExp(`^${role} may not create tables in the schema public .* GRANT ALL ON SCHEMA "public" TO "${role}"`),
      );
      await execute(database.url, `grant all on schema public to ${role}`);
      await execute(database.url, `grant create on database ${database.name} to ${role}`);
      await (await open(url)).connections.close();
    } finally {
      await database.drop();
      await execute(await serverUrl(name), `drop role ${role}`);
    }
  });

  test(`${title}: tables of another program, and an installation with other secrets, are not touched`, async () => {
    const foreign = await createEmptyDatabase(name);
    const ours = await createDatabase(name);
    try {
      await execute(foreign.url, 'create table accounts (id uuid primary key)');
      assert.match(
        await refusal(foreign.url),
        /has tables of another program.* Use a database, or a schema, of its own/,
      );
      await (await open(ours.url)).connections.close();
      const other = new Secret('1234567890abcdef'.repeat(4));
      assert.match(
        await refusal(ours.url, { givenSecrets: { ...SECRETS, pepper: other } }),
        /^This database belongs to an installation with another pepper \(TURNPIKE_PEPPER\)\. /,
      );
      assert.match(
        await refusal(ours.url, { givenSecrets: { ...SECRETS, sealingKey: other } }),
        /^This database belongs to an installation with another sealingKey \(TURNPIKE_SEALING_KEY\)\. /,
      );
      assert.match(
        await refusal(ours.url, { givenSecrets: { ...SECRETS, sealingKey: null } }),
        /sealingKey .* must be set/,
      );
      await (await open(ours.url)).connections.close();
    } finally {
      await foreign.drop();
      await ours.drop();
    }
  });

  test(`${title}: a second installation in another schema of a database is refused before it writes anything`, async () => {
    const database = await createDatabase(name);
    const role = `${database.name}_role`;
    try {
      await (await open(database.url)).connections.close();
      await execute(database.url, `create role ${role} login superuser password 'pass-of-role'`);
      await execute(database.url, `create schema other authorization ${role}`);
      await execute(database.url, `alter role ${role} set search_path = other`);
      const url = changed(database.url, { username: role, password: 'pass-of-role' });
      assert.match(
        await refusal(url),
        /^The database \w+ at .* has an installation of Turnpike in another schema than other, .* create another database\.$/,
      );
      const connections = await openConnections({ url, readUrl: null, connections: 1 });
      const { count } = await connections.query("select 1 from pg_class where relnamespace = 'other'::regnamespace");
      await connections.close();
      assert.equal(count, 0, 'nothing of it was made');
    } finally {
      await execute(await serverUrl(name), `drop owned by ${role}`).catch(() => undefined);
      await database.drop();
      await execute(await serverUrl(name), `drop role ${role}`);
    }
  });

  test(`${title}: settings with which money or changes would be lost are refused with the statement that corrects them`, async () => {
    const database = await createDatabase(name);
    try {
      await (await open(database.url)).connections.close();
      for (const [setting, value] of [
        ['default_transaction_isolation', "'repeatable read'"],
        ['default_transaction_isolation', 'serializable'],
        ['session_replication_role', 'replica'],
        ['synchronous_commit', 'off'],
        ['bytea_output', "'escape'"],
        ['standard_conforming_strings', 'off'],
        ['array_nulls', 'off'],
      ] as const) {
        await execute(database.url, `alter database ${database.name} set ${setting} = ${value}`);
        const sentence = await refusal(database.url);
        const [, statement] =
          /with which Turnpike cannot keep its promises\. Set it: (ALTER ROLE .*;)$/.exec(sentence) ?? [];
        assert.ok(statement !== undefined, sentence);
        assert.ok(statement.includes(setting), sentence);
        await execute(database.url, statement);
        await (await open(database.url)).connections.close();
        await execute(database.url, statement.replace(/ SET .*$/, ' RESET ALL'));
        await execute(database.url, `alter database ${database.name} reset all`);
      }
    } finally {
      await database.drop();
    }
  });

  test(`${title}: other settings of a role or a database change nothing`, async () => {
    const database = await createDatabase(name);
    try {
      for (const setting of [
        "datestyle = 'SQL, DMY'",
        "timezone = 'Pacific/Apia'",
        "intervalstyle = 'sql_standard'",
        "lc_messages = 'C'",
        'extra_float_digits = 0',
        'backslash_quote = on',
        'client_encoding = latin1',
        'idle_session_timeout = 100',
        'statement_timeout = 60000',
        'enable_indexscan = off',
        'transform_null_equals = on',
      ])
        await execute(database.url, `alter database ${database.name} set ${setting}`);
      const opened = await open(database.url);
      const { stores, connections } = opened;
      const name = 'Ünïcødé 🦜 \\ \u2028';
      const { id } = await stores.accounts.createAccount({ name, createdAt: 1_764_000_000_000 });
      const read = await stores.accounts.account(id);
      assert.deepEqual([read?.name, read?.createdAt], [name, 1_764_000_000_000]);
      await connections.close();
    } finally {
      await database.drop();
    }
  });

  test(`${title}: an older program runs on a newer schema, unless that has removed what it needs`, async () => {
    const database = await createDatabase(name);
    try {
      await (await open(database.url)).connections.close();
      await execute(database.url, "insert into migrations (name, timestamp) values ('9999_later', '')");
      await (await open(database.url)).connections.close();
      await execute(database.url, "update facts set value = '1.10.0' where name = 'oldest_program'");
      assert.match(
        await refusal(database.url, { version: '1.9.9' }),
        /^This database was last used by a newer version of Turnpike, and this one is 1\.9\.9\. Start 1\.10\.0 or a later one\.$/,
      );
      await (await open(database.url, { version: '1.10.0' })).connections.close();
    } finally {
      await database.drop();
    }
  });
}

const GOOD = {
  version: 180_004,
  is_standby: false,
  is_read_only: false,
  schema: 'public',
  may_create: true,
  encoding: 'UTF8',
  has_accounts: false,
  has_history: false,
  has_others_bodies: false,
  settings: { default_transaction_isolation: 'read committed', synchronous_commit: 'remote_apply' },
};
const URL_OF_NOTHING = 'postgres://ada:secret-word@db.example:6432/turnpike';

test('a certificate that is not trusted has a sentence', () => {
  for (const code of [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ]) {
    const { message } = explainConnection(Object.assign(new Error('it is not trusted'), { code }), URL_OF_NOTHING);
    assert.match(
      message,
      /^The certificate of PostgreSQL at db\.example:6432 is not trusted .* sslrootcert=.* NODE_EXTRA_CA_CERTS/,
    );
    assert.ok(!message.includes('secret-word'));
  }
});

test('a server that is too old, a standby, and an encoding that cannot store every text are refused', () => {
  checkServer(GOOD, URL_OF_NOTHING);
  checkServer({ ...GOOD, version: 150_000 }, URL_OF_NOTHING);
  for (const [change, message] of [
    [{ version: 140_022 }, /^PostgreSQL at db\.example:6432 is version 14; Turnpike needs 15 or later\. Upgrade it/],
    [{ is_standby: true }, /is a standby, .* Set database\.url \(DATABASE_URL\) to the primary/],
    [{ encoding: 'SQL_ASCII' }, /has the encoding SQL_ASCII\. Create one with UTF8/],
    [
      { settings: { synchronous_commit: 'off' } },
      /has synchronous_commit = off for ada in turnpike, .* Set it: ALTER ROLE "ada" IN/,
    ],
    [{ schema: null }, /has no schema that ada can use\. Create one: CREATE SCHEMA AUTHORIZATION "ada"/],
  ] as const)
    assert.throws(
      () => checkServer({ ...GOOD, ...change }, URL_OF_NOTHING),
      (error: Error) => {
        assert.match(error.message, message);
        return !error.message.includes('secret-word');
      },
    );
});
