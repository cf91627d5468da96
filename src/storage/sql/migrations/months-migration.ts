/** Migration `0006_months`: never changed after its release. Adds what monthly statements are read from. */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

/** A month's movements by kind; null in earlier seals. */
const SUMS = ['topups_nano', 'promos_nano', 'adjustments_nano', 'refunds_nano', 'charges_nano'];

export async function addMonths({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  for (const name of SUMS) await schema.alterTable('seals').addColumn(name, integer).execute();
  // A covering index for sums by kind, so that no row is read.
  await schema
    .createIndex('entries_by_time')
    .on('entries')
    .columns(['account_id', 'at', 'kind', 'amount_nano'])
    .execute();
  // Rollups include these charges, which moved no balance; there are none if billing was never off. Ordered by time, because
  // calls of all accounts are written in that order.
  await schema
    .createIndex('settlements_beside_balances')
    .on('settlements')
    .columns(['admitted_at', 'account_id', 'charge_nano'])
    .where('hold_nano' as never, 'is', null)
    .where('charge_nano' as never, '<>', 0 as never)
    .execute();
}
