/** Keys of an account, those that were revoked included. */
export interface KeyCounts {
  readonly keys: number;
  /** Neither revoked nor rotated. */
  readonly live: number;
  /** Not revoked. */
  readonly standing: number;
  /** Characters of all lists of those that are not revoked. */
  readonly listsLength: number;
}
