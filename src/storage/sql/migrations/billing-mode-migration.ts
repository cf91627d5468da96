/**
 * Migration `0007_accounts_without_mode`: once released it is never changed. How calls are paid for is a setting of the
 * installation; what each account was made under was written and never read.
 */
import type { Kysely } from 'kysely';

export async function dropBillingMode({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('accounts').dropColumn('billing_mode').execute();
}
