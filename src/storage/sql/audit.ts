/**
 * The audit log, in SQL written once for every database. Rows are only added. Each hash covers the previous
 * one, so a row that is changed, removed or inserted is detected; the end of the chain is stored separately, so that
 * removing the last rows is detected too.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { accountId } from '../../core/ids.ts';
import type { AuditEntry, AuditQuery, AuditStore, NewAuditEntry } from '../../members/ports.ts';
import type { AuditRow, Schema } from './schema.ts';
import { storable } from './storable-text.ts';
import { checkedObject, readable } from './stored-json.ts';

type Row = Selectable<AuditRow>;

/** Rows read at a time: few, so that the event loop is not blocked noticeably. */
const PAGE_ROWS = 200;
/** The same if only a few columns are read. */
const SEARCHED_ROWS = 1000;
const NO_HASH = Buffer.alloc(32);
const HEAD = 'audit_head';

export class SqlAuditStore implements AuditStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  /** The transaction reads the previous hash; it begins as a write transaction, so no other append can come in between. */
  append(entry: NewAuditEntry): Promise<void> {
    return this.#database.transaction().execute(async (transaction) => {
      const last = await transaction
        .selectFrom('audit')
        .select(['id', 'hash'])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      // Above the id of removed rows, so that the gap can be detected.
      const row = rowOf(entry, Math.max(last?.id ?? 0, await readHead(transaction)) + 1);
      const hash = hashOf(last?.hash ?? NO_HASH, row);
      await transaction
        .insertInto('audit')
        .values({ ...row, hash })
        .execute();
      await writeHead(transaction, row.id);
    });
  }

  async list(query: AuditQuery): Promise<readonly AuditEntry[]> {
    const { action, actorId, limit } = query;
    let rows = this.#of(query).selectAll();
    if (action === null && actorId === null) rows = rows.limit(limit);
    else rows = rows.where('id', 'in', await this.#search(query));
    return (await rows.execute()).map(readEntry);
  }

  /** A search for rare entries scans the whole log, piece by piece, yielding to the event loop in between. */
  async #search(query: AuditQuery): Promise<number[]> {
    const { action, actorId, limit } = query;
    const found: number[] = [];
    let { before } = query;
    for (;;) {
      const rows = await this.#of({ ...query, before })
        .select(['id', 'action', 'actor_id'])
        .limit(SEARCHED_ROWS)
        .execute();
      for (const row of rows) {
        const matches = row.action.startsWith(action ?? '') && (actorId === null || row.actor_id === actorId);
        if (matches && found.push(row.id) === limit) return found;
      }
      if (rows.length < SEARCHED_ROWS) return found;
      before = rows.at(-1)?.id ?? 0;
      await nextTurn();
    }
  }

  #of({ accountId: account, before }: Pick<AuditQuery, 'accountId' | 'before'>) {
    let rows = this.#database.selectFrom('audit').orderBy('id', 'desc');
    if (account !== null) rows = rows.where('account_id', '=', account);
    if (before !== null) rows = rows.where('id', '<', before);
    return rows;
  }

  async verify(): Promise<number | null> {
    return firstBreak(await readHead(this.#database), (after, limit) => this.#page(after, limit));
  }

  #page(after: number, limit: number): Promise<Row[]> {
    return this.#database.selectFrom('audit').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();
  }
}

/**
 * The id at which the chain is broken, or null. `head` is the id of the last row written; `page` returns rows after an id, in order, and all
 * of them if they are fewer than the limit.
 */
export async function firstBreak(
  head: number,
  page: (after: number, limit: number) => Promise<readonly Row[]>,
): Promise<number | null> {
  let lastId = 0;
  let lastHash: Uint8Array = NO_HASH;
  for (;;) {
    const rows = await page(lastId, PAGE_ROWS);
    for (const row of rows) {
      if (row.id !== lastId + 1 || !hashOf(lastHash, row).equals(row.hash)) return lastId + 1;
      lastId = row.id;
      lastHash = row.hash;
    }
    if (rows.length < PAGE_ROWS) return lastId < head ? lastId + 1 : null;
    await nextTurn();
  }
}

/** The id of the last row written; 0 before the first. */
async function readHead(database: Kysely<Schema>): Promise<number> {
  const fact = await database.selectFrom('facts').select('value').where('name', '=', HEAD).executeTakeFirst();
  return Number(fact?.value ?? 0);
}

async function writeHead(transaction: Transaction<Schema>, id: number): Promise<void> {
  const value = String(id);
  await transaction
    .insertInto('facts')
    .values({ name: HEAD, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Over every column but the hash itself, in an order that never changes. */
function hashOf(before: Uint8Array, row: Omit<Row, 'hash'>): Buffer {
  const columns = [
    row.id,
    row.at,
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.action,
    row.subject_kind,
    row.subject_id,
    row.subject_name,
    row.account_id,
    row.before,
    row.after,
    row.ip,
    row.request_id,
  ];
  return createHash('sha256').update(before).update(JSON.stringify(columns)).digest();
}

/** With texts as they will be read again, because the hash is of what is stored. */
function rowOf(entry: NewAuditEntry, id: number): Omit<Row, 'hash'> {
  return {
    id,
    at: entry.at,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    actor_name: storable(entry.actor.name),
    action: entry.action,
    subject_kind: entry.subject.kind,
    subject_id: storable(entry.subject.id),
    subject_name: entry.subject.name === null ? null : storable(entry.subject.name),
    account_id: entry.accountId,
    before: entry.before === null ? null : JSON.stringify(entry.before),
    after: entry.after === null ? null : JSON.stringify(entry.after),
    ip: entry.ip,
    request_id: entry.requestId,
  };
}

/** Throws `UnreadableRow`. */
function readEntry(row: Row): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id, name: row.subject_name },
    accountId: row.account_id === null ? null : accountId(row.account_id),
    ...readable('audit entry', row.id, () => ({ before: readFields(row.before), after: readFields(row.after) })),
    ip: row.ip,
    requestId: row.request_id,
  };
}

function readFields(text: string | null): Readonly<Record<string, unknown>> | null {
  return text === null ? null : checkedObject(JSON.parse(text, keepDigits), 'it');
}

/** Keeps the source text of an amount that a double would write differently: 0.000000001, 9007199.254740993. */
function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value;
}
