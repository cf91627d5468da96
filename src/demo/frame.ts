/** A piece of a streamed answer. */
export interface Frame {
  readonly text: string;
  /** Whether it carries a token of output: pacing and breaks count those. */
  readonly isToken: boolean;
}

/** An answer ready to be sent: made anew for each request. */
export interface Writing {
  /** The whole answer as JSON, for who did not ask for a stream. */
  body(): string;
  frames(): Iterable<Frame>;
  /** What a break of the manner `error` puts into a stream. */
  errorFrame(): string;
}
