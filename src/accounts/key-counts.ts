/** Keys of an account, including revoked ones. */
export interface KeyCounts {
  readonly keys: number;
  /** Neither revoked nor rotated. */
  readonly live: number;
  /** Not revoked. */
  readonly standing: number;
  /** Total characters in the lists of keys that are not revoked. */
  readonly listsLength: number;
}
