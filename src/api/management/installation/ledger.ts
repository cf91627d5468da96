/** Handlers for the whole ledger: check, verify, export, seal. */
import type { LedgerMaintenance } from '../../../billing/maintenance-ports.ts';
import { GatewayError } from '../../../core/errors.ts';
import { usdLiteral } from '../../../core/money.ts';
import type { ledgerRoutes } from '../../contract/ledger.ts';
import type { Handlers } from '../door/handler.ts';

export interface LedgerServices {
  readonly maintenance: Pick<LedgerMaintenance, 'check' | 'verify' | 'seal' | 'transfers' | 'adopt'>;
}

/** The latest time of a JavaScript `Date`. */
const END_MS = 8_640_000_000_000_000;

export function ledgerHandlers({ maintenance }: LedgerServices): Handlers<typeof ledgerRoutes> {
  return {
    checkLedger: async () => {
      const { violations, accounts, holds, unownedSettlements, ballast, backupAt, sealedThrough } =
        await maintenance.check();
      return {
        data: {
          ok: violations.length === 0,
          violations: [...violations],
          accounts,
          holds,
          ...(unownedSettlements !== undefined && { unowned_settlements: unownedSettlements }),
          ballast,
          backup_at: backupAt === null ? null : new Date(backupAt).toISOString(),
          sealed_through: sealedThrough,
        },
      };
    },

    listTransfers: async (_context, { query: { from, to, of, cursor, limit } }) => {
      const fromMs = from === undefined ? 0 : Date.parse(from);
      const toMs = to === undefined ? END_MS : Date.parse(to);
      if (fromMs > toMs) throw new GatewayError('invalid_value', { message: 'from is later than to.', param: 'from' });
      const page = await maintenance.transfers({ fromMs, toMs, accountId: of ?? null, cursor: cursor ?? null, limit });
      return {
        data: page.transfers.map((transfer) => ({ ...transfer, amount: JSON.rawJSON(transfer.amount) })),
        next_cursor: page.cursor,
        ...(page.note !== undefined && { note: page.note }),
      };
    },

    verifyLedger: async (_context, { body }) => {
      const report = await maintenance.verify(body);
      return {
        data: {
          ok: report.violationCount === 0,
          violation_count: report.violationCount,
          violations: [...report.violations],
          looked_at: {
            accounts: report.accounts,
            settlements: report.settlements,
            entries: report.entries,
            holds: report.holds,
            records: report.records,
            missing_records: report.missingRecords,
            ...(report.unownedSettlements !== undefined && { unowned_settlements: report.unownedSettlements }),
            archives: report.archives,
          },
          ...(report.note !== undefined && { note: report.note }),
        },
      };
    },

    sealLedger: async (context, { body }) => {
      const { month, accounts, settlements, entries, archive, wasSealed } = await maintenance.seal(body.month);
      if (!wasSealed)
        await context.auditDone({
          action: 'ledger.seal',
          subject: { kind: 'ledger', id: month, name: null },
          accountId: null,
          before: null,
          after: { accounts, settlements, entries, archive },
        });
      return { data: { month, accounts, settlements, entries, archive, was_sealed: wasSealed } };
    },

    adoptLedger: async (context) => {
      const { nodes, returned } = await maintenance.adopt();
      await context.auditDone({
        action: 'ledger.adopt',
        subject: { kind: 'ledger', id: 'nodes', name: null },
        accountId: null,
        before: null,
        after: { nodes, returned: usdLiteral(returned) },
      });
      return { data: { nodes, returned: usdLiteral(returned) } };
    },
  };
}
