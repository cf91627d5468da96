/**
 * The partitions of tables that have one for each UTC day. A partition is made on its own and then attached, which blocks neither
 * readers nor writers. Dropping one needs the whole table for a moment: it waits for no reader longer than half a second, and is tried
 * again later.
 */
import { dayOf, dayStart, dayText } from '../../../core/calendar.ts';
import { callIdBytes, firstCallIdAt } from '../../../core/ids.ts';
import type { Queryable, Role } from '../engine/role.ts';
import { hasState } from './sql-state.ts';

export interface DailyTable {
  /** With its schema, if that is not the first of the search path. */
  readonly name: string;
  /** The bounds of a day, as literals; the second one is not included. */
  readonly boundsOf: (day: number) => readonly [from: string, to: string];
}

/** The bounds of the ids of calls of a day. */
export function idBounds(day: number): readonly [from: string, to: string] {
  return [idLiteral(day), idLiteral(day + 1)];
}

function idLiteral(day: number): string {
  return `'\\x${callIdBytes(firstCallIdAt(dayStart(day))).toString('hex')}'`;
}

/** The bounds of the hours of a day, since 1970. */
export function hourBounds(day: number): readonly [from: string, to: string] {
  return [String(day * 24), String((day + 1) * 24)];
}

/** One program at a time makes and drops partitions; a number of our own. */
const LOCK = 7_814_520_377_020n;
const LOCK_NOT_AVAILABLE = '55P03';
const DAY_IN_NAME = /_(\d{4})_(\d{2})_(\d{2})$/;

export class DayPartitions {
  readonly #role: Role;
  /** All have the same days. */
  readonly #tables: readonly DailyTable[];
  /** Days that had their partitions when they were last checked. */
  readonly #known = new Set<number>();

  constructor(role: Role, tables: readonly [DailyTable, ...DailyTable[]]) {
    this.#role = role;
    this.#tables = tables;
  }

  /** Makes the partitions of these days where they are missing. */
  async ensure(days: Iterable<number>): Promise<void> {
    const missing = [...new Set(days)].filter((day) => !this.#known.has(day)).sort((left, right) => left - right);
    if (missing.length === 0) return;
    await this.#role.transaction(async (connection) => {
      await connection.query(`set local lock_timeout = '2s'; select pg_advisory_xact_lock(${LOCK})`);
      for (const day of missing) for (const table of this.#tables) await makeOne(connection, table, day);
    });
    for (const day of missing) this.#known.add(day);
  }

  /** After a row found no partition: another program has dropped it. */
  forget(): void {
    this.#known.clear();
  }

  /** The size of each day on disk, bytes, with its indexes; oldest first. */
  async sizes(): Promise<ReadonlyMap<number, number>> {
    const sizes = new Map<number, number>();
    for (const { name } of this.#tables) {
      const { rows } = await this.#role.query<{ partition: string; bytes: bigint }>(
        `select part.relname as partition, pg_total_relation_size(part.oid) as bytes
         from pg_inherits join pg_class as part on part.oid = inhrelid where inhparent = to_regclass($1)`,
        [name],
      );
      for (const { partition, bytes } of rows) {
        const day = dayOfPartition(partition);
        if (day !== null) sizes.set(day, (sizes.get(day) ?? 0) + Number(bytes));
      }
    }
    return new Map([...sizes].sort(([left], [right]) => left - right));
  }

  /** Oldest first. */
  async days(): Promise<number[]> {
    return [...(await this.sizes()).keys()];
  }

  /** Drops all that is stored of a day. False if a reader or writer needs it now. */
  async drop(day: number): Promise<boolean> {
    this.#known.delete(day);
    try {
      await this.#role.transaction(async (connection) => {
        await connection.query(`set local lock_timeout = '500ms'; select pg_advisory_xact_lock(${LOCK})`);
        for (const { name } of this.#tables) await connection.query(`drop table if exists ${partitionOf(name, day)}`);
      });
      return true;
    } catch (error) {
      if (hasState(error, LOCK_NOT_AVAILABLE)) return false;
      throw error;
    }
  }
}

export function partitionOf(table: string, day: number): string {
  return `${table}_${dayText(day).replaceAll('-', '_')}`;
}

function dayOfPartition(name: string): number | null {
  const parts = DAY_IN_NAME.exec(name);
  return parts === null ? null : dayOf(Date.parse(parts.slice(1).join('-')));
}

async function makeOne(connection: Queryable, { name, boundsOf }: DailyTable, day: number): Promise<void> {
  const partition = partitionOf(name, day);
  const { rows } = await connection.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    partition,
  ]);
  if (rows[0]?.exists === true) return;
  const [from, to] = boundsOf(day);
  await connection.query(`create table ${partition} (like ${name} including defaults including storage)`);
  await connection.query(`alter table ${name} attach partition ${partition} for values from (${from}) to (${to})`);
}
