/** A fresh database for a test, with this program's schema, made from a template. */
import { createHash, randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { openConnections, type PostgresConnections } from '../../../src/storage/postgres/engine/connections.ts';
import { NodePostgresDialect } from '../../../src/storage/postgres/engine/kysely-dialect.ts';
import { PostgresTransactions } from '../../../src/storage/postgres/engine/transactions.ts';
import { migratePostgres } from '../../../src/storage/postgres/migrations/migrate.ts';
import type { Schema } from '../../../src/storage/sql/schema.ts';
import { type ServerName, serverUrl } from './servers.ts';

export interface TestDatabase {
  /** Of its owner, a superuser. */
  readonly url: string;
  readonly name: string;
  /** Ends its connections and removes it. */
  drop(): Promise<void>;
}

/** With the schema. */
export async function createDatabase(server: ServerName): Promise<TestDatabase> {
  return create(server, await templateOn(server));
}

/** With the schema, on a server of the test's own. */
export async function createDatabaseAt(serverUrl: string): Promise<TestDatabase> {
  const name = `turnpike_test_${randomBytes(8).toString('hex')}`;
  const url = urlOf(serverUrl, name);
  await execute(serverUrl, `create database ${name}`);
  await migrateAt(url);
  return { name, url, drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`) };
}

/** Without a table. */
export function createEmptyDatabase(server: ServerName): Promise<TestDatabase> {
  return create(server, 'template0');
}

/** Statements as the superuser, in the server's own database. */
export async function administer<Result>(
  server: ServerName,
  work: (connections: PostgresConnections) => Promise<Result>,
): Promise<Result> {
  const connections = await openConnections({ url: await serverUrl(server), readUrl: null, connections: 1 });
  try {
    return await work(connections);
  } finally {
    await connections.close();
  }
}

/** One statement as the owner of a database. */
export async function execute(url: string, statement: string): Promise<void> {
  const connections = await openConnections({ url, readUrl: null, connections: 1 });
  try {
    await connections.query(statement);
  } finally {
    await connections.close();
  }
}

async function create(server: ServerName, template: string): Promise<TestDatabase> {
  const name = `turnpike_test_${randomBytes(8).toString('hex')}`;
  // Copying files takes half of what writing their pages to the log does.
  await administer(server, ({ query }) => query(`create database ${name} template ${template} strategy file_copy`));
  return {
    name,
    url: urlOf(await serverUrl(server), name),
    async drop() {
      await administer(server, ({ query }) => query(`drop database if exists ${name} with (force)`));
    },
  };
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

const templates = new Map<ServerName, Promise<string>>();

function templateOn(server: ServerName): Promise<string> {
  const template = templates.get(server) ?? makeTemplate(server);
  templates.set(server, template);
  return template;
}

/** Of this program's migrations; made once per server, by whoever takes the lock first. */
async function makeTemplate(server: ServerName): Promise<string> {
  const name = `turnpike_template_${schemaDigest()}`;
  await administer(server, ({ control }) =>
    control.transaction(async (connection) => {
      await connection.query('select pg_advisory_xact_lock(7814520377002)');
      const { count } = await connection.query('select 1 from pg_database where datname = $1', [name]);
      if (count > 0) return;
      const unfinished = `${name}_unfinished`;
      await administer(server, ({ query }) => query(`drop database if exists ${unfinished} with (force)`));
      await administer(server, ({ query }) => query(`create database ${unfinished} template template0`));
      await migrateAt(urlOf(await serverUrl(server), unfinished));
      await administer(server, ({ query }) => query(`alter database ${unfinished} rename to ${name}`));
    }),
  );
  return name;
}

async function migrateAt(url: string): Promise<void> {
  const connections = await openConnections({ url, readUrl: null, connections: 2 });
  try {
    const transactions = new PostgresTransactions(connections.control);
    const dialect = new NodePostgresDialect({ role: connections.control, transactions });
    await migratePostgres(new Kysely<Schema>({ dialect }));
  } finally {
    await connections.close();
  }
}

/** Changes whenever a file changes that the schema may come from: a configured server outlives the tests. */
function schemaDigest(): string {
  const folder = join(import.meta.dirname, '../../../src/storage');
  const digest = createHash('sha256');
  const files = ['sql/**/*.ts', 'postgres/**/*.ts', 'postgres/**/*.sql'].flatMap((pattern) =>
    globSync(pattern, { cwd: folder }),
  );
  for (const file of files.sort())
    if (!file.endsWith('.test.ts')) digest.update(file).update(readFileSync(join(folder, file)));
  return digest.digest('hex').slice(0, 16);
}
