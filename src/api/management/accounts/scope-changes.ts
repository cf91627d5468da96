/** Audit entries for changes of projects and accounts. */
import type { Account, CaptureSettings, Project } from '../../../accounts/ports.ts';
import { changedFields } from '../../../members/audit-log.ts';
import type { AuditChange } from '../keys/key-changes.ts';
import { describeLimits, describePermissions } from './limits.ts';
import { describeRates } from './rates.ts';

export function projectCreated(project: Project): AuditChange {
  return {
    action: 'project.create',
    subject: subjectOf('project', project),
    before: null,
    after: auditedProject(project),
  };
}

/** Null if nothing differs. */
export function projectUpdated(before: Project, after: Project): AuditChange | null {
  const fields = changedFields(auditedProject(before), auditedProject(after));
  return fields.after === null ? null : { action: 'project.update', subject: subjectOf('project', after), ...fields };
}

/** Null if nothing differs. */
export function accountUpdated(before: Account, after: Account): AuditChange | null {
  const fields = changedFields(auditedAccount(before), auditedAccount(after));
  return fields.after === null ? null : { action: 'account.update', subject: subjectOf('account', after), ...fields };
}

/** The capture settings, in answers and in the audit log. */
export function describeCapture({ on, retentionDays, redact }: CaptureSettings) {
  return { on, retention_days: retentionDays, redact };
}

function auditedProject({ name, archivedAt, limits, permissions }: Project) {
  return {
    name,
    archived: archivedAt !== null,
    limits: describeLimits(limits),
    permissions: describePermissions(permissions),
  };
}

function auditedAccount({ name, limits, permissions, rates, capture }: Account) {
  return {
    name,
    limits: describeLimits(limits),
    permissions: describePermissions(permissions),
    rates: describeRates(rates),
    capture: describeCapture(capture),
  };
}

function subjectOf(kind: 'project' | 'account', { id, name }: Project | Account) {
  return { kind, id: String(id), name };
}
