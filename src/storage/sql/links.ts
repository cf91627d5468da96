/** One-use links, invitations among them, in SQL written once for every database. */
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import { type AccountId, accountId, keyId } from '../../core/ids.ts';
import type { Link, LinkId, LinkPurpose, NewLink, UserId } from '../../members/ports.ts';
import type { LinkRow } from './rows/people-rows.ts';
import type { Schema } from './schema.ts';

export class SqlLinkStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async createLink(link: NewLink, digest: Uint8Array): Promise<Link> {
    const row = await this.#database
      .insertInto('links')
      .values({
        digest,
        purpose: link.purpose,
        user_id: link.userId,
        account_id: link.accountId,
        role: link.role,
        email: link.email,
        created_at: link.createdAt,
        created_by: link.createdBy,
        created_by_key: link.createdByKey,
        expires_at: link.expiresAt,
        name: link.signUp?.name ?? null,
        password_hash: link.signUp?.passwordHash ?? null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return readLink(row);
  }

  async linkByDigest(digest: Uint8Array): Promise<Link | null> {
    const row = await this.#database.selectFrom('links').selectAll().where('digest', '=', digest).executeTakeFirst();
    return row === undefined ? null : readLink(row);
  }

  async useLink(id: LinkId, at: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('links')
      // The hash has been copied to the user, or is no longer needed.
      .set({ used_at: at, password_hash: null })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async keepLinkFor(id: LinkId, userId: UserId, at: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('links')
      .set({ used_at: at, user_id: userId })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async useKeptLink(id: LinkId): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('links')
      .set({ user_id: null })
      .where('id', '=', id)
      .where('used_at', 'is not', null)
      .where('user_id', 'is not', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async invitationsOf(account: AccountId, nowMs: number): Promise<readonly Link[]> {
    const rows = await this.#openInvitations(nowMs).where('account_id', '=', account).execute();
    return rows.map(readLink);
  }

  async invitationsBy(user: UserId, nowMs: number): Promise<readonly Link[]> {
    const rows = await this.#openInvitations(nowMs).where('created_by', '=', user).execute();
    return rows.map(readLink);
  }

  /** Oldest first. */
  #openInvitations(nowMs: number) {
    return this.#database
      .selectFrom('links')
      .selectAll()
      .where('purpose', '=', 'invitation')
      .where(isOpen)
      .where('expires_at', '>', nowMs)
      .orderBy('id');
  }

  async deleteInvitation(account: AccountId, id: LinkId): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('links')
      .where('id', '=', id)
      .where('account_id', '=', account)
      .where('purpose', '=', 'invitation')
      .where(isOpen)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async deleteLinks(purpose: LinkPurpose, userId: UserId | null): Promise<void> {
    const all = this.#database.deleteFrom('links').where('purpose', '=', purpose).where('used_at', 'is', null);
    await (userId === null ? all : all.where('user_id', '=', userId)).execute();
  }

  async deleteLinksBefore(expiresAt: number): Promise<void> {
    await this.#database.deleteFrom('links').where('expires_at', '<', expiresAt).execute();
  }
}

/** Unused, or reserved for a person. */
function isOpen({ eb, or }: ExpressionBuilder<Schema, 'links'>) {
  return or([eb('used_at', 'is', null), eb('user_id', 'is not', null)]);
}

function readLink(row: Selectable<LinkRow>): Link {
  return {
    id: row.id as LinkId,
    purpose: row.purpose,
    userId: row.user_id as UserId | null,
    accountId: row.account_id === null ? null : accountId(row.account_id),
    role: row.role,
    email: row.email,
    createdAt: row.created_at,
    createdBy: row.created_by as UserId | null,
    createdByKey: row.created_by_key === null ? null : keyId(row.created_by_key),
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    signUp:
      row.name === null || row.password_hash === null ? null : { name: row.name, passwordHash: row.password_hash },
  };
}
