/**
 * Migration `0018_node_loss`: never changed after its release. What the operator absorbs of a settlement that arrived after its node's lease
 * was over.
 */
import type { Kysely } from 'kysely';
import type { SqlFlavour } from '../flavour.ts';

export async function addNodeLoss({ schema }: Kysely<unknown>, { integer }: SqlFlavour): Promise<void> {
  for (const table of ['settlements', 'holds'])
    await schema
      .alterTable(table)
      .addColumn('node_loss_nano', integer, (column) => column.notNull().defaultTo(0))
      .execute();
}
