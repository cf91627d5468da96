/** The ledger as a whole on the control plane: verified, exported, sealed. */
import * as z from 'zod';
import { GatewayError } from '../core/errors.ts';
import { findNamed } from './management/accounts/find-scope.ts';
import { parseInput } from './reply-error.ts';
import type { ControlServices } from './services.ts';

type Services = Pick<ControlServices, 'books' | 'scopes'>;

const verification = z.strictObject({ archive: z.boolean().default(false) });
const sealing = z.strictObject({ month: z.string() });
const time = z.iso.datetime({ offset: true });

const transfersQuery = z.strictObject({
  from: time.nullable().default(null),
  /** Up to but not including. */
  to: time.nullable().default(null),
  account: z.string().nullable().default(null),
  cursor: z.string().nullable().default(null),
  limit: z.coerce.number().int().min(1).max(20_000).default(1000),
});

/** The last moment that a date can name. */
const END_MS = 8_640_000_000_000_000;

export async function verifyLedger({ books }: Services, body: unknown) {
  const report = await books.verify(parseInput(verification, body ?? {}));
  return {
    data: {
      ok: report.violationCount === 0,
      violation_count: report.violationCount,
      violations: report.violations,
      looked_at: {
        accounts: report.accounts,
        settlements: report.settlements,
        entries: report.entries,
        holds: report.holds,
        records: report.records,
        missing_records: report.missingRecords,
        archives: report.archives,
      },
    },
  };
}

export async function checkLedger({ books }: Services) {
  const { violations, accounts, holds, ballast, backupAt, sealedThrough } = await books.check();
  return {
    data: {
      ok: violations.length === 0,
      violations,
      accounts,
      holds,
      ballast,
      backup_at: backupAt === null ? null : new Date(backupAt).toISOString(),
      sealed_through: sealedThrough,
    },
  };
}

export async function sealLedger({ books, audit }: Services & Pick<ControlServices, 'audit'>, body: unknown) {
  const report = await books.seal(parseInput(sealing, body ?? {}).month);
  const { month, accounts, settlements, entries, archive, wasSealed } = report;
  if (!wasSealed)
    await audit({
      action: 'ledger.seal',
      subject: { kind: 'ledger', id: month, name: null },
      accountId: null,
      before: null,
      after: { accounts, settlements, entries, archive },
    });
  return { data: { month, accounts, settlements, entries, archive, was_sealed: wasSealed } };
}

/** A page of transfers in order of time; `cursor` goes on. */
export async function listTransfers({ books, scopes }: Services, query: unknown) {
  const { from, to, account, cursor, limit } = parseInput(transfersQuery, query);
  const fromMs = from === null ? 0 : Date.parse(from);
  const toMs = to === null ? END_MS : Date.parse(to);
  if (fromMs > toMs) throw new GatewayError('invalid_value', { message: 'from lies after to.', param: 'from' });
  const page = await books.transfers({
    fromMs,
    toMs,
    accountId: account === null ? null : findNamed(scopes.accounts(), account, 'account').id,
    cursor,
    limit,
  });
  const data = page.transfers.map((transfer) => ({ ...transfer, amount: JSON.rawJSON(transfer.amount) }));
  return { data, cursor: page.cursor };
}
