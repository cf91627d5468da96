/** Handlers for the audit log, newest first. */
import { GatewayError } from '../../../core/errors.ts';
import type { AuditEntry, AuditStore } from '../../../members/ports.ts';
import type { auditRoutes } from '../../contract/audit.ts';
import { type Handlers, TableAnswer } from '../door/handler.ts';
import { AUDIT_COLUMNS, auditRows } from './audit-rows.ts';

export interface AuditServices {
  readonly audit: Pick<AuditStore, 'list' | 'verify'>;
}

export function auditHandlers({ audit }: AuditServices): Handlers<typeof auditRoutes> {
  return {
    listAudit: async (context, { query }) => {
      const { cursor, limit, action, actor, everywhere, format } = query;
      if (everywhere === 'true' && !context.isOperator)
        throw new GatewayError('permission_denied', {
          message: 'Only operators can view changes of the whole installation.',
        });
      const asked = {
        accountId: everywhere === 'true' ? null : context.account.id,
        action: action ?? null,
        actorId: actor ?? null,
      };
      if (format === 'csv') {
        const subject = everywhere === 'true' ? 'audit-of-all-accounts' : 'audit';
        return new TableAnswer(AUDIT_COLUMNS, auditRows(audit, asked), subject, { fromMs: null, toMs: null });
      }
      const before = cursor === undefined ? null : readCursor(cursor);
      // One more than the page shows whether there is a next page.
      const entries = await audit.list({ ...asked, before, limit: limit + 1 });
      const page = entries.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(describeEntry),
        next_cursor: entries.length > limit && last !== undefined ? String(last.id) : null,
      };
    },

    verifyAudit: async () => {
      const brokenAt = await audit.verify();
      return { data: { ok: brokenAt === null, broken_at: brokenAt } };
    },
  };
}

function readCursor(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw new GatewayError('invalid_value', {
    message: 'cursor is invalid; use the one from the previous page.',
    param: 'cursor',
  });
}

function describeEntry({ id, at, actor, action, subject, accountId, before, after, ip, requestId }: AuditEntry) {
  return {
    id,
    at: new Date(at).toISOString(),
    actor: { kind: actor.kind, id: actor.id, name: actor.name },
    action,
    subject: { kind: subject.kind, id: subject.id, name: subject.name },
    account_id: accountId,
    before: before === null ? null : { ...before },
    after: after === null ? null : { ...after },
    ip,
    request_id: requestId,
  };
}
