/** Fields that many routes share. */
import * as z from 'zod';
import { usd } from './usd-input.ts';

export const nothing = z.strictObject({});

/** Money in an answer: USD, an exact decimal number of at most 9 places (`JSON.rawJSON` of `usdLiteral`). */
export const usdOut = z
  .unknown()
  .meta({ type: 'number', description: 'USD, an exact decimal number with at most 9 decimal places.' });
export const usdOrNull = z
  .unknown()
  .meta({ type: ['number', 'null'], description: 'USD, an exact decimal number with at most 9 decimal places.' });
/** Money in a request: USD as decimal text, because a JSON number may have been a float on its way. */
export { usd };

/** ISO 8601, UTC. */
export const time = z.string().meta({ format: 'date-time' });
export const timeOrNull = z.union([time, z.null()]);
/** A time in a request, with its offset. */
export const timeIn = z.iso.datetime({ offset: true });
export const count = z.int().min(0);
export const id = z.int().min(1);
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'an id is a whole number')
  .transform(Number);

/** Which account is asked about; the oldest one of the person when absent. A management key has only its own. */
export const accountQuery = z.strictObject({
  account: idText
    .optional()
    .meta({ description: "Account id; default: the person's oldest open account. A key can only use its own." }),
});

export const named = z.strictObject({ id, name: z.string() });

/** A month of the ledger, that of UTC: `2026-10`. */
export const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'a month is written like 2026-10')
  .meta({ description: 'A month in UTC, such as `2026-10`.' });

/** A page: `cursor` is what the page before said in `next_cursor`. */
export const page = accountQuery.extend({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** `csv` answers everything that is meant, without pages, and ends with a total line. */
export const format = z.enum(['json', 'csv']).default('json');

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Send it as `cursor` to get the next page; null on the last page.' });

export const done = z.strictObject({ data: z.strictObject({ done: z.literal(true) }) });

/** What a key, project or account may do at most; null is no limit. */
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

/** What nobody below that level may loosen. */
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
