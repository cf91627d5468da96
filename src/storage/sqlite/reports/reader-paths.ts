/** The paths that reading threads get. */
export interface ReaderPaths {
  readonly ledger: string;
  /** The folder of day files. */
  readonly records: string;
}

/** From -20, the highest priority, to 19. */
export const READER_NICENESS = 10;
