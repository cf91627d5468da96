/** What a management key or a person created, and what happens to it when they are revoked or removed. */
import * as z from 'zod';
import { count, id } from './fields.ts';
import { role } from './sign-in.ts';

const madeKey = z.strictObject({
  id,
  name: z.string(),
  label: z.string(),
  kind: z.enum(['inference', 'management']),
  status: z.enum(['active', 'retiring', 'disabled', 'archived']),
});

/** Keys that are neither revoked nor expired, newest first; at most 200 are listed. */
const keys = z.array(madeKey).meta({ description: 'Newest first, at most 200.' });

export const madeOut = z.strictObject({
  keys,
  keys_count: count,
  /** Open ones; they are voided when their maker is revoked or removed. */
  invitations: z.array(z.strictObject({ id, email: z.string().nullable(), role })),
});

/** The result of a revocation or a removal. */
export const revocationOut = z.strictObject({
  keys_revoked: count.meta({ description: 'Number of keys it created that were revoked with it.' }),
  /** Keys that it created and that stay good. */
  keys_left: keys,
  keys_left_count: count,
});

export const withMade = z
  .enum(['true', 'false'])
  .default('false')
  .meta({ description: 'Whether to revoke the keys it created as well, cutting off their running calls.' });
