/** Handlers for an account's balance and movements; operators post entries and refunds. */
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import { balanceOf } from '../../../billing/money-view.ts';
import type { NotePosted } from '../../../billing/ports.ts';
import { dayOf, dayStart, isoTime, nextMonthOf } from '../../../core/calendar.ts';
import { type AccountId, generationId } from '../../../core/ids.ts';
import { formatUsd, type Money, usdLiteral } from '../../../core/money.ts';
import type { Month, Movement, MovementsExport, StatsReader } from '../../../stats/ports.ts';
import type { balanceRoutes } from '../../contract/balance.ts';
import type { CsvRow } from '../door/csv.ts';
import { type Context, type Handlers, TableAnswer } from '../door/handler.ts';
import { type NameSources, namedKey } from '../reports/names.ts';
import { describeMonth, readMonthsCursor, timeOf, writeMonthsCursor } from './ledger-months.ts';
import { readMovementsCursor, writeMovementsCursor } from './movements-cursor.ts';
import { chargedCall, entryPosted, type Posted, type PostingServices, postEntry, postRefund } from './post-entry.ts';
import { chargedLately, DAYS_OF_PACE } from './spending-pace.ts';

export interface BalanceServices extends PostingServices, NameSources {
  readonly scopes: Pick<ScopeMirror, 'findProject' | 'account'>;
  readonly stats: Pick<StatsReader, 'movements' | 'months' | 'allMovements' | 'usage' | 'call'>;
}

export function balanceHandlers(services: BalanceServices): Handlers<typeof balanceRoutes> {
  return {
    async readBalance({ account }) {
      return { data: await describeBalance(services, account.id) };
    },
    async listMovements({ account }, { query }) {
      const asked: MovementsExport = { accountId: account.id, kind: query.kind, ...timeOf(query) };
      if (query.format === 'csv') {
        const isMonth = query.month !== undefined;
        const subject = query.kind === 'all' ? 'ledger' : `ledger-${query.kind}`;
        return new TableAnswer(COLUMNS, movementRows(services, asked, isMonth), subject, asked);
      }
      const before = query.cursor === undefined ? null : readMovementsCursor(query.cursor);
      const { movements, next, searchedToMs } = await services.stats.movements({
        ...asked,
        before,
        limit: query.limit,
      });
      return {
        data: movements.map((movement) => describeMovement(services, movement)),
        next_cursor: next === null ? null : writeMovementsCursor(next),
        searched_to: searchedToMs === null ? null : isoTime(searchedToMs),
      };
    },
    async listMonths({ account }, { query }) {
      const { months, next } = await services.stats.months({
        accountId: account.id,
        before: query.cursor === undefined ? null : readMonthsCursor(query.cursor),
        limit: query.limit,
        nowMs: services.clock.now(),
      });
      return { data: months.map(describeMonth), next_cursor: next === null ? null : writeMonthsCursor(next) };
    },
    async addEntry(context, { body }) {
      const { kind, amount, reference, note } = body;
      const asked = { kind, amount, callId: null, reference, note: note ?? null };
      await context.checkStill();
      return describePosted(services, context, await postEntry(services, context.account.id, asked, noting(context)));
    },
    async findCharge(_context, { params }) {
      const { accountId, charge, refunded } = await chargedCall(services, params.call);
      const { id, name } = services.scopes.account(accountId);
      return { data: { account: { id, name }, charge: usdLiteral(charge), refunded: usdLiteral(refunded) } };
    },
    async refundCall(context, { body }) {
      const { call, amount, reference, note } = body;
      const asked = { call, amount: amount ?? null, reference, note: note ?? null };
      await context.checkStill();
      return describePosted(services, context, await postRefund(services, asked, context.account.id, noting(context)));
    },
  };
}

async function describeBalance({ bank, stats, clock }: BalanceServices, accountId: AccountId) {
  const state = await balanceOf(bank.money, accountId);
  const charged = await chargedLately(stats, accountId, dayOf(clock.now()));
  return {
    billing_mode: bank.mode,
    balance: usdLiteral(state?.balance ?? null),
    available: usdLiteral(state?.available ?? null),
    held: usdLiteral(state?.held ?? null),
    credited: usdLiteral(state?.credited ?? null),
    charged: usdLiteral(state?.charged ?? null),
    days_left: state === null || charged === null ? null : daysLeft(state.available, charged),
  };
}

/** With one decimal; null if nothing was spent. */
function daysLeft(available: Money, charged: Money): number | null {
  if (charged === 0n) return null;
  if (available <= 0n) return 0;
  return Number((available * BigInt(10 * DAYS_OF_PACE)) / charged) / 10;
}

/** Runs in the transaction of the entry: checks rights again, and writes the audit entry. */
function noting(context: Context): NotePosted {
  return async (entry) => {
    await context.checkStill();
    await context.audit(entryPosted(entry));
  };
}

async function describePosted(services: BalanceServices, context: Context, posted: Posted) {
  const { entry, isNew } = posted;
  const { id, kind, amount, callId, reference, note, at } = entry;
  const record = callId === null ? null : await services.stats.call(callId);
  const call = { callId, model: record?.model ?? null, keyId: record?.keyId ?? null };
  const movement = { at, kind, amount, reference, note, entryId: id, ...call };
  const balance = await describeBalance(services, context.account.id);
  return { data: describeMovement(services, movement), is_new: isNew, balance };
}

function describeMovement(names: NameSources, movement: Movement) {
  return {
    at: isoTime(movement.at),
    kind: movement.kind,
    amount: usdLiteral(movement.amount),
    call: movement.callId === null ? null : generationId(movement.callId),
    model: movement.model,
    key: movement.keyId === null ? null : namedKey(names, movement.keyId),
    entry: movement.entryId,
    reference: movement.reference,
    note: movement.note,
  };
}

const COLUMNS = ['at', 'kind', 'amount_usd', 'call', 'model', 'key_id', 'key', 'entry', 'reference', 'note'];

/**
 * All movements, newest first; sealed months are one line with the balance at their end. A single month has its closing balance (so far,
 * while it runs) before its rows and the opening one after them: opening plus total is the closing.
 */
async function* movementRows(
  services: BalanceServices,
  query: MovementsExport,
  isMonth: boolean,
): AsyncGenerator<CsvRow[], CsvRow> {
  let sum = 0n;
  let count = 0;
  let statement: Month | null = null;
  for await (const { movements, month, sealed } of services.stats.allMovements(query)) {
    if (isMonth && month !== null) {
      statement = month;
      yield [closingRow(month, services.clock.now())];
    }
    for (const { amount } of movements) sum += amount;
    count += movements.length;
    yield movements.map((movement) => movementRow(services, movement));
    if (sealed === null) continue;
    const isOpening = query.kind === 'all' && query.fromMs === null && (query.toMs ?? sealed.endMs) >= sealed.endMs;
    if (isOpening) sum += sealed.balance;
    yield [sealedRow(sealed.endMs, isOpening ? sealed.balance : null)];
  }
  if (statement !== null) yield [balanceRow(dayStart(statement.day), 'opening', statement.opening)];
  return ['total', null, formatUsd(sum as Money), null, null, null, null, null, null, `${count} rows`];
}

function movementRow(services: BalanceServices, row: Movement): CsvRow {
  return [
    isoTime(row.at),
    row.kind,
    formatUsd(row.amount),
    row.callId === null ? null : generationId(row.callId),
    row.model,
    row.keyId,
    row.keyId === null ? null : namedKey(services, row.keyId).name,
    row.entryId,
    row.reference,
    row.note,
  ];
}

/** The current month has no closing yet: the balance now. */
function closingRow({ day, closing }: Month, nowMs: number): CsvRow {
  const endMs = dayStart(nextMonthOf(day));
  return endMs > nowMs ? balanceRow(nowMs, 'so far', closing) : balanceRow(endMs, 'closing', closing);
}

function balanceRow(atMs: number, kind: 'opening' | 'closing' | 'so far', balance: Money): CsvRow {
  return [isoTime(atMs), kind, formatUsd(balance), null, null, null, null, null, null, null];
}

function sealedRow(endMs: number, balance: Money | null): CsvRow {
  const note = 'Older rows are in sealed archives, which `turnpike ledger export` reads.';
  return [
    isoTime(endMs),
    'sealed',
    balance === null ? null : formatUsd(balance),
    null,
    null,
    null,
    null,
    null,
    null,
    note,
  ];
}
