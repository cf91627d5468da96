/** Stored answers to creations, for retried requests, in SQL written once for every database. */
import type { Kysely } from 'kysely';
import type { Creation, CreationStore } from '../../members/creation-ports.ts';
import type { Schema } from './schema.ts';

type Claim = Pick<Creation, 'keyDigest' | 'createdAt'>;

export class SqlCreationStore implements CreationStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async begin(claim: Omit<Creation, 'answer'>, abandonedBefore: number): Promise<Creation | null> {
    // Expired rows are deleted first, so there are never more rows than creations of a day.
    await this.#database.deleteFrom('creations').where('expires_at', '<=', claim.createdAt).execute();
    const { numInsertedOrUpdatedRows: inserted } = await this.#database
      .insertInto('creations')
      .values({
        key_digest: claim.keyDigest,
        body_digest: claim.bodyDigest,
        status: null,
        answer: null,
        created_at: claim.createdAt,
        expires_at: claim.expiresAt,
      })
      .onConflict((conflict) => conflict.column('key_digest').doNothing())
      .executeTakeFirst();
    if (inserted === 1n || (await this.#takeOver(claim, abandonedBefore))) return null;
    const found = await this.#find(claim.keyDigest);
    // It was abandoned at this very moment: reported as still running, so that the caller retries.
    return found ?? { ...claim, answer: null };
  }

  async finish(
    { keyDigest, createdAt }: Claim,
    answer: { readonly status: number; readonly body: Uint8Array },
  ): Promise<void> {
    await this.#database
      .updateTable('creations')
      .set({ status: answer.status, answer: answer.body })
      .where('key_digest', '=', keyDigest)
      .where('created_at', '=', createdAt)
      .execute();
  }

  async abandon({ keyDigest, createdAt }: Claim): Promise<void> {
    await this.#database
      .deleteFrom('creations')
      .where('key_digest', '=', keyDigest)
      .where('created_at', '=', createdAt)
      .where('status', 'is', null)
      .execute();
  }

  async #takeOver(claim: Omit<Creation, 'answer'>, abandonedBefore: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('creations')
      .set({ created_at: claim.createdAt, expires_at: claim.expiresAt })
      .where('key_digest', '=', claim.keyDigest)
      .where('body_digest', '=', claim.bodyDigest)
      .where('status', 'is', null)
      .where('created_at', '<', abandonedBefore)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async #find(keyDigest: Uint8Array): Promise<Creation | null> {
    const row = await this.#database
      .selectFrom('creations')
      .selectAll()
      .where('key_digest', '=', keyDigest)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      keyDigest: row.key_digest,
      bodyDigest: row.body_digest,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      answer: row.status === null || row.answer === null ? null : { status: row.status, body: row.answer },
    };
  }
}
