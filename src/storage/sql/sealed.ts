/** Everything in the database that is sealed with the key ring, for sealing it again. */
import { type Kysely, sql } from 'kysely';
import type { SealedRow, SealedStore } from '../../credentials/ports.ts';
import type { Schema } from './schema.ts';

const PROVIDER = 'provider:';
/** Its further ones, together. */
const MORE_OF_PROVIDER = 'provider-credentials:';
const TOTP = 'totp:';
const OWN = 'own:';
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
      .select(['name', 'credential', 'more_credentials'])
      .orderBy('name')
      .execute();
    const users = await this.#database
      .selectFrom('users')
      .select(['id', 'totp_secret'])
      .where('totp_secret', 'is not', null)
      .orderBy('id')
      .execute();
    const own = await this.#database
      .selectFrom('own_credentials')
      .select(['id', 'account_id', 'project_id', 'secret', 'previous'])
      .orderBy('id')
      .execute();
    return [
      ...providers.map(({ name, credential }) => row(`${PROVIDER}${name}`, credential)),
      ...providers.map(({ name, more_credentials }) => row(`${MORE_OF_PROVIDER}${name}`, more_credentials)),
      ...users.map(({ id, totp_secret }) => row(`${TOTP}${id}`, totp_secret)),
      ...own.map((each) => row(ownPlace(each, 'secret'), each.secret)),
      ...own.map((each) => row(ownPlace(each, 'previous'), each.previous)),
    ].flat();
  }

  async replaceSealed(about: string, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    if (about.startsWith(OWN)) return this.#replaceOwn(about, before, after);
    if (about.startsWith(MORE_OF_PROVIDER)) return this.#replaceMore(about, before, after);
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

  async #replaceOwn(about: string, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    const [, id = '', , , field] = about.split(':');
    const column = field === 'previous' ? 'previous' : 'secret';
    const updated = await this.#database
      .updateTable('own_credentials')
      .set({ [column]: after })
      .where('id', '=', id)
      .where(column, '=', before)
      .executeTakeFirst();
    return updated.numUpdatedRows === 1n;
  }

  async #replaceMore(about: string, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    const updated = await this.#database
      .updateTable('providers')
      .set({ more_credentials: after })
      .where('name', '=', about.slice(MORE_OF_PROVIDER.length))
      .where('more_credentials', '=', before)
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

/** As `byok/sealed-places.ts` has it, which seals and opens them. */
function ownPlace(
  {
    id,
    account_id,
    project_id,
  }: { readonly id: string; readonly account_id: number; readonly project_id: number | null },
  field: 'secret' | 'previous',
): string {
  return `${OWN}${id}:${account_id}:${project_id ?? 0}:${field}`;
}
