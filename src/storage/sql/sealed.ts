/** Everything in the database that is sealed with the key ring, for sealing it again. */
import { type Kysely, sql } from 'kysely';
import type { SealedRow, SealedStore } from '../../credentials/ports.ts';
import type { Schema } from './schema.ts';

const PROVIDER = 'provider:';
const TOTP = 'totp:';
/** Version and key id. */
const HEAD_BYTES = 9;

export class SqlSealedStore implements SealedStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    this.#database = database;
  }

  async sealed(): Promise<readonly SealedRow[]> {
    const providers = await this.#database
      .selectFrom('providers')
      .select(['name', 'credential'])
      .where('credential', 'is not', null)
      .orderBy('name')
      .execute();
    const users = await this.#database
      .selectFrom('users')
      .select(['id', 'totp_secret'])
      .where('totp_secret', 'is not', null)
      .orderBy('id')
      .execute();
    return [
      ...providers.map(({ name, credential }) => row(`${PROVIDER}${name}`, credential)),
      ...users.map(({ id, totp_secret }) => row(`${TOTP}${id}`, totp_secret)),
    ].flat();
  }

  async replaceSealed(about: string, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    const updated = about.startsWith(PROVIDER)
      ? await this.#database
          .updateTable('providers')
          .set({ credential: after })
          .where('name', '=', about.slice(PROVIDER.length))
          .where('credential', '=', before)
          .executeTakeFirst()
      : await this.#database
          .updateTable('users')
          .set({ totp_secret: after })
          .where('id', '=', Number(about.slice(TOTP.length)))
          .where('totp_secret', '=', before)
          .executeTakeFirst();
    return updated.numUpdatedRows === 1n;
  }

  /** Answers to creations. */
  async expiringHeads(): Promise<readonly Uint8Array[]> {
    const rows = await this.#database
      .selectFrom('creations')
      .select(sql<Uint8Array>`substr(answer, 1, ${HEAD_BYTES})`.as('head'))
      .distinct()
      .where('answer', 'is not', null)
      .execute();
    return rows.map(({ head }) => head);
  }
}

function row(about: string, sealed: Uint8Array | null): readonly SealedRow[] {
  return sealed === null ? [] : [{ about, sealed }];
}
