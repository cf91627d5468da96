/** The paths that reading threads get. */
export interface ReaderPaths {
  readonly ledger: string;
  /** The folder of day files. */
  readonly records: string;
}
