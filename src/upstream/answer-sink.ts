/** What the client gives an answer to, piece by piece, and how it is told to wait or to stop. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Takes one answer as it arrives. All methods are called synchronously from the socket. */
export interface AnswerSink {
  chunk(bytes: Buffer): void;
  end(): void;
  /** The connection failed before the answer was whole; nothing follows. */
  fail(error: unknown): void;
}

/** Called once, with the head of the answer; what it returns takes the rest. */
export type AnswerHead = (status: number, headers: AnswerHeaders, flow: AnswerFlow) => AnswerSink;

/** The handle of a request on its way: `abort` closes its socket at once. */
export interface AnswerFlow {
  /** Whether the request has begun to leave: until then nobody has worked on it. */
  readonly sent: boolean;
  pause(): void;
  resume(): void;
  abort(): void;
}
