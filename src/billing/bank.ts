/**
 * The bank stands behind every call: `hold` before the provider is called, `finish` once at the
 * end, whichever way it ended. The first `finish` of a call wins; there is no other way to charge.
 */

import { GatewayError } from '../core/errors.ts';
import type { AccountId, CallId, KeyId, ProjectId } from '../core/ids.ts';
import type { Settlement } from '../core/settlement.ts';
import type { SettleStore } from './ports.ts';

export interface HoldRequest {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
  readonly keyId: KeyId;
}

export interface Hold {
  /** Resolves when the hold is durable, which must precede the answer's first byte; null when there is nothing to wait for. */
  readonly durable: Promise<void> | null;
}

export interface Bank {
  /** Throws `GatewayError` 402 or 503. Synchronous: nothing may come between looking and taking. */
  hold(request: HoldRequest): Hold;
  /** Resolves when the terminal entry is durable, which must precede the answer's last byte. Rejects when the disk refuses. */
  finish(settlement: Settlement): Promise<void>;
}

const NOTHING_TO_WAIT_FOR: Hold = { durable: null };

const RETRY_AFTER_SECONDS = 1;

/** A bank that refuses nobody for money and holds nothing: it only keeps the settlements. Closed while those cannot be written. */
export class OpenBank implements Bank {
  readonly #store: SettleStore;
  readonly #isWritable: () => boolean;

  constructor(store: SettleStore, isWritable: () => boolean) {
    this.#store = store;
    this.#isWritable = isWritable;
  }

  hold(_request: HoldRequest): Hold {
    if (!this.#isWritable()) throw new GatewayError('ledger_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    return NOTHING_TO_WAIT_FOR;
  }

  finish(settlement: Settlement): Promise<void> {
    return this.#store.commit([settlement]);
  }
}
