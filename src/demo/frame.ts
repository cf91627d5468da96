/** A piece of a streamed answer. */
export interface Frame {
  readonly text: string;
  /** Whether it carries a token of output: pacing and breaks count those. */
  readonly isToken: boolean;
}

/** An answer ready to be sent, created for each request. */
export interface Writing {
  /** The whole answer as JSON, for requests without a stream. */
  body(): string;
  frames(): Iterable<Frame>;
  /** The frame that a break of type `error` writes into a stream. */
  errorFrame(): string;
}
