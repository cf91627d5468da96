/** The movements of a month by kind, as stored in seals, so that statements do not open archives. */
import type { DatabaseSync } from 'node:sqlite';
import { bigStatement } from '../engine/open-read-only.ts';

/** Nano-USD; negative if they lower a balance. */
export interface SealSums {
  readonly topups: bigint;
  readonly promos: bigint;
  readonly adjustments: bigint;
  readonly refunds: bigint;
  readonly charges: bigint;
}

export const NO_SUMS: SealSums = { topups: 0n, promos: 0n, adjustments: 0n, refunds: 0n, charges: 0n };

/** The sums of all rows of a database, by account. */
export function sealSumsOf(database: DatabaseSync): Map<number, SealSums> {
  const sums = new Map<number, SealSums>();
  const entered = bigStatement(
    database,
    `SELECT account_id AS account, ${['topup', 'promo', 'adjustment', 'refund']
      .map((kind) => `sum(CASE kind WHEN '${kind}' THEN amount_nano ELSE 0 END) AS ${kind}s`)
      .join(
        ', ',
      )}, sum(CASE kind WHEN 'late_charge' THEN amount_nano ELSE 0 END) AS charges FROM entries GROUP BY account_id`,
  ).all() as unknown as (SealSums & { readonly account: bigint })[];
  for (const { account, ...kinds } of entered) sums.set(Number(account), kinds);
  const charged = bigStatement(
    database,
    'SELECT account_id AS account, sum(charge_nano) AS charged FROM settlements WHERE hold_nano IS NOT NULL GROUP BY account_id',
  ).all() as unknown as { readonly account: bigint; readonly charged: bigint }[];
  for (const { account, charged: charge } of charged) {
    const of = sums.get(Number(account)) ?? NO_SUMS;
    sums.set(Number(account), { ...of, charges: of.charges - charge });
  }
  return sums;
}

export function totalOf({ topups, promos, adjustments, refunds, charges }: SealSums): bigint {
  return topups + promos + adjustments + refunds + charges;
}
