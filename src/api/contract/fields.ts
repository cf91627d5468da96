/** Fields that many routes share. */
import * as z from 'zod';
import { usd } from './inputs/usd-input.ts';

export const nothing = z.strictObject({});

/** Money in an answer: USD, an exact decimal number of at most 9 places (`JSON.rawJSON` of `usdLiteral`). */
export const usdOut = z
  .unknown()
  .meta({ type: 'number', description: 'USD, an exact decimal number with at most 9 decimal places.' });
export const usdOrNull = z
  .unknown()
  .meta({ type: ['number', 'null'], description: 'USD, an exact decimal number with at most 9 decimal places.' });
/** Money in a request: USD as decimal text, because a JSON number may have been a float on the way. */
export { usd };

/** ISO 8601, UTC. */
export const time = z.string().meta({ format: 'date-time' });
export const timeOrNull = z.union([time, z.null()]);
/** A time in a request, with its offset. */
export const timeIn = z.iso.datetime({ offset: true });
/** The bound of a time range in a request: a time with its offset, or a date, which is the start of that UTC day. */
export const boundIn = z
  .union([z.iso.date(), timeIn], {
    error: ({ input }) =>
      input === undefined
        ? 'it is missing'
        : 'it must be a date or a time with an offset, such as 2027-01-31 or 2027-01-31T12:00:00Z',
  })
  .meta({ description: 'A time with its offset, or a date: the start of that day in UTC.' });
export const count = z.int().min(0);
export const id = z.int().min(1);
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'an id is a whole number')
  .transform(Number);

/** The account of the request; by default the person's oldest one. A management key has only its own. */
export const accountQuery = z.strictObject({
  account: idText
    .optional()
    .meta({ description: "Account id; default: the person's oldest open account. A key can only use its own." }),
});

export const named = z.strictObject({ id, name: z.string() });

/** A month of the ledger, UTC: `2026-10`. */
export const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'a month is written like 2026-10')
  .meta({ description: 'A month in UTC, such as `2026-10`.' });

/** A page: `cursor` is `next_cursor` of the previous page. */
export const page = accountQuery.extend({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** `csv` returns all rows without pages, and ends with a total line. */
export const format = z.enum(['json', 'csv']).default('json');

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Send it as `cursor` to get the next page; null on the last page.' });

export const done = z.strictObject({ data: z.strictObject({ done: z.literal(true) }) });

/** Limits of a key, project or account; null means unlimited. */
export const limitsOut = z.strictObject({
  requests_per_minute: z.int().nullable(),
  requests_per_day: z.int().nullable(),
  tokens_per_minute: z.int().nullable(),
  concurrent_calls: z.int().nullable(),
  /** By window; an absent window has no budget. */
  budgets: z.strictObject({
    day: usdOut.optional(),
    week: usdOut.optional(),
    month: usdOut.optional(),
    total: usdOut.optional(),
  }),
});

/** Restricted fields: nobody below the level may loosen them. */
export const restrictedOut = z
  .array(
    z.strictObject({
      field: z.string().meta({ description: '`disabled`, `expires_at`, `limits.budgets.day`, `permissions.ips`, …' }),
      by: z.enum(['admin', 'owner', 'operator']),
    }),
  )
  .meta({
    description: 'Restricted fields, with the level that restricted them: nobody below that level can loosen them.',
  });

/** Null allows all. */
export const permissionsOut = z.strictObject({
  operations: z.array(z.string()).nullable(),
  models_allow: z.array(z.string()).nullable(),
  models_deny: z.array(z.string()).nullable(),
  ips: z.array(z.string()).nullable(),
});
