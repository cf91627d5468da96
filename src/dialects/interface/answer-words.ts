/** Where an answer has the model's words; everything else in it is the provider's. */
export interface AnswerWords {
  /** Top-level fields of an answer, or of an event of a stream, that contain some. */
  readonly parts: ReadonlySet<string>;
  /** Top-level fields that are words themselves if they are text. Absent if there are none. */
  readonly texts?: ReadonlySet<string>;
  /** Fields inside those, at any depth, whose values are words. */
  readonly names: ReadonlySet<string>;
}
