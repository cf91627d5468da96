/** What billing asks of a storage. */
import type { PricedTarget } from '../catalog/model.ts';
import type { PriceVersionId } from '../core/ids.ts';
import type { Settlement } from '../core/settlement.ts';

export type { PricedTarget, Prices } from '../catalog/model.ts';

export interface SettleStore {
  /**
   * Resolves when the rows have reached the operating system (they survive `kill -9`). A call id
   * that is there already is left as it is: the first settlement wins. Rejects when the disk refuses.
   */
  commit(rows: readonly Settlement[]): Promise<void>;
}

export interface PriceStore {
  /**
   * The ids of the versions of exactly these prices for these targets, in the order given; a
   * version is made only where the target's latest one differs. One transaction for them all.
   */
  pin(targets: readonly PricedTarget[]): Promise<readonly PriceVersionId[]>;
}
