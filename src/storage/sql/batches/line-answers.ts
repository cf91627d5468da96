/** Stored answers of lines of batches, in SQL written once for every database. Rows are written with the settlements of their calls. */
import type { Kysely } from 'kysely';
import { type CallId, callIdBytes, callIdFromBytes, type ProjectId } from '../../../core/ids.ts';
import type { EarlierCall, LineAnswerStore } from '../../../replay/ports.ts';
import type { Schema } from '../schema.ts';

/** Rows deleted at a time: an answer may have megabytes, and settlements wait meanwhile. */
const DELETED_ROWS = 50;

export class SqlLineAnswers implements LineAnswerStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async find(project: ProjectId, keyDigests: readonly Uint8Array[], nowMs: number): Promise<EarlierCall | null> {
    for (const [digest, keyDigest] of keyDigests.entries()) {
      const row = await this.#database
        .selectFrom('replays')
        .select(['call_id', 'body_digest'])
        .where('project_id', '=', project)
        .where('key_digest', '=', keyDigest)
        .where('expires_at', '>', nowMs)
        .executeTakeFirst();
      if (row !== undefined)
        return { callId: callIdFromBytes(row.call_id), digest, bodyDigest: row.body_digest, hasEnded: true };
    }
    return null;
  }

  async between(project: ProjectId, first: Uint8Array, last: Uint8Array): Promise<readonly CallId[]> {
    const rows = await this.#database
      .selectFrom('replays')
      .select('call_id')
      .where('project_id', '=', project)
      .where('key_digest', '>=', first)
      .where('key_digest', '<=', last)
      .execute();
    return rows.map((row) => callIdFromBytes(row.call_id));
  }

  async delete(calls: readonly CallId[]): Promise<void> {
    for (let from = 0; from < calls.length; from += DELETED_ROWS)
      await this.#database
        .deleteFrom('replays')
        .where('call_id', 'in', calls.slice(from, from + DELETED_ROWS).map(callIdBytes))
        .execute();
  }
}
