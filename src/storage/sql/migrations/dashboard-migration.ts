/**
 * Migration `0003_dashboard`: never changed after its release. Creates users, sessions, links, memberships, the audit log,
 * providers of the dashboard, and answers of creations.
 */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addDashboard(database: Kysely<unknown>, flavour: SqlFlavour): Promise<void> {
  await addColumns(database, flavour);
  await makeUsers(database, flavour);
  await makeSessions(database, flavour);
  await makeLinks(database, flavour);
  await makeMemberships(database, flavour);
  await makeAudit(database, flavour);
  await makeProviders(database, flavour);
  await makeCreations(database, flavour);
}

async function addColumns({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  await schema.alterTable('accounts').addColumn('closed_at', integer).execute();
  await schema
    .alterTable('accounts')
    .addColumn('capture', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute();
  await schema.alterTable('keys').addColumn('updated_at', integer).execute();
}

async function makeUsers({ schema }: Kysely<unknown>, { bytes, integer, identity }: SqlFlavour): Promise<void> {
  await schema
    .createTable('users')
    .addColumn('id', 'integer', (column) => identity(column))
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('is_operator', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('totp_secret', bytes)
    .addColumn('totp_confirmed_at', integer)
    .addColumn('totp_last_step', integer)
    .addColumn('recovery_codes', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('email_confirmed_at', integer)
    .addColumn('disabled_at', integer)
    .execute();
}

async function makeSessions({ schema }: Kysely<unknown>, { bytes, integer, identity }: SqlFlavour): Promise<void> {
  await schema
    .createTable('sessions')
    .addColumn('id', 'integer', (column) => identity(column))
    .addColumn('digest', bytes, (column) => column.notNull().unique())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id'))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('last_seen_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addColumn('ip', 'text')
    .addColumn('user_agent', 'text')
    .execute();
  await schema.createIndex('sessions_of_user').on('sessions').column('user_id').execute();
}

async function makeLinks({ schema }: Kysely<unknown>, { bytes, integer, identity }: SqlFlavour): Promise<void> {
  await schema
    .createTable('links')
    .addColumn('id', 'integer', (column) => identity(column))
    .addColumn('digest', bytes, (column) => column.notNull().unique())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.references('users.id'))
    .addColumn('account_id', 'integer', (column) => column.references('accounts.id'))
    .addColumn('role', 'text')
    .addColumn('email', 'text')
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('created_by', 'integer')
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addColumn('used_at', integer)
    .addColumn('name', 'text')
    .addColumn('password_hash', 'text')
    .execute();
  await schema.createIndex('links_of_account').on('links').column('account_id').execute();
}

async function makeMemberships({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  await schema
    .createTable('memberships')
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('joined_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('memberships_key', ['account_id', 'user_id'])
    .execute();
  await schema.createIndex('memberships_of_user').on('memberships').column('user_id').execute();
}

async function makeAudit({ schema }: Kysely<unknown>, { bytes, integer, identity }: SqlFlavour): Promise<void> {
  await schema
    .createTable('audit')
    .addColumn('id', 'integer', (column) => identity(column))
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'integer')
    .addColumn('actor_name', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject_kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('subject_name', 'text')
    .addColumn('account_id', 'integer')
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('ip', 'text')
    .addColumn('request_id', 'text')
    .addColumn('hash', bytes, (column) => column.notNull())
    .execute();
  await schema.createIndex('audit_of_account').on('audit').columns(['account_id', 'id']).execute();
}

async function makeProviders({ schema }: Kysely<unknown>, { bytes, integer }: SqlFlavour): Promise<void> {
  await schema
    .createTable('providers')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('origin', 'text')
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('credential', bytes)
    .addColumn('credential_hint', 'text')
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .execute();
}

async function makeCreations({ schema }: Kysely<unknown>, { bytes, integer }: SqlFlavour): Promise<void> {
  await schema
    .createTable('creations')
    .addColumn('key_digest', bytes, (column) => column.primaryKey().notNull())
    .addColumn('body_digest', bytes, (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('answer', bytes)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  // Each creation deletes expired rows: without the index it would read every answer of the day.
  await schema.createIndex('creations_by_expiry').on('creations').column('expires_at').execute();
}
