/** What `turnpike doctor` shows of the replica for reports: whether it can be used, and how old what it has is. */
import type { ExaminedDatabase, ExaminedReplica } from '../../examined-database.ts';
import type { PostgresConnections } from '../engine/connections.ts';
import { explainConnection, READ_URL, UnusableDatabase } from '../engine/explain-connection.ts';
import type { Queryable } from '../engine/role.ts';
import { checkIdentity, readIdentity } from './identity.ts';

/** A standby that streams has what was committed within a moment: it is asked so often, a fifth of a second apart. */
const ASKED_MAX = 6;

/** Throws if the database itself cannot be asked. */
export async function examineReplica(
  { control, reports }: Pick<PostgresConnections, 'control' | 'reports'>,
  readUrl: string | null,
): Promise<Pick<ExaminedDatabase, 'replica' | 'replicaComplaint'>> {
  if (readUrl === null) return { replica: null, replicaComplaint: null };
  const identity = await readIdentity((text) => control.query(text));
  const { rows } = await control.query<{ at: string }>('select pg_current_wal_flush_lsn()::text as at');
  try {
    checkIdentity(readUrl, await readIdentity((text) => reports.query(text)), identity);
    return { replica: await readReplica(reports, rows[0]?.at ?? '0/0'), replicaComplaint: null };
  } catch (error) {
    const { message } = error instanceof UnusableDatabase ? error : explainConnection(error, readUrl, READ_URL);
    return { replica: null, replicaComplaint: message };
  }
}

interface State {
  readonly is_standby: boolean;
  /** Bytes of the log that it has not replayed. */
  readonly behind: bigint;
  readonly is_receiving: boolean;
  /** Since the last commit that it has, ms. */
  readonly age: number | null;
}

/**
 * What it has received says nothing if it receives nothing, so it is compared with what the database had written. Whoever may not see more of
 * a receiver sees that there is one: https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-WAL-RECEIVER-VIEW
 */
const STATE = `select pg_is_in_recovery() as is_standby,
    case when pg_is_in_recovery() then greatest(0, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn())) else 0 end::bigint as behind,
    exists (select from pg_stat_wal_receiver) as is_receiving,
    greatest(0, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 as age
  from pg_sleep($2)`;

/** `at` is where the log of the database was. */
async function readReplica(reports: Queryable, at: string): Promise<ExaminedReplica> {
  for (let asked = 1; ; asked += 1) {
    const { rows } = await reports.query<State>(STATE, [at, asked === 1 ? 0 : 0.2]);
    const [{ is_standby: isStandby, behind, is_receiving: isReceiving, age: ageMs }] = rows as readonly [State];
    const behindBytes = Number(behind);
    if (behindBytes > 0 && asked < ASKED_MAX) continue;
    return { isStandby, behindBytes, isReceiving, lagMs: behindBytes === 0 ? 0 : ageMs };
  }
}
