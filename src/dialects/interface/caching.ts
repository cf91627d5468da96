/** Which requests of a format get the same answer, for the response cache. */
export interface Caching {
  /** Top-level fields that say only whether and how the answer is streamed. All others must be equal. */
  readonly streamFields: readonly string[];
  /** Request headers, in lower case, that may change the answer. */
  readonly headers: readonly string[];
  /**
   * Where the gateway says in an answer or an event what the call was charged, as paths of names: 0 in an answer that is given again. Absent
   * if it says so nowhere.
   */
  readonly costPaths?: readonly (readonly string[])[];
}
