/** What the threads that read are given. */
export interface ReaderPaths {
  readonly ledger: string;
  /** The folder of day files. */
  readonly records: string;
}

/** From -20, the greediest, to 19. */
export const READER_NICENESS = 10;
