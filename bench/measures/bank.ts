/**
 * The bank in PostgreSQL alone: CPU time of the database and of the node's side for a share and for a settlement, by how many go together.
 * This process is the node.
 */
import { Kysely } from 'kysely';
import { dayOf } from '../../src/core/calendar.ts';
import { systemClock } from '../../src/core/clock.ts';
import { accountId, keyId, newCallId, projectId } from '../../src/core/ids.ts';
import { NO_MONEY, nanoUsd } from '../../src/core/money.ts';
import { LIST_RATE } from '../../src/core/rates/rate.ts';
import type { Settlement } from '../../src/core/settlement.ts';
import { NO_USAGE } from '../../src/core/usage.ts';
import { SETTINGS } from '../../src/nodes/contract/test-node.ts';
import type { NodePlace, PurseRef } from '../../src/nodes/ports.ts';
import { encodeBatch } from '../../src/storage/journal/encode-batch.ts';
import { PostgresBank } from '../../src/storage/postgres/bank/postgres-bank.ts';
import { openConnections, type PostgresConnections } from '../../src/storage/postgres/engine/connections.ts';
import { NodePostgresDialect } from '../../src/storage/postgres/engine/kysely-dialect.ts';
import { PostgresTransactions } from '../../src/storage/postgres/engine/transactions.ts';
import { migratePostgres } from '../../src/storage/postgres/migrations/migrate.ts';
import type { Schema } from '../../src/storage/sql/schema.ts';
import { type CpuMicros, usedBetween } from '../process-cpu.ts';
import { startDatabase } from '../shared-database.ts';
import { median } from '../statistics.ts';
import type { Bench, Row } from './measure.ts';

const ACCOUNTS = 100_000;
/** How many go together, and the statements of a round. */
const SIZES = [
  { together: 1, statements: 400 },
  { together: 10, statements: 200 },
  { together: 100, statements: 40 },
] as const;
const HOLD = nanoUsd(20_000_000n);
const LENT = nanoUsd(16n * HOLD);
const CHARGE = nanoUsd(4_000_000n);
const CREDIT = 1_000_000_000_000n;

/** Microseconds of CPU each, of PostgreSQL and of this process. */
interface Cost {
  readonly database: number;
  readonly node: number;
  readonly perSecond: number;
}

/** One statement about these accounts. */
type Work = (bank: PostgresBank, place: NodePlace, accounts: readonly number[]) => Promise<unknown>;

const WORKS: Readonly<Record<string, Work>> = { share: lend, settlement: settle, 'share given back': takeBack };

export async function measureBank(bench: Bench): Promise<Row[]> {
  const database = await startDatabase();
  if (database === null) return [];
  const connections = await openConnections({ url: database.url, readUrl: null, connections: 2 });
  try {
    const bank = await openBank(connections);
    const node = await bank.register({
      id: 'bench',
      fingerprint: 'bench',
      name: 'bench',
      version: '0',
      settings: SETTINGS,
    });
    if (node.refused !== null) throw new Error('the node is not registered');
    const rows: Row[] = [];
    for (const [name, work] of Object.entries(WORKS)) {
      const accounts = numbers();
      for (const { together, statements } of SIZES) {
        const once = () =>
          work(
            bank,
            node.place,
            Array.from({ length: together }, () => accounts.next().value),
          );
        const round = () => costOf(once, { statements, together }, database.cpu);
        await round();
        const costs: Cost[] = [];
        for (let count = bench.quick ? 1 : 5; count > 0; count -= 1) costs.push(await round());
        bench.say(`${name}, ${together} a statement: ${wordsOf(costs)}`);
        rows.push(rowOf(`CPU of PostgreSQL per ${name}, ${together} a statement`, costs));
      }
    }
    bench.say(await sizesOf(connections));
    return rows;
  } finally {
    await connections.close();
    await database.stop();
  }
}

async function costOf(
  once: () => Promise<unknown>,
  { statements, together }: { readonly statements: number; readonly together: number },
  cpu: () => CpuMicros,
): Promise<Cost> {
  const [before, own, startMs] = [cpu(), process.cpuUsage(), performance.now()];
  for (let statement = 0; statement < statements; statement += 1) await once();
  const [{ user, system }, ms] = [process.cpuUsage(own), performance.now() - startMs];
  const count = statements * together;
  return {
    database: usedBetween(before, cpu()) / count,
    node: (user + system) / count,
    perSecond: (count * 1_000) / ms,
  };
}

function lend(bank: PostgresBank, place: NodePlace, accounts: readonly number[]): Promise<unknown> {
  const wants = accounts.map((id) => ({ purse: balanceOf(id), seq: 1, shortfall: HOLD, wish: LENT, budgets: null }));
  return bank.lease(place, wants, false);
}

function takeBack(bank: PostgresBank, place: NodePlace, accounts: readonly number[]): Promise<unknown> {
  const returned = accounts.map((id) => ({ purse: balanceOf(id), seq: 2, keeps: CHARGE, isLast: true }));
  return bank.giveBack(place, returned);
}

/** Batches of a call each, as of commits that had one. */
async function settle(bank: PostgresBank, place: NodePlace, accounts: readonly number[]): Promise<void> {
  const { epoch } = place;
  const encoded = accounts.map((id) => {
    const settlement = settlementOf(id);
    return encodeBatch([
      { settlement, lease: { epoch, rootId: settlement.keyId, budgets: 0, day: dayOf(settlement.admittedAt) } },
    ]);
  });
  const { late } = await bank.settle(place, { epoch, encoded });
  if (late !== null) throw new Error('a settlement came without a lease');
}

async function openBank(connections: PostgresConnections): Promise<PostgresBank> {
  const transactions = new PostgresTransactions(connections.control);
  const dialect = new NodePostgresDialect({ role: connections.control, transactions });
  await migratePostgres(new Kysely<Schema>({ dialect }));
  await connections.query(
    `insert into funds (account_id, free_nano, bounded, credited_nano, charged_nano)
     select id, $1::bigint, true, $1::bigint, 0 from generate_series(1, $2::integer) as id`,
    [CREDIT, ACCOUNTS],
  );
  return new PostgresBank({ connections, clock: systemClock, mode: 'prepaid' });
}

/** Bytes a row, indexes included, after all of the above. */
async function sizesOf({ query }: PostgresConnections): Promise<string> {
  const { rows } = await query<{ name: string; bytes: number }>(
    `select name, (greatest(
         pg_total_relation_size(name::regclass),
         (select sum(pg_total_relation_size(relid)) from pg_partition_tree(name::regclass))) / count)::integer as bytes
     from (
       select 'settlements' as name, count(*) as count from settlements
       union all select 'spending_days', count(*) from spending_days
       union all select 'rollups_hour', count(*) from rollups_hour
     ) as counted where count > 0`,
  );
  return `bytes a row: ${rows.map(({ name, bytes }) => `${name} ${bytes}`).join(' · ')}`;
}

function balanceOf(id: number): PurseRef {
  return { kind: 'balance', id };
}

function* numbers(): Generator<number, never> {
  for (let number = 1; ; number += 1) yield number;
}

export function settlementOf(id: number): Settlement {
  const admittedAt = Date.now();
  return {
    callId: newCallId(admittedAt),
    admittedAt,
    accountId: accountId(id),
    projectId: projectId(id),
    keyId: keyId(id),
    operation: 'chat',
    model: 'vendor/model',
    provider: 'vendor',
    usage: { ...NO_USAGE, inputTokens: 90, outputTokens: 250 },
    usageSource: 'reported',
    priceVersion: null,
    cost: CHARGE,
    rate: LIST_RATE,
    ownCredential: false,
    hold: HOLD,
    charge: CHARGE,
    fault: NO_MONEY,
    variance: NO_MONEY,
    nodeLoss: NO_MONEY,
    saved: NO_MONEY,
    ending: 'complete',
  };
}

function wordsOf(costs: readonly Cost[]): string {
  const of = (part: keyof Cost) => median(costs.map((cost) => cost[part]));
  return (
    `PostgreSQL ${of('database').toFixed(1)} µs, node ${of('node').toFixed(1)} µs each, ` +
    `${Math.round(of('perSecond')).toLocaleString('en')} a second over one connection`
  );
}

function rowOf(work: string, costs: readonly Cost[]): Row {
  const rounds = { turnpike: costs.map(({ database }) => database) };
  return { work, unit: 'µs', digits: 1, values: { turnpike: median(rounds.turnpike) }, rounds, target: null };
}
