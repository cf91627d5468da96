/** What statements of months are read from, as migration `0006_months` added it: once released it is never changed. */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

/** Of a month, what moved by kind; null in seals of before. */
const SUMS = ['topups_nano', 'promos_nano', 'adjustments_nano', 'refunds_nano', 'charges_nano'];

export async function addMonths({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  for (const name of SUMS) await schema.alterTable('seals').addColumn(name, integer).execute();
  // With all that a sum by kind needs, so that no row is looked up.
  await schema
    .createIndex('entries_by_time')
    .on('entries')
    .columns(['account_id', 'at', 'kind', 'amount_nano'])
    .execute();
  // Rollups sum up all charges, and these moved no balance: there are none where billing was never off. In order of time, because
  // that is the order in which calls are written, some of all accounts at once.
  await schema
    .createIndex('settlements_beside_balances')
    .on('settlements')
    .columns(['admitted_at', 'account_id', 'charge_nano'])
    .where('hold_nano' as never, 'is', null)
    .where('charge_nano' as never, '<>', 0 as never)
    .execute();
}
