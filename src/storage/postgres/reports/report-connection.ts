/**
 * A connection of a thread that reads reports. It reads in transactions with one snapshot, which write nothing and in which a statement
 * ends at the deadline. It has no session state, so a pooler in transaction mode may stand in between.
 */
import pg from 'pg';
import type { Ask, BatchSteps, FoundRow, FoundRows, ReportParts, Steps } from '../../sql/reports/steps.ts';
import { type ReadDeadline, ReadTooLate } from '../../threads/read-deadline.ts';
import { connectionString } from '../engine/connection-string.ts';
import { UnusableDatabase } from '../engine/explain-connection.ts';
import { isBroken } from '../engine/postgres-errors.ts';
import { bigTypes } from '../engine/value-types.ts';
import { hasState } from '../records/sql-state.ts';
import { CheckedReplica } from '../replica/checked-replica.ts';
import { bySet, numbered, numberedSets } from './numbered-sql.ts';
import type { ReportSource } from './report-source.ts';

/** What a report needs in addition to a connection: statements end by themselves, and lookups are sent together. */
export function reportParts(deadline: ReadDeadline): ReportParts {
  return {
    inTime: () => 'true',
    byIndex: () => '',
    now: () => deadline.now(),
    box: (ms) => deadline.box(ms),
    lookAhead: 48,
  };
}

/** Sets of values in one statement. */
const SETS_MAX = 1_000;
/** The server ends a statement; this much later its connection is given up. */
const ANSWER_MS = 500;
/** A statement may end this much after the deadline: a new limit for each one would double the round trips. */
const OVERRUN_MS = 250;
const CONNECT_MS_MAX = 5_000;
/** `query_canceled`: by the time limit of a statement. */
const CANCELED = '57014';
/** `transaction_timeout`, which an operator may have set. */
const TRANSACTION_TIMEOUT = '25P04';
/** `serialization_failure`: a replica had to remove what the transaction reads. */
const REMOVED_ON_REPLICA = '40001';

export interface ConnectionTimes {
  /** How long a transaction may wait for its next statement, ms. */
  readonly idleMs: number;
}

export class ReportConnection {
  readonly #url: string;
  readonly #replica: CheckedReplica | null;
  readonly #deadline: ReadDeadline;
  readonly #idleMs: number;
  #client: pg.Client | null = null;
  /** The server ends a statement after this time, ms. */
  #limitMs = 0;

  constructor({ url, replicaOf }: ReportSource, deadline: ReadDeadline, { idleMs }: ConnectionTimes) {
    this.#url = url;
    this.#replica = replicaOf === null ? null : new CheckedReplica({ url, of: replicaOf });
    this.#deadline = deadline;
    this.#idleMs = idleMs;
  }

  /** Runs the steps on one snapshot. Throws `ReadTooLate`. */
  async run<Result>(steps: Steps<Result>): Promise<Result> {
    await this.begin();
    try {
      return await this.steps(steps);
    } finally {
      await this.end();
    }
  }

  /** Runs the steps within the transaction that was begun. */
  async steps<Result>(steps: Steps<Result>): Promise<Result> {
    try {
      for (let step = steps.next([]); ; ) {
        if (step.done === true) return step.value;
        step = steps.next(await this.answer(step.value));
      }
    } finally {
      // Returning from a generator closes what it opened.
      steps.return(undefined as Result);
    }
  }

  /** Begins a transaction; a connection that died since the last one is replaced. `locks` are taken before the snapshot. */
  async begin(locks = ''): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const isNew = this.#client === null;
      try {
        const ms = this.#newLimit();
        await this.#send(
          `begin isolation level repeatable read read only; set local statement_timeout = ${ms}; set local jit = off;
           set local max_parallel_workers_per_gather = 0; set local idle_in_transaction_session_timeout = ${this.#idleMs}; ${locks}`,
        );
        return;
      } catch (error) {
        if (isNew || attempt > 1 || !isBroken(error)) throw error;
      }
    }
  }

  async answer({ sql, sets }: Ask): Promise<FoundRows> {
    const [only] = sets;
    if (sets.length === 1 && only !== undefined) return [await this.#rows(numbered(sql, only))];
    const found: (readonly FoundRow[])[] = [];
    for (let from = 0; from < sets.length; from += SETS_MAX) {
      const some = sets.slice(from, from + SETS_MAX);
      found.push(...bySet(await this.#rows(numberedSets(sql, some)), some.length));
    }
    return found;
  }

  /** Ends the transaction; if that fails, the connection. */
  async end(): Promise<void> {
    if (this.#client === null) return;
    try {
      await this.#client.query({ text: 'rollback', query_timeout: ANSWER_MS } as pg.QueryConfig);
    } catch {
      await this.close();
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    // A connection that is lost cannot be closed, and is gone anyway.
    await client?.end().catch(() => undefined);
  }

  async #rows({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) {
    this.#deadline.check();
    const { leftMs } = this.#deadline;
    if (this.#limitMs > leftMs + OVERRUN_MS || this.#limitMs < leftMs / 2)
      await this.#send(`set local statement_timeout = ${this.#newLimit()}`);
    return this.#send(text, values);
  }

  /** The time left, for a statement that begins now. */
  #newLimit(): number {
    this.#deadline.check();
    this.#limitMs = Math.max(1, Math.ceil(this.#deadline.leftMs));
    return this.#limitMs;
  }

  async #send(text: string, values?: readonly unknown[]): Promise<readonly FoundRow[]> {
    const client = this.#client ?? (await this.#connect());
    try {
      const result = await client.query<FoundRow>({
        text,
        ...(values !== undefined && { values: [...values] }),
        types: bigTypes,
        query_timeout: Math.max(1, this.#deadline.leftMs) + ANSWER_MS,
      } as pg.QueryConfig);
      return result.rows ?? [];
    } catch (error) {
      if (isBroken(error)) await this.close();
      const isLate = [CANCELED, TRANSACTION_TIMEOUT, REMOVED_ON_REPLICA].some((code) => hasState(error, code));
      throw isLate ? new ReadTooLate('a statement was ended', { cause: error }) : error;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: connectionString(this.#url),
      connectionTimeoutMillis: Math.max(1, Math.min(CONNECT_MS_MAX, this.#deadline.leftMs)),
      application_name: 'turnpike reports',
      keepAlive: true,
    });
    client.on('error', () => {
      if (this.#client === client) this.#client = null;
    });
    const replica = this.#replica;
    if (replica === null) await client.connect();
    else await this.#connectTo(replica, client);
    this.#client = client;
    return client;
  }

  /** Whatever is wrong with the replica is in the error, so that it can be logged. */
  async #connectTo(replica: CheckedReplica, client: pg.Client): Promise<void> {
    try {
      await client.connect();
      await replica.check((text) => client.query({ text, query_timeout: CONNECT_MS_MAX } as pg.QueryConfig));
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error instanceof UnusableDatabase ? error : replica.explain(error);
    }
  }
}

/** Runs the steps of an export up to each batch, when it is asked for, within the transaction that `connection` has begun. */
export async function* runBatches<Batch>(
  connection: ReportConnection,
  steps: BatchSteps<Batch>,
): AsyncGenerator<Batch, void> {
  try {
    for (let step = steps.next([]); step.done !== true; ) {
      if ('batch' in step.value) {
        yield step.value.batch;
        step = steps.next([]);
      } else step = steps.next(await connection.answer(step.value));
    }
  } finally {
    steps.return();
  }
}
