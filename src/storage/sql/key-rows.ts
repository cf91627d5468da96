/** Rows of keys. */
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { Key, KeyChanges, NewKey } from '../../accounts/ports.ts';
import { UnreadableRow } from '../../core/feed.ts';
import { accountId, type KeyId, keyId, projectId } from '../../core/ids.ts';
import { writeLimits, writePermissions } from './limits-json.ts';
import { writeRestrictions } from './restrictions-json.ts';
import type { KeyRow, Schema } from './schema.ts';
import { commonColumns, rulesOf } from './scope-rows.ts';
import { readable, storedTexts } from './stored-json.ts';

export function selectKeys(database: Kysely<Schema>) {
  return database
    .selectFrom('keys')
    .innerJoin('projects', 'projects.id', 'keys.project_id')
    .selectAll('keys')
    .select('projects.account_id')
    .orderBy('keys.id');
}

export async function findKey(database: Kysely<Schema>, id: KeyId): Promise<Key | null> {
  const row = await selectKeys(database).where('keys.id', '=', id).executeTakeFirst();
  return row === undefined ? null : readKey(row);
}

export async function insertKey(database: Kysely<Schema>, key: NewKey): Promise<Key> {
  // One statement counts and inserts, so that keys created concurrently do not get the same name.
  const ordinal = sql<string>`'Key ' || (select count(*) + 1 from keys where project_id = ${key.projectId})`;
  const { id } = await database
    .insertInto('keys')
    .values({
      project_id: key.projectId,
      root_id: key.rootId,
      name: key.name ?? ordinal,
      label: key.label,
      kind: key.kind,
      digest: key.digest,
      pepper_id: key.pepperId,
      created_at: key.createdAt,
      created_by: key.createdBy,
      expires_at: key.expiresAt,
      limits: writeLimits(key.limits),
      permissions: writePermissions(key.permissions),
      restrictions: writeRestrictions(key.restrictions ?? {}),
      cache_seconds: key.cacheSeconds ?? null,
      origins: writeOrigins(key.origins ?? null),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return readKey(await selectKeys(database).where('keys.id', '=', id).executeTakeFirstOrThrow());
}

export function keyColumns(changes: KeyChanges): Updateable<KeyRow> {
  const { disabled, expiresAt, revokedAt, retiringAt, updatedAt, restrictions, cacheSeconds, origins } = changes;
  return {
    ...commonColumns(changes),
    ...(disabled === undefined ? {} : { disabled: disabled ? 1 : 0 }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(revokedAt === undefined ? {} : { revoked_at: revokedAt }),
    ...(retiringAt === undefined ? {} : { retiring_at: retiringAt }),
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
    ...(cacheSeconds === undefined ? {} : { cache_seconds: cacheSeconds }),
    ...(origins === undefined ? {} : { origins: writeOrigins(origins) }),
    ...(restrictions === undefined ? {} : { restrictions: writeRestrictions(restrictions) }),
  };
}

function writeOrigins(origins: readonly string[] | null): string | null {
  return origins === null ? null : JSON.stringify(origins);
}

type KeyRowOfAccount = Selectable<KeyRow> & { account_id: number };

const DIGEST_BYTES = 32;

/** A key whose row cannot be read is refused; null for one whose secret is not known either. */
export function unreadableKey(row: KeyRowOfAccount): Key | null {
  if (row.digest.byteLength !== DIGEST_BYTES) return null;
  return readKey({
    ...row,
    kind: 'inference',
    disabled: 1,
    limits: '{}',
    permissions: '{}',
    restrictions: '{}',
    origins: null,
  });
}

/** Throws `UnreadableRow`. */
export function readKey(row: KeyRowOfAccount): Key {
  if (row.digest.byteLength !== DIGEST_BYTES || (row.kind !== 'inference' && row.kind !== 'management'))
    throw new UnreadableRow('key', row.id, new TypeError('its kind or its digest is none'));
  return {
    id: keyId(row.id),
    rootId: keyId(row.root_id ?? row.id),
    projectId: projectId(row.project_id),
    accountId: accountId(row.account_id),
    name: row.name,
    label: row.label,
    kind: row.kind,
    digest: Buffer.from(row.digest.buffer, row.digest.byteOffset, row.digest.byteLength),
    pepperId: row.pepper_id,
    disabled: row.disabled !== 0,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    retiringAt: row.retiring_at,
    updatedAt: row.updated_at,
    seq: row.seq,
    ...(row.cache_seconds === null ? {} : { cacheSeconds: row.cache_seconds }),
    ...rulesOf('key', row),
    ...originsOf(row),
  };
}

function originsOf({ id, origins }: KeyRowOfAccount): Pick<Key, 'origins'> {
  return origins === null ? {} : { origins: readable('key', id, () => storedTexts(origins)) };
}
