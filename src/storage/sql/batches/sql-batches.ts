/** Batches of callers, in SQL written once for every database. */
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type {
  BatchClaim,
  BatchPage,
  BatchQuery,
  BatchRow,
  BatchState,
  BatchStatus,
  BatchStore,
  BatchTimes,
  InputError,
  SettledCalls,
} from '../../../batches/ports.ts';
import {
  type AccountId,
  accountId,
  type BatchId,
  batchIdBytes,
  batchIdFromBytes,
  type CallId,
  type FileId,
  fileIdBytes,
  fileIdFromBytes,
  keyId,
  type ProjectId,
  projectId,
} from '../../../core/ids.ts';
import type { BatchRecord, Schema } from '../schema.ts';
import { sumSettledCalls } from './settled-calls.ts';
import { readTotals, totalsText } from './totals-json.ts';

/** A statement has a limited number of parameters. */
const AT_ONCE = 500;
/** Deleted at a time: others write in between. */
const DELETED_ROWS = 100;
/** Those a batch reads or writes. */
const FILES = ['input_file', 'output_file', 'error_file'] as const;
/** Batches of one account that run at a time, at all nodes together. */
const RUN_OF_ACCOUNT = 10;

export class SqlBatchStore implements BatchStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async create(row: BatchRow): Promise<void> {
    await this.#database
      .insertInto('batches')
      .values({
        id: batchIdBytes(row.id),
        account_id: row.accountId,
        project_id: row.projectId,
        key_id: row.keyId,
        address: row.address,
        endpoint: row.endpoint,
        input_file: fileIdBytes(row.inputFileId),
        created_at: row.createdAt,
        expires_at: row.expiresAt,
        kept_ms: row.keptMs,
        metadata: row.metadata === null ? null : JSON.stringify(row.metadata),
        claimed_by: '',
        claimed_until: 0,
        ended_at: row.times.endedAt ?? null,
        output_file: row.outputFileId === null ? null : fileIdBytes(row.outputFileId),
        error_file: row.errorFileId === null ? null : fileIdBytes(row.errorFileId),
        status: row.status,
        times: JSON.stringify(row.times),
        total: row.total,
        completed: row.completed,
        failed: row.failed,
        errors: JSON.stringify(row.errors),
        waiting: row.waiting,
        waiting_for: row.waitingFor,
        totals: totalsText(row.totals),
      })
      .execute();
  }

  async find(project: ProjectId, id: BatchId): Promise<BatchRow | null> {
    const row = await this.#database
      .selectFrom('batches')
      .selectAll()
      .where('id', '=', batchIdBytes(id))
      .where('project_id', '=', project)
      .executeTakeFirst();
    return row === undefined ? null : rowOf(row);
  }

  async list(project: ProjectId, { after, limit }: BatchPage): Promise<readonly BatchRow[]> {
    let query = this.#database.selectFrom('batches').selectAll().where('project_id', '=', project);
    if (after !== null) query = query.where('id', '<', batchIdBytes(after));
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(rowOf);
  }

  async search({ accountId, projectId, keyId, statuses, after, limit }: BatchQuery): Promise<readonly BatchRow[]> {
    let query = this.#database.selectFrom('batches').selectAll();
    if (accountId !== null) query = query.where('account_id', '=', accountId);
    if (projectId !== null) query = query.where('project_id', '=', projectId);
    if (keyId !== null) query = query.where('key_id', '=', keyId);
    if (statuses !== null) query = query.where('status', 'in', statuses);
    if (after !== null) query = query.where('id', '<', batchIdBytes(after));
    return (await query.orderBy('id', 'desc').limit(limit).execute()).map(rowOf);
  }

  async read(id: BatchId): Promise<BatchRow | null> {
    const query = this.#database.selectFrom('batches').selectAll().where('id', '=', batchIdBytes(id));
    const row = await query.executeTakeFirst();
    return row === undefined ? null : rowOf(row);
  }

  settledCalls(calls: readonly CallId[]): Promise<SettledCalls> {
    return sumSettledCalls(this.#database, calls);
  }

  async runningBatchOf(project: ProjectId, file: FileId): Promise<BatchId | null> {
    const row = await this.#database
      .selectFrom('batches')
      .select('id')
      .where('ended_at', 'is', null)
      .where('project_id', '=', project)
      .where((batch) => batch.or(FILES.map((column) => batch(column, '=', fileIdBytes(file)))))
      .executeTakeFirst();
    return row === undefined ? null : batchIdFromBytes(row.id);
  }

  async countOpen(account: AccountId): Promise<number> {
    const row = await this.#database
      .selectFrom('batches')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('ended_at', 'is', null)
      .where('account_id', '=', account)
      .executeTakeFirst();
    return Number(row?.count ?? 0);
  }

  async cancel(project: ProjectId, id: BatchId, nowMs: number): Promise<BatchRow | null> {
    const row = await this.find(project, id);
    if (row === null) return null;
    await this.#database
      .updateTable('batches')
      .set({ status: 'cancelling', times: JSON.stringify({ ...row.times, cancellingAt: nowMs }) })
      .where('id', '=', batchIdBytes(id))
      .where('status', 'in', ['validating', 'in_progress'])
      .execute();
    return this.find(project, id);
  }

  async claim({ owner, nowMs, untilMs }: BatchClaim, limit: number): Promise<readonly BatchRow[]> {
    const rows = await this.#database
      .selectFrom((database) =>
        database
          .selectFrom('batches')
          .selectAll()
          .select(sql<number>`row_number() over (partition by account_id order by id)`.as('place'))
          .where('ended_at', 'is', null)
          .as('open'),
      )
      .selectAll()
      .where('claimed_until', '<=', nowMs)
      .where('place', '<=', RUN_OF_ACCOUNT)
      .orderBy('place')
      .orderBy('id')
      .limit(limit)
      .execute();
    const claimed: BatchRow[] = [];
    for (const row of rows) {
      const { numUpdatedRows } = await this.#database
        .updateTable('batches')
        .set({ claimed_by: owner, claimed_until: untilMs })
        .where('id', '=', row.id)
        .where('ended_at', 'is', null)
        .where('claimed_until', '<=', nowMs)
        .executeTakeFirst();
      // As it was read, or somebody has begun to cancel it since: then that is seen when the claim is renewed.
      if (numUpdatedRows > 0n) claimed.push(rowOf(row));
    }
    return claimed;
  }

  async renew({ owner, untilMs }: BatchClaim, ids: readonly BatchId[]): Promise<readonly BatchRow[]> {
    const renewed: BatchRow[] = [];
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const some = ids.slice(from, from + AT_ONCE).map(batchIdBytes);
      await this.#database
        .updateTable('batches')
        .set({ claimed_until: untilMs })
        .where('id', 'in', some)
        .where('claimed_by', '=', owner)
        .where('ended_at', 'is', null)
        .execute();
      const rows = await this.#database
        .selectFrom('batches')
        .selectAll()
        .where('id', 'in', some)
        .where('claimed_by', '=', owner)
        .where('ended_at', 'is', null)
        .execute();
      renewed.push(...rows.map(rowOf));
    }
    return renewed;
  }

  async release(owner: string, ids: readonly BatchId[]): Promise<void> {
    for (let from = 0; from < ids.length; from += AT_ONCE)
      await this.#database
        .updateTable('batches')
        .set({ claimed_by: '', claimed_until: 0 })
        .where('id', 'in', ids.slice(from, from + AT_ONCE).map(batchIdBytes))
        .where('claimed_by', '=', owner)
        .execute();
  }

  async change(
    id: BatchId,
    owner: string,
    from: readonly BatchStatus[],
    changes: Partial<BatchState>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('batches')
      .set(columnsOf(changes))
      .where('id', '=', batchIdBytes(id))
      .where('claimed_by', '=', owner)
      .where('status', 'in', from)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async deleteEnded(beforeMs: number): Promise<void> {
    for (;;) {
      const ended = await this.#database
        .selectFrom('batches')
        .select('id')
        .where('ended_at', '<', beforeMs)
        .limit(DELETED_ROWS)
        .execute();
      await this.#delete(ended.map(({ id }) => id));
      if (ended.length < DELETED_ROWS) return;
    }
  }

  async keepLast(account: AccountId, keptMax: number): Promise<void> {
    const others = await this.#database
      .selectFrom('batches')
      .select('id')
      .where('account_id', '=', account)
      .where('ended_at', 'is not', null)
      .orderBy('ended_at', 'desc')
      .orderBy('id', 'desc')
      .limit(DELETED_ROWS)
      .offset(keptMax)
      .execute();
    await this.#delete(others.map(({ id }) => id));
  }

  async #delete(ids: readonly Uint8Array[]): Promise<void> {
    if (ids.length > 0) await this.#database.deleteFrom('batches').where('id', 'in', ids).execute();
  }
}

function columnsOf({
  outputFileId,
  errorFileId,
  times,
  errors,
  waitingFor,
  totals,
  ...rest
}: Partial<BatchState>): Updateable<BatchRecord> {
  const columns: Updateable<BatchRecord> = { ...rest };
  if (outputFileId !== undefined) columns.output_file = outputFileId === null ? null : fileIdBytes(outputFileId);
  if (errorFileId !== undefined) columns.error_file = errorFileId === null ? null : fileIdBytes(errorFileId);
  if (errors !== undefined) columns.errors = JSON.stringify(errors);
  if (waitingFor !== undefined) columns.waiting_for = waitingFor;
  if (totals !== undefined) columns.totals = totalsText(totals);
  if (times === undefined) return columns;
  columns.times = JSON.stringify(times);
  if (times.endedAt !== undefined) columns.ended_at = times.endedAt;
  return columns;
}

function rowOf(row: Selectable<BatchRecord>): BatchRow {
  return {
    id: batchIdFromBytes(row.id),
    accountId: accountId(row.account_id),
    projectId: projectId(row.project_id),
    keyId: keyId(row.key_id),
    address: row.address,
    endpoint: row.endpoint,
    inputFileId: fileIdFromBytes(row.input_file),
    outputFileId: row.output_file === null ? null : fileIdFromBytes(row.output_file),
    errorFileId: row.error_file === null ? null : fileIdFromBytes(row.error_file),
    status: row.status as BatchStatus,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    keptMs: row.kept_ms,
    times: JSON.parse(row.times) as BatchTimes,
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    errors: JSON.parse(row.errors) as readonly InputError[],
    waiting: row.waiting,
    waitingFor: row.waiting_for,
    totals: row.totals === null ? null : readTotals(row.totals),
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, string>),
  };
}
