/** Routes of an account's balance and its movements. */
import * as z from 'zod';
import {
  accountQuery,
  boundIn,
  format,
  id,
  month,
  named,
  nextCursor,
  nothing,
  page,
  time,
  timeOrNull,
  usdOrNull,
  usdOut,
} from './fields.ts';
import { plainInput } from './inputs/text-input.ts';
import { usd } from './inputs/usd-input.ts';
import { declare, forCommands } from './route.ts';

const doors = ['dashboard', 'management', 'control'] as const;
const reference = plainInput(200).trim().min(1);
const note = plainInput(1000).nullish();

/** `late_charge`: of a call whose settlement arrived after its month was sealed, with several nodes. */
const movementKind = z.enum(['charge', 'topup', 'promo', 'adjustment', 'refund', 'late_charge']);

export const movementOut = z.strictObject({
  at: time,
  kind: movementKind,
  /** USD; negative if it reduces the balance. */
  amount: usdOrNull,
  /** `gen-…`, the call that was charged or refunded; null for other entries. */
  call: z.string().nullable(),
  model: z.string().nullable(),
  key: z.strictObject({ id, name: z.string() }).nullable(),
  /** Of an entry: its id, reference and note. */
  entry: id.nullable(),
  reference: z.string().nullable(),
  note: z.string().nullable(),
});

const monthOut = z.strictObject({
  month,
  /** Start of the month, and of the next one. */
  from: time,
  to: time,
  /** USD; opening, top-ups, promos, adjustments, refunds and charges add up to the closing balance. */
  opening: usdOut,
  /** Negative if they reduced the balance. Null in a month that was sealed before these sums were kept. */
  topups: usdOrNull,
  promos: usdOrNull,
  adjustments: usdOrNull,
  refunds: usdOrNull,
  charges: usdOrNull,
  /** In the current month, the balance now. */
  closing: usdOut,
  /** Whether its rows are in its archive: they are listed and exported by requests for that month. */
  sealed: z.boolean(),
});

const balanceOut = z.strictObject({
  billing_mode: z.enum(['prepaid', 'postpaid', 'off']),
  /** Available and held together; null without billing. */
  balance: usdOrNull,
  available: usdOrNull,
  held: usdOrNull,
  credited: usdOrNull,
  charged: usdOrNull,
  /** How many days the available balance lasts at the spend of the last 7 full days; null if nothing was spent, or there was no time to read it. */
  days_left: z.number().nullable(),
});

export const balanceRoutes = {
  readBalance: declare({
    method: 'GET',
    path: '/balance',
    summary: 'Get the balance of the account',
    needs: 'viewer',
    doors,
    params: nothing,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({ data: balanceOut }),
  }),
  listMovements: declare({
    method: 'GET',
    path: '/ledger',
    summary: 'List charges, credits and refunds, newest first',
    needs: 'viewer',
    doors,
    params: nothing,
    query: page.extend({
      kind: z.enum(['all', 'charges', 'entries']).default('all'),
      from: boundIn.optional(),
      to: boundIn.optional(),
      /** Instead of `from` and `to`. As CSV, the closing balance comes before the rows and the opening one after them. */
      month: month.optional(),
      /** `csv` returns the whole time range, and ends with a total line. */
      format,
    }),
    body: nothing,
    answer: z.strictObject({
      data: z.array(movementOut),
      next_cursor: nextCursor,
      /** How far back the search got before its time limit; null if the page is full or the end was reached. */
      searched_to: timeOrNull,
    }),
    also: 'text/csv',
  }),
  listMonths: declare({
    method: 'GET',
    path: '/ledger/months',
    summary: 'List monthly statements (UTC), newest first: opening balance, totals by kind, closing balance',
    needs: 'viewer',
    doors,
    params: nothing,
    query: page.extend({ limit: z.coerce.number().int().min(1).max(60).default(12) }),
    body: nothing,
    answer: z.strictObject({ data: z.array(monthOut), next_cursor: nextCursor }),
  }),
  addEntry: declare({
    method: 'POST',
    path: '/balance/entries',
    summary: 'Add credit or adjust the balance, once per reference',
    needs: 'operator',
    doors: ['dashboard', 'control'],
    params: nothing,
    query: accountQuery,
    body: z.strictObject({
      kind: z.enum(['topup', 'promo', 'adjustment']).default('topup'),
      amount: usd,
      reference,
      note,
    }),
    answer: z.strictObject({ data: movementOut, is_new: z.boolean(), balance: balanceOut }),
    status: 201,
  }),
  findCharge: declare({
    ...forCommands,
    method: 'GET',
    path: '/all/charges/:call',
    summary: 'Get the charge of a call and its account',
    params: z.strictObject({ call: z.string().max(100) }),
    query: nothing,
    body: nothing,
    answer: z.strictObject({ data: z.strictObject({ account: named, charge: usdOut, refunded: usdOut }) }),
  }),
  refundCall: declare({
    method: 'POST',
    path: '/balance/refunds',
    summary: 'Refund the charge of a call, or part of it',
    needs: 'operator',
    doors: ['dashboard', 'control'],
    params: nothing,
    query: accountQuery,
    body: z.strictObject({ call: z.string().max(100), amount: usd.nullish(), reference, note }),
    answer: z.strictObject({ data: movementOut, is_new: z.boolean(), balance: balanceOut }),
    status: 201,
  }),
};
