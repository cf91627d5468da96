/** What the caller says about itself, in strings of any length. */
export interface CallerLabels {
  readonly user: string | null;
  readonly metadata: readonly (readonly [name: string, value: string])[];
  /** Whether there was more, which was too long to read. */
  readonly isCut: boolean;
}
