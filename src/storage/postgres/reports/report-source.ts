/** What threads of reports get. */
export interface ReportSource {
  /** Of the database or its replica; has a password, so it is never printed. */
  readonly url: string;
}
