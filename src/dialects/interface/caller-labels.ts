/** The caller's own words, of any length. */
export interface CallerLabels {
  readonly user: string | null;
  readonly metadata: readonly (readonly [name: string, value: string])[];
  /** Whether it says more, which was too long to read. */
  readonly isCut: boolean;
}
