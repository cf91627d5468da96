/** The audit log as a table, newest first, without entries added while it is read. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isoTime } from '../../../core/calendar.ts';
import type { AuditEntry, AuditQuery, AuditStore } from '../../../members/ports.ts';
import type { CsvRow } from '../door/csv.ts';

export const AUDIT_COLUMNS = [
  'at',
  'entry',
  'actor_kind',
  'actor_id',
  'actor',
  'action',
  'subject_kind',
  'subject_id',
  'subject',
  'account_id',
  'before',
  'after',
  'ip',
  'request_id',
];

/** Read on the main thread: about 2 ms. */
const BATCH_ENTRIES = 200;

export async function* auditRows(
  audit: Pick<AuditStore, 'list'>,
  query: Omit<AuditQuery, 'before' | 'limit'>,
): AsyncGenerator<CsvRow[], CsvRow> {
  let count = 0;
  for (let before: number | null = null; ; ) {
    const entries: readonly AuditEntry[] = await audit.list({ ...query, before, limit: BATCH_ENTRIES });
    count += entries.length;
    yield entries.map(auditRow);
    if (entries.length < BATCH_ENTRIES) break;
    before = entries.at(-1)?.id ?? null;
    await nextTurn();
  }
  return ['total', `${count} changes`, ...AUDIT_COLUMNS.slice(2).map(() => null)];
}

function auditRow({ id, at, actor, action, subject, accountId, before, after, ip, requestId }: AuditEntry): CsvRow {
  return [
    isoTime(at),
    id,
    actor.kind,
    actor.id,
    actor.name,
    action,
    subject.kind,
    subject.id,
    subject.name,
    accountId,
    before === null ? null : JSON.stringify(before),
    after === null ? null : JSON.stringify(after),
    ip,
    requestId,
  ];
}
