/** Routes of the audit log. */
import * as z from 'zod';
import { format, id, idText, nextCursor, nothing, page, time } from './fields.ts';
import { declare, forCommands } from './route.ts';

export const auditOut = z.strictObject({
  id,
  at: time,
  actor: z.strictObject({
    kind: z.enum(['user', 'key', 'operator', 'system']),
    id: id.nullable(),
    /** The name at that time. */
    name: z.string(),
  }),
  /** `key.create`, `member.update`, … */
  action: z.string(),
  subject: z.strictObject({ kind: z.string(), id: z.string(), name: z.string().nullable() }),
  account_id: id.nullable(),
  /** The fields that changed, without secrets. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  ip: z.string().nullable(),
  request_id: z.string().nullable(),
});

export const auditRoutes = {
  listAudit: declare({
    method: 'GET',
    path: '/audit',
    summary: 'List audit log entries of the account, newest first',
    needs: 'admin',
    doors: ['dashboard', 'management', 'control'],
    params: nothing,
    query: page.extend({
      /** An action, or a prefix: `key.`. */
      action: z.string().max(60).optional(),
      actor: idText.optional(),
      /** Operators only: changes of the whole installation. */
      everywhere: z.enum(['true', 'false']).default('false'),
      format,
    }),
    body: nothing,
    answer: z.strictObject({ data: z.array(auditOut), next_cursor: nextCursor }),
    also: 'text/csv',
  }),
  verifyAudit: declare({
    ...forCommands,
    method: 'POST',
    path: '/audit/verify',
    summary: 'Verify that no entry of the audit log was changed or removed',
    params: nothing,
    query: nothing,
    body: nothing,
    answer: z.strictObject({
      /** The id of the first entry that was changed or removed; null if the log is intact. */
      data: z.strictObject({ ok: z.boolean(), broken_at: id.nullable() }),
    }),
  }),
};
