/** What billing asks of a storage. */

import type { Prices } from '../catalog/model.ts';
import type { PriceVersionId } from '../core/ids.ts';
import type { Settlement } from '../core/settlement.ts';

export interface SettleStore {
  /**
   * Resolves when the rows have reached the operating system (they survive `kill -9`). A call id
   * that is there already is left as it is: the first settlement wins. Rejects when the disk refuses.
   */
  commit(rows: readonly Settlement[]): Promise<void>;
}

export interface PriceStore {
  /** The id of the version of exactly these prices for this target, made when it is new. */
  pin(
    target: { readonly model: string; readonly provider: string; readonly upstreamModel: string },
    prices: Prices,
  ): Promise<PriceVersionId>;
}
