/** Stored answers for retried requests, in SQL written once for every database. */
import { type Kysely, sql } from 'kysely';
import type { KeptReplay, LedgerStore } from '../../billing/ports.ts';
import { type CallId, callIdBytes, callIdFromBytes, projectId } from '../../core/ids.ts';
import type { Schema } from './schema.ts';

/** Rows read at a time; each is small without its answer. */
const PAGE_ROWS = 500;
/** Rows deleted at a time: an answer may be a megabyte, and settlements wait meanwhile. */
const DELETED_ROWS = 50;

export class SqlReplays implements Pick<LedgerStore, 'replays' | 'replayAnswer'> {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async *replays(nowMs: number): AsyncIterable<KeptReplay> {
    await this.#deleteExpired(nowMs);
    let last: Uint8Array = new Uint8Array(0);
    for (;;) {
      const rows = await this.#database
        .selectFrom('replays')
        .select(['project_id', 'key_digest', 'body_digest', 'call_id', 'created_at', 'expires_at'])
        .select(sql<number>`coalesce(length(answer), 0)`.as('answer_bytes'))
        .where('call_id', '>', last)
        .where('expires_at', '>', nowMs)
        .orderBy('call_id')
        .limit(PAGE_ROWS)
        .execute();
      for (const row of rows)
        yield {
          projectId: projectId(row.project_id),
          keyDigest: row.key_digest,
          bodyDigest: row.body_digest,
          callId: callIdFromBytes(row.call_id),
          createdAt: row.created_at,
          expiresAt: row.expires_at,
          answerBytes: row.answer_bytes,
        };
      if (rows.length < PAGE_ROWS) return;
      last = rows.at(-1)?.call_id ?? last;
    }
  }

  async replayAnswer(callId: CallId): Promise<Uint8Array | null> {
    const row = await this.#database
      .selectFrom('replays')
      .select('answer')
      .where('call_id', '=', callIdBytes(callId))
      .executeTakeFirst();
    return row?.answer ?? null;
  }

  async #deleteExpired(nowMs: number): Promise<void> {
    for (;;) {
      const expired = await this.#database
        .selectFrom('replays')
        .select('call_id')
        .where('expires_at', '<=', nowMs)
        .limit(DELETED_ROWS)
        .execute();
      const ids = expired.map((row) => row.call_id);
      if (ids.length > 0)
        await this.#database
          .deleteFrom('replays')
          .where('call_id', 'in', ids)
          .where('expires_at', '<=', nowMs)
          .execute();
      if (ids.length < DELETED_ROWS) return;
    }
  }
}
