/** Routes of the whole ledger, for all accounts: check, verify, export, seal. */
import * as z from 'zod';
import { boundIn, count, id, idText, month, nextCursor, nothing, time, timeOrNull, usdOut } from './fields.ts';
import { declare, forCommands } from './route.ts';

const violation = z.strictObject({ rule: z.string(), subject: z.string(), detail: z.string() });

export const ledgerRoutes = {
  checkLedger: declare({
    ...forCommands,
    method: 'GET',
    path: '/ledger/check',
    summary: 'Check balances against their totals, without reading each settlement',
    params: nothing,
    query: nothing,
    body: nothing,
    answer: z.strictObject({
      data: z.strictObject({
        ok: z.boolean(),
        violations: z.array(violation),
        accounts: count,
        holds: count,
        /** Whose account is lost, since the database went back; absent with SQLite. */
        unowned_settlements: count.optional(),
        /** Whether the ballast file for a full disk exists. */
        ballast: z.boolean(),
        backup_at: timeOrNull,
        sealed_through: z.string().nullable(),
      }),
    }),
  }),
  listTransfers: declare({
    ...forCommands,
    method: 'GET',
    path: '/ledger/transfers',
    summary: 'List transfers between ledger accounts in chronological order',
    params: nothing,
    query: z.strictObject({
      from: boundIn.optional(),
      /** Not included. */
      to: boundIn.optional(),
      /** Id of an account; by default all accounts. */
      of: idText.optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(20_000).default(1000),
    }),
    body: nothing,
    answer: z.strictObject({
      data: z.array(
        z.strictObject({
          time,
          debit: z.string(),
          credit: z.string(),
          amount: usdOut,
          /** `gen-…`, for a call. */
          call: z.string().nullable(),
          /** For an entry. */
          reference: z.string().nullable(),
          account: id,
        }),
      ),
      next_cursor: nextCursor,
      /** That the database was read instead of the replica for reports, and why. */
      note: z.string().optional(),
    }),
  }),
  verifyLedger: declare({
    ...forCommands,
    method: 'POST',
    path: '/ledger/verify',
    summary: 'Recompute balances, charges, costs and totals; violations are returned in the response',
    params: nothing,
    query: nothing,
    /** `archive`: includes the archives of sealed months. */
    body: z.strictObject({ archive: z.boolean().default(false) }),
    answer: z.strictObject({
      data: z.strictObject({
        ok: z.boolean(),
        violation_count: count,
        /** The first violations. */
        violations: z.array(violation),
        /** How many of each were checked. */
        looked_at: z.strictObject({
          accounts: count,
          settlements: count,
          entries: count,
          holds: count,
          records: count,
          missing_records: count,
          /** Whose account is lost, since the database went back; absent with SQLite. */
          unowned_settlements: count.optional(),
          archives: count,
        }),
        /** That the database was read instead of the replica for reports, and why. */
        note: z.string().optional(),
      }),
    }),
  }),
  sealLedger: declare({
    ...forCommands,
    method: 'POST',
    path: '/ledger/seal',
    summary: 'Seal a past month: moves its rows to an archive; its closing balances stay',
    params: nothing,
    query: nothing,
    body: z.strictObject({ month }),
    answer: z.strictObject({
      data: z.strictObject({
        month: z.string(),
        accounts: count,
        settlements: count,
        entries: count,
        /** The absolute path of the archive with the rows. */
        archive: z.string(),
        /** Whether it was already sealed, and nothing changed. */
        was_sealed: z.boolean(),
      }),
    }),
  }),
  adoptLedger: declare({
    ...forCommands,
    method: 'POST',
    path: '/ledger/adopt',
    summary:
      'After the database was restored to an earlier time: return everything that is lent to nodes, which register again',
    params: nothing,
    query: nothing,
    body: nothing,
    answer: z.strictObject({
      data: z.strictObject({
        nodes: count,
        /** USD that were lent of balances. */
        returned: usdOut,
      }),
    }),
  }),
};
