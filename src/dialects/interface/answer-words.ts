/** Where an answer's own words stand: what is beside them is the provider's. */
export interface AnswerWords {
  /** Fields at the top of an answer, or of an event of a stream, that hold some. */
  readonly parts: ReadonlySet<string>;
  /** Fields in those, at any depth, whose values are words. */
  readonly names: ReadonlySet<string>;
}
