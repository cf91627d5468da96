/**
 * Migration `0007_accounts_without_mode`: never changed after its release. How calls are paid for is a setting of the
 * installation; the mode of each account was written and never read.
 */
import type { Kysely } from 'kysely';

export async function dropBillingMode({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('accounts').dropColumn('billing_mode').execute();
}
