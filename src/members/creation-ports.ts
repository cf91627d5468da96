/** What the management API keeps of what it made, for who sends the same request again. */

/** A creation that runs, or its answer. */
export interface Creation {
  /** SHA-256 of who asks, where, and the idempotency key. */
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
   * Claims the key for this request: null. Otherwise what stands there, which may be another request. A claim of the
   * same request that was made before `abandonedBefore` and has no answer is taken over: its process is gone.
   */
  begin(claim: Omit<Creation, 'answer'>, abandonedBefore: number): Promise<Creation | null>;
  /** Keeps the answer of a claim, unless it was taken over. */
  finish(
    claim: Pick<Creation, 'keyDigest' | 'createdAt'>,
    answer: { readonly status: number; readonly body: Uint8Array },
  ): Promise<void>;
  /** Takes a claim back: nothing was made. */
  abandon(claim: Pick<Creation, 'keyDigest' | 'createdAt'>): Promise<void>;
}
