/** Audit entries for changes of keys. */
import type { Key } from '../../../accounts/keys.ts';
import type { Changed } from '../../../accounts/ports.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import { isoTime } from '../../../core/calendar.ts';
import { changedFields } from '../../../members/audit-log.ts';
import type { NewAuditEntry } from '../../../members/ports.ts';
import { describeLimits, describePermissions } from '../accounts/limits.ts';
import { statusOf } from './key-status.ts';

/** A change in the audit log; the caller adds the actor and the time. */
export type AuditChange = Pick<NewAuditEntry, 'action' | 'subject' | 'before' | 'after'>;

export function keyCreated(key: Key): AuditChange {
  return {
    action: 'key.create',
    subject: subjectOf(key),
    before: null,
    after: { ...auditedKey(key), kind: key.kind, project: key.projectId, label: key.label },
  };
}

/** Null if nothing differs. */
export function keyUpdated(before: Key, after: Key): AuditChange | null {
  const fields = changedFields(auditedKey(before), auditedKey(after));
  return fields.after === null ? null : { action: 'key.update', subject: subjectOf(after), ...fields };
}

/** `before` is the key before the revocation. Null if it was already revoked and no calls are cut. */
export function keyRevoked(before: Key, { now }: { readonly now: boolean }): AuditChange | null {
  const wasRevoked = before.revokedAt !== null;
  if (wasRevoked && !now) return null;
  return {
    action: 'key.revoke',
    subject: subjectOf(before),
    before: { revoked: wasRevoked },
    after: { revoked: true, calls_cut: now },
  };
}

/** Earlier secrets of a rotated key that changed with it, for answers. */
export function describePredecessors(
  predecessors: readonly Changed<Key>[],
  scopes: Pick<ScopeMirror, 'findProject'>,
  nowMs: number,
) {
  return predecessors.map(({ after: key }) => ({
    id: key.id,
    label: key.label,
    status: statusOf(key, scopes.findProject(key.projectId), nowMs),
  }));
}

export function keyRotated(retiring: Key, successor: Key): AuditChange {
  return {
    action: 'key.rotate',
    subject: subjectOf(retiring),
    before: { retiring_at: null },
    after: { retiring_at: isoTime(retiring.retiringAt), successor: successor.id },
  };
}

/** All fields of a key that can be changed. */
function auditedKey(key: Key): Readonly<Record<string, unknown>> {
  return {
    name: key.name,
    disabled: key.disabled,
    expires_at: isoTime(key.expiresAt),
    limits: describeLimits(key.limits),
    permissions: describePermissions(key.permissions),
    cache_seconds: key.cacheSeconds ?? null,
    origins: key.origins ?? null,
  };
}

function subjectOf(key: Key) {
  return { kind: 'key', id: String(key.id), name: key.name };
}
