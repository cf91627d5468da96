/** Looks at the database of an installation for `turnpike doctor`, on two connections of its own, and changes nothing. */
import type { Kysely } from 'kysely';
import type { GivenSecrets } from '../../credentials/ports.ts';
import type {
  ExaminedArchiver,
  ExaminedDatabase,
  ExaminedNode,
  ExaminedSchema,
  ExamineOptions,
} from '../examined-database.ts';
import { ledgerLeftBehind } from '../move/left-behind.ts';
import type { Schema } from '../sql/schema.ts';
import { openControlDatabase } from './control-stores.ts';
import { complaintOf, hasInstallation, readServerFacts } from './engine/check-server.ts';
import { openConnections } from './engine/connections.ts';
import { explainConnection, UnusableDatabase } from './engine/explain-connection.ts';
import type { Queryable, Role } from './engine/role.ts';
import { addressOf } from './engine/server-address.ts';
import { appliedMigrations } from './migrations/migrate.ts';
import { postgresMigrations } from './migrations/migrations.ts';
import { checkProgram } from './migrations/rolling-upgrade.ts';
import { examineReplica } from './replica/examine-replica.ts';
import { secretDigests } from './secrets/database-secrets.ts';

const TIMEOUTS = { connectMs: 5_000, statementMs: 5_000 };

/** Throws `UnusableDatabase`, which says what to do, if the server cannot be asked. */
export async function examineDatabase(options: ExamineOptions): Promise<ExaminedDatabase> {
  const { folder, database, now } = options;
  const url = database.url.reveal();
  const readUrl = database.readUrl?.reveal() ?? null;
  const connections = await openConnections({ url, readUrl, connections: 1, timeouts: TIMEOUTS });
  try {
    const { control } = connections;
    const facts = await readServerFacts(control);
    const { server, database: name } = addressOf(url);
    return {
      serverVersion: `${Math.floor(facts.version / 10_000)}.${facts.version % 10_000}`,
      place: `${name} at ${server}`,
      complaint: complaintOf(facts, url),
      aheadMs: await aheadOf(control, now),
      schema: facts.has_history ? await examineSchema(control, options) : null,
      leftBehind: (await hasInstallation(control, facts))
        ? null
        : await ledgerLeftBehind(folder, `${name} at ${server}`),
      archiver: await readArchiver(control),
      ...(await examineReplica(connections, readUrl)),
    };
  } catch (error) {
    throw error instanceof UnusableDatabase ? error : explainConnection(error, url);
  } finally {
    await connections.close();
  }
}

/** To the middle of the question: half of what it took is the most that this is wrong by. */
async function aheadOf(connection: Queryable, now: () => number): Promise<number> {
  const before = now();
  const { rows } = await connection.query<{ at: bigint }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as at',
  );
  return Number(rows[0]?.at) - Math.round((before + now()) / 2);
}

async function examineSchema(control: Role, { givenSecrets, version }: ExamineOptions): Promise<ExaminedSchema> {
  const { kysely } = openControlDatabase(control);
  const applied = await appliedMigrations(kysely);
  const known = Object.keys(postgresMigrations());
  return {
    migrations: applied.size,
    missing: known.filter((name) => !applied.has(name)).sort(),
    newer: [...applied].filter((name) => !known.includes(name)).sort(),
    complaint: await checkProgram(kysely, version).then(
      () => null,
      (error: unknown) => messageOf(error),
    ),
    otherSecrets: await otherSecrets(kysely, givenSecrets),
    nodes: await readNodes(control),
  };
}

/** A secret that is not given is for the configuration to complain of; one that no node has used yet is right. */
async function otherSecrets(kysely: Kysely<Schema>, given: GivenSecrets): Promise<readonly string[]> {
  const digests = secretDigests(given);
  const names = digests.map(({ fact }) => fact);
  const facts = await kysely.selectFrom('facts').select(['name', 'value']).where('name', 'in', names).execute();
  const stored = new Map(facts.map(({ name, value }) => [name, value]));
  return digests.filter(({ fact, digest }) => (stored.get(fact) ?? digest) !== digest).map(({ option }) => option);
}

async function readNodes(connection: Queryable): Promise<readonly ExaminedNode[]> {
  const { rows: found } = await connection.query<{ exists: boolean }>(
    "select to_regclass('nodes') is not null as exists",
  );
  if (found[0]?.exists !== true) return [];
  const { rows } = await connection.query<StoredNode>(
    `select name, version, state, epoch, turnpike_now() - seen_at as ago, to_jsonb(nodes) ->> 'settings' as settings from nodes order by slot`,
  );
  return rows.map(({ ago, epoch, settings, ...node }) => ({
    ...node,
    seenAgoMs: Number(ago),
    settings: readSettings(settings, Number(epoch)),
  }));
}

interface StoredNode extends Omit<ExaminedNode, 'seenAgoMs' | 'settings'> {
  readonly epoch: bigint;
  readonly ago: bigint;
  /** Null, too, if the schema is of a release that had none. */
  readonly settings: string | null;
}

/** What a program of before left in the row is of another epoch. */
function readSettings(json: string | null, epoch: number): ExaminedNode['settings'] {
  const { epoch: of, ...settings } = JSON.parse(json ?? '{}') as Record<string, string | number>;
  return of === epoch ? (settings as Record<string, string>) : null;
}

/** Services that archive in another way have it off. */
async function readArchiver(connection: Queryable): Promise<ExaminedArchiver | null> {
  const { rows } = await connection.query<{ mode: string; ago: number | null; is_failing: boolean }>(
    `select current_setting('archive_mode') as mode,
      (extract(epoch from clock_timestamp() - last_archived_time) * 1000)::float8 as ago,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing
    from pg_stat_archiver`,
  );
  const [row] = rows;
  if (row === undefined || row.mode === 'off') return null;
  return { archivedAgoMs: row.ago, isFailing: row.is_failing };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
