/**
 * The migrations of the schema, forward only. A released migration is never
 * changed: add a new one instead. Names sort in the order in which they run.
 */
import type { CreateTableBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlFlavour } from '../flavour.ts';
import { addAliases } from './aliases-migration.ts';
import { addBatchTotals } from './batch-totals-migration.ts';
import { addBatches } from './batches-migration.ts';
import { addBatchesOfAccount } from './batches-of-account-migration.ts';
import { dropBillingMode } from './billing-mode-migration.ts';
import { addDashboard } from './dashboard-migration.ts';
import { addFeed } from './feed-migration.ts';
import { addFiles } from './files-migration.ts';
import { addInputImages } from './input-images-migration.ts';
import { addKeyOrigins } from './key-origins-migration.ts';
import { addMakers } from './makers-migration.ts';
import { addMediaTokens } from './media-tokens-migration.ts';
import { addMoney } from './money-migration.ts';
import { addMonths } from './months-migration.ts';
import { addMoreCredentials } from './more-credentials-migration.ts';
import { addNodeLoss } from './node-loss-migration.ts';
import { addOwnCredentials } from './own-credentials-migration.ts';
import { addRates } from './rates-migration.ts';
import { addResponseCache } from './response-cache-migration.ts';
import { addRestrictions } from './restrictions-migration.ts';
import { addStoredCredentials } from './stored-credentials-migration.ts';
import { addStoredIds } from './stored-ids-migration.ts';
import { addToolUses } from './tool-uses-migration.ts';
import { addUnits } from './units-migration.ts';

export function migrations(flavour: SqlFlavour): Record<string, Migration> {
  return {
    '0001_foundation': { up: (database) => foundation(database, flavour) },
    '0002_money': { up: (database) => addMoney(database, flavour) },
    '0003_dashboard': { up: (database) => addDashboard(database, flavour) },
    '0004_makers': { up: addMakers },
    '0005_restrictions': { up: addRestrictions },
    '0006_months': { up: (database) => addMonths(database, flavour) },
    '0007_accounts_without_mode': { up: dropBillingMode },
    '0008_feed': { up: (database) => addFeed(database, flavour) },
    '0009_tool_uses': { up: addToolUses },
    '0010_stored_ids': { up: (database) => addStoredIds(database, flavour) },
    '0011_media_tokens': { up: addMediaTokens },
    '0012_aliases': { up: (database) => addAliases(database, flavour) },
    '0013_own_credentials': { up: (database) => addOwnCredentials(database, flavour) },
    '0014_rates': { up: (database) => addRates(database, flavour) },
    '0015_response_cache': { up: (database) => addResponseCache(database, flavour) },
    '0016_more_credentials': { up: (database) => addMoreCredentials(database, flavour) },
    '0017_stored_credentials': { up: addStoredCredentials },
    '0018_node_loss': { up: (database) => addNodeLoss(database, flavour) },
    // 0019 to 0034 are PostgreSQL's own.
    '0035_key_origins': { up: addKeyOrigins },
    '0036_units': { up: (database) => addUnits(database, flavour) },
    // 0037 is PostgreSQL's own.
    '0038_files': { up: (database) => addFiles(database, flavour) },
    '0039_batches': { up: (database) => addBatches(database, flavour) },
    '0040_input_images': { up: (database) => addInputImages(database, flavour) },
    // 0041 is PostgreSQL's own.
    '0042_batches_of_account': { up: addBatchesOfAccount },
    '0043_batch_totals': { up: addBatchTotals },
  };
}

async function foundation(database: Kysely<unknown>, flavour: SqlFlavour): Promise<void> {
  const { bytes, integer, identity } = flavour;
  const { schema } = database;

  await schema
    .createTable('accounts')
    .addColumn('id', 'integer', (column) => identity(column))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('billing_mode', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute();

  await schema
    .createTable('projects')
    .addColumn('id', 'integer', (column) => identity(column))
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('archived_at', integer)
    .execute();

  await schema
    .createTable('keys')
    .addColumn('id', 'integer', (column) => identity(column))
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('digest', bytes, (column) => column.notNull().unique())
    .addColumn('pepper_id', 'text', (column) => column.notNull())
    .addColumn('disabled', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addColumn('expires_at', integer)
    .addColumn('revoked_at', integer)
    .addColumn('retiring_at', integer)
    .addColumn('limits', 'text', (column) => column.notNull())
    .addColumn('permissions', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('keys_of_project').on('keys').column('project_id').execute();

  await schema
    .createTable('price_versions')
    .addColumn('id', 'integer', (column) => identity(column))
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('upstream_model', 'text', (column) => column.notNull())
    .addColumn('prices', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute();

  await schema
    .createTable('names')
    .addColumn('id', 'integer', (column) => identity(column))
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .execute();

  await schema
    .createTable('facts')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();

  let settlements: CreateTableBuilder<string, string> = schema
    .createTable('settlements')
    .addColumn('call_id', bytes, (column) => column.primaryKey().notNull())
    .addColumn('admitted_at', integer, (column) => column.notNull());
  for (const name of ['account_id', 'project_id', 'key_id', 'operation', 'model', 'provider', ...TOKEN_COLUMNS])
    settlements = settlements.addColumn(name, 'integer', (column) => column.notNull());
  settlements = settlements
    .addColumn('usage_source', 'integer', (column) => column.notNull())
    .addColumn('price_version', 'integer')
    .addColumn('cost_nano', integer)
    .addColumn('charge_nano', integer, (column) => column.notNull())
    .addColumn('ending', 'integer', (column) => column.notNull());
  await (flavour.clustered === null ? settlements : settlements.modifyEnd(flavour.clustered)).execute();
}

/** The token columns of the first migration. */
const TOKEN_COLUMNS = [
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'input_audio_tokens',
  'output_tokens',
  'output_audio_tokens',
  'reasoning_tokens',
  'web_searches',
];
