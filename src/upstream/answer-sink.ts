/** What receives an answer from the client piece by piece, and how it pauses or stops the client. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Receives one answer as it arrives. All methods are called synchronously from the socket. */
export interface AnswerSink {
  chunk(bytes: Buffer): void;
  end(): void;
  /** The connection failed before the answer was whole; nothing follows. */
  fail(error: unknown): void;
}

/** Called once, with the head of the answer; what it returns takes the rest. */
export type AnswerHead = (status: number, headers: AnswerHeaders, flow: AnswerFlow) => AnswerSink;

/** The handle of a request under way: `abort` closes its socket immediately. */
export interface AnswerFlow {
  /** Whether sending the request has begun; until then the provider cannot have worked on it. */
  readonly sent: boolean;
  pause(): void;
  resume(): void;
  abort(): void;
}
