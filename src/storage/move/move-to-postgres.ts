/**
 * Copies a ledger from SQLite to an empty PostgreSQL database, in one transaction: either all of it is there and verified, or the database is as
 * empty as it was. Every row is read back and compared, and the whole ledger is verified by the rules before anything is committed.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { LedgerRules, VerifyReport } from '../../billing/maintenance-ports.ts';
import { callIdBytes, callIdFromBytes, callIdTime, firstCallIdAt } from '../../core/ids.ts';
import { copyInto } from '../postgres/copy/copy-protocol.ts';
import type { MaintenanceConnection } from '../postgres/maintenance/maintenance-connection.ts';
import { verifyWithin } from '../postgres/verify/verify-ledger.ts';
import { SPENDING_OF_SUMS } from '../postgres/verify/verify-spending.ts';
import { firstDayOfMonth, monthText } from '../sql/ledger/ledger-months.ts';
import { type CopiedTable, copiedTables } from './copied-tables.ts';
import { isOfLedger } from './moved-facts.ts';
import { MOVED_FROM_FACT } from './moved-mark.ts';
import { type MovedSecrets, writeSecrets } from './moved-secrets.ts';
import { readLines } from './read-sqlite-rows.ts';
import { checkSame, RowDigest } from './row-digest.ts';
import { type TableWay, wayOf } from './table-way.ts';
import { checkEmpty, type PostgresTable, postgresTables } from './target-tables.ts';

export interface MoveOptions {
  /** Opened for reading, in a transaction. */
  readonly source: DatabaseSync;
  /** With the archives of sealed months. */
  readonly folder: string;
  /** With this program's schema. */
  readonly target: MaintenanceConnection;
  readonly billingMode: string;
  readonly rules: LedgerRules;
  /** What encrypts secrets in the ledger, and identifies the installation; null if the target keeps none. */
  readonly secrets: MovedSecrets | null;
  /** Of the move. */
  readonly id: string;
  readonly onProgress: (table: string, rows: number) => void;
  /** Called before the commit; may throw. */
  readonly check?: (verified: VerifyReport) => void;
}

export interface CopiedRows {
  readonly rows: number;
  readonly verified: VerifyReport;
}

const DAY_MS = 86_400_000;

/** Throws an error that says what is wrong; then nothing was copied. */
export function moveToPostgres(options: MoveOptions): Promise<CopiedRows> {
  return options.target.transaction('isolation level repeatable read', async () => {
    const { source, target } = options;
    const tables = await postgresTables(target);
    await checkEmpty(target, tables);
    // What triggers do at a change, such as counting it in the feed, must not be done again.
    const withTriggers = tables.filter(({ hasTriggers }) => hasTriggers).map(({ name }) => name);
    for (const name of withTriggers) await target.rows(`alter table ${name} disable trigger user`);
    let rows = 0;
    for (const table of copiedTables(source)) rows += await copyTable(table, tables, options);
    rows += await copyFacts(options);
    await target.rows(
      `insert into spending_days (kind, id, day, slot, calls, charge_nano, own_cost_nano)
       select kind, id, day, 0, calls, charge_nano, own_cost_nano from (${SPENDING_OF_SUMS}) as spent`,
    );
    await numberOn(options);
    for (const name of withTriggers) await target.rows(`alter table ${name} enable trigger user`);
    if (options.secrets !== null) await writeSecrets(target, options.secrets);
    await target.rows('insert into facts (name, value) values ($1, $2)', [MOVED_FROM_FACT, options.id]);
    await target.rows('analyze');
    const verified = await verifyWithin({ ...options, connection: target, archive: true, times: null });
    options.check?.(verified);
    return { rows, verified };
  });
}

async function copyTable(
  table: CopiedTable,
  tables: readonly PostgresTable[],
  { source, target, billingMode, onProgress }: MoveOptions,
): Promise<number> {
  const columns = tables.find(({ name }) => name === table.name)?.columns ?? new Set<string>();
  const way = wayOf(table, { isPrepaid: billingMode === 'prepaid', columns });
  const sent = new RowDigest();
  // One row that every database has from the beginning.
  if (table.key.length === 0) await target.rows(`delete from ${table.name}`);
  for (const { where, parameters } of table.name === 'settlements' ? monthsOf(source) : WHOLE) {
    if (parameters.length > 0) await makePartition(target, parameters[0] as Uint8Array);
    const select = selectOf(table, way, where);
    const lines = readLines(source, { select, parameters, further: way.further.length, digest: sent });
    await copyInto(target.client, `copy ${way.into} from stdin`, lines);
    onProgress(table.name, sent.rows);
  }
  const found = new RowDigest();
  await target.readLines(way.inPostgres, (line) => found.add(line));
  checkSame(table.name, sent, found);
  return sent.rows;
}

function selectOf({ name, columns, key }: CopiedTable, { further }: TableWay, where: string): string {
  const selected = [...columns.map((column) => column.name), ...further].join(', ');
  return `SELECT ${selected} FROM ${name}${where}${key.length === 0 ? '' : ` ORDER BY ${key.join(', ')}`}`;
}

interface Part {
  readonly where: string;
  readonly parameters: readonly Uint8Array[];
}

const WHOLE: readonly Part[] = [{ where: '', parameters: [] }];

/** Settlements are copied month by month, in the order of their ids, which begin with their time. */
function* monthsOf(source: DatabaseSync): Generator<Part> {
  const { first, last } = source
    .prepare('SELECT min(call_id) AS first, max(call_id) AS last FROM settlements')
    .get() as { first: Uint8Array | null; last: Uint8Array | null };
  if (first === null || last === null) return;
  const endMs = callIdTime(callIdFromBytes(last));
  for (let fromMs = monthStart(callIdTime(callIdFromBytes(first))); fromMs <= endMs; ) {
    const toMs = firstDayOfMonth(monthText(fromMs), 1) * DAY_MS;
    yield {
      where: ' WHERE call_id >= ? AND call_id < ?',
      parameters: [callIdBytes(firstCallIdAt(fromMs)), callIdBytes(firstCallIdAt(toMs))],
    };
    fromMs = toMs;
  }
}

function monthStart(ms: number): number {
  return firstDayOfMonth(monthText(ms)) * DAY_MS;
}

/** For the month in which this call began. */
async function makePartition(target: MaintenanceConnection, callId: Uint8Array): Promise<void> {
  await target.rows('select turnpike_make_month_2($1)', [callIdTime(callIdFromBytes(callId))]);
}

/** What PostgreSQL states about itself stays. */
async function copyFacts({ source, target }: MoveOptions): Promise<number> {
  const facts = source.prepare('SELECT name, value FROM facts ORDER BY name').all() as {
    name: string;
    value: string;
  }[];
  const copied = facts.filter(({ name }) => isOfLedger(name));
  for (const { name, value } of copied)
    await target.rows(
      'insert into facts (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [name, value],
    );
  return copied.length;
}

/** The next id of each table is the one that SQLite would have given: ids are never used again. */
async function numberOn({ source, target }: MoveOptions): Promise<void> {
  for (const { name, seq } of source.prepare('SELECT name, seq FROM sqlite_sequence').all() as {
    name: string;
    seq: number;
  }[])
    if (seq > 0)
      await target.rows("select setval(pg_get_serial_sequence($1, 'id'), greatest($2::bigint, 1))", [name, seq]);
}
