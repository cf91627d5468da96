/**
 * The access that a data folder restored from a backup grants: keys, invitations, sessions and links as of the backup, even if they
 * were revoked or used since. For a folder that is not being served.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { systemClock } from '../../../core/clock.ts';
import type { RestoredInvitation, RestoredKey, RestoredRights } from '../../restore.ts';
import { SqlAuditStore } from '../../sql/audit.ts';
import type { Schema } from '../../sql/schema.ts';
import { Gate } from '../engine/gate.ts';
import { NodeSqliteDialect } from '../engine/kysely-dialect.ts';
import { openReadOnly } from '../engine/open-read-only.ts';
import { DATABASE_FILE } from '../files.ts';

/** A condition on a key joined with its project; `?1` is wall time. */
const IS_GOOD_KEY = `keys.revoked_at IS NULL AND keys.disabled = 0 AND projects.archived_at IS NULL
  AND coalesce(keys.expires_at, ?1 + 1) > ?1 AND coalesce(keys.retiring_at, ?1 + 1) > ?1`;

/** The rule of `members/accept-invitation.ts`: the system, an operator, or an owner or admin of the account who may grant the role. */
const PERSON_MAY_INVITE = `(links.created_by IS NULL OR EXISTS (
  SELECT 1 FROM users LEFT JOIN memberships ON memberships.user_id = users.id AND memberships.account_id = links.account_id
  WHERE users.id = links.created_by AND users.disabled_at IS NULL AND (users.is_operator = 1
    OR memberships.role = 'owner' OR (memberships.role = 'admin' AND links.role <> 'owner'))))`;

/** A valid management key can grant at most the role developer. */
const MAKER_MAY_INVITE = `CASE WHEN links.created_by_key IS NULL THEN ${PERSON_MAY_INVITE}
  ELSE links.role IN ('developer', 'viewer') AND EXISTS (
    SELECT 1 FROM keys JOIN projects ON projects.id = keys.project_id
    WHERE keys.id = links.created_by_key AND keys.kind = 'management' AND projects.account_id = links.account_id
      AND ${IS_GOOD_KEY}) END`;

/** `thenMs` is the time of the backup, wall time. */
export function restoredRights(folder: string, thenMs: number): RestoredRights {
  const database = openReadOnly(join(folder, DATABASE_FILE));
  try {
    const keys = database
      .prepare(
        `SELECT keys.id, keys.name, keys.label, keys.kind, projects.name AS project, accounts.name AS account
         FROM keys JOIN projects ON projects.id = keys.project_id JOIN accounts ON accounts.id = projects.account_id
         WHERE ${IS_GOOD_KEY} ORDER BY keys.id`,
      )
      .all(thenMs) as unknown as RestoredKey[];
    // A backup of a version without a dashboard has only keys.
    if (!hasPeople(database)) return { keys, invitations: [], sessions: 0, links: 0 };
    const invitations = database
      .prepare(
        `SELECT links.id, links.email, links.role, accounts.name AS account
         FROM links JOIN accounts ON accounts.id = links.account_id
         WHERE links.purpose = 'invitation' AND (links.used_at IS NULL OR links.user_id IS NOT NULL) AND links.expires_at > ?1
           AND accounts.closed_at IS NULL AND ${hasMakers(database) ? MAKER_MAY_INVITE : PERSON_MAY_INVITE}
         ORDER BY links.id`,
      )
      .all(thenMs) as unknown as RestoredInvitation[];
    const sessions = count(database, 'SELECT count(*) AS n FROM sessions WHERE expires_at > ?', thenMs);
    const links = count(
      database,
      "SELECT count(*) AS n FROM links WHERE purpose <> 'invitation' AND used_at IS NULL AND expires_at > ?",
      thenMs,
    );
    return {
      keys: keys.map((key) => ({ ...key })),
      invitations: invitations.map((each) => ({ ...each })),
      sessions,
      links,
    };
  } finally {
    database.close();
  }
}

/** Revokes every key, including disabled and archived ones, and ends every session and link; writes an audit entry. */
export async function revokeRestored(folder: string, nowMs: number): Promise<void> {
  const database = new DatabaseSync(join(folder, DATABASE_FILE));
  try {
    database.exec('BEGIN IMMEDIATE');
    const { changes: keys } = database.prepare('UPDATE keys SET revoked_at = ? WHERE revoked_at IS NULL').run(nowMs);
    const withPeople = hasPeople(database);
    const links = withPeople
      ? database
          .prepare("DELETE FROM links WHERE used_at IS NULL OR (purpose = 'invitation' AND user_id IS NOT NULL)")
          .run().changes
      : 0;
    const sessions = withPeople ? database.prepare('DELETE FROM sessions').run().changes : 0;
    database.exec('COMMIT');
    if (withPeople) await audit(database, { keys, links, sessions }, nowMs);
  } finally {
    database.close();
  }
}

async function audit(database: DatabaseSync, after: Readonly<Record<string, unknown>>, nowMs: number): Promise<void> {
  const kysely = new Kysely<Schema>({
    dialect: new NodeSqliteDialect({ database, gate: new Gate(), clock: systemClock }),
  });
  await new SqlAuditStore(kysely).append({
    at: nowMs,
    actor: { kind: 'operator', id: null, name: 'Command line' },
    action: 'backup.revoke_all',
    subject: { kind: 'backup', id: 'restored', name: null },
    accountId: null,
    before: null,
    after,
    ip: null,
    requestId: null,
  });
}

function hasPeople(database: DatabaseSync): boolean {
  return count(database, "SELECT count(*) AS n FROM sqlite_master WHERE type = 'table' AND name = 'links'") > 0;
}

/** Whether links have the management key that created them; in older backups they do not. */
function hasMakers(database: DatabaseSync): boolean {
  return count(database, "SELECT count(*) AS n FROM pragma_table_info('links') WHERE name = 'created_by_key'") > 0;
}

function count(database: DatabaseSync, sql: string, ...given: number[]): number {
  const row = database.prepare(sql).get(...given) as { readonly n: number };
  return Number(row.n);
}
