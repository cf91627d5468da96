/** Money in a request: USD as decimal text, because a JSON number may have been a float on the way. */
import * as z from 'zod';
import { type Money, parseUsd } from '../../../core/money.ts';

export const usd = z
  .string()
  .max(40)
  .transform((text, context): Money => {
    try {
      return parseUsd(text);
    } catch {
      context.addIssue({
        code: 'custom',
        message: 'an amount is a plain decimal of USD with at most 9 places, like "5.25"',
      });
      return z.NEVER;
    }
  });
