/** What the management API stores about creations, so that a retried request gets the same answer. */

/** A running creation, or its answer. */
export interface Creation {
  /** SHA-256 of the caller, the route and the idempotency key. */
  readonly keyDigest: Uint8Array;
  /** SHA-256 of the request. */
  readonly bodyDigest: Uint8Array;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** HTTP status and sealed body; null while it runs. */
  readonly answer: { readonly status: number; readonly body: Uint8Array } | null;
}

export interface CreationStore {
  /**
   * Claims the key for this request and returns null; otherwise returns the existing creation, which may be for another request. An
   * unanswered claim of the same request from before `abandonedBefore` is taken over: its process is gone.
   */
  begin(claim: Omit<Creation, 'answer'>, abandonedBefore: number): Promise<Creation | null>;
  /** Stores the answer of a claim, unless it was taken over. */
  finish(
    claim: Pick<Creation, 'keyDigest' | 'createdAt'>,
    answer: { readonly status: number; readonly body: Uint8Array },
  ): Promise<void>;
  /** Withdraws a claim: nothing was created. */
  abandon(claim: Pick<Creation, 'keyDigest' | 'createdAt'>): Promise<void>;
}
