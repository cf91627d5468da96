import type { JsonObject, StreamEnd } from '../strict-server.ts';

/** One operation of a strict provider. */
export interface StrictOperation {
  /** The names of a request's fields. */
  readonly fields: readonly string[];
  /** The whole answer, the frames of a stream, or what is sent. Throws a `Refusal`. */
  answer(body: JsonObject): JsonObject | readonly string[] | Sent;
}

/** An answer that is not JSON. */
export interface Sent {
  readonly contentType: string;
  readonly pieces: readonly Buffer[];
  readonly end: StreamEnd;
}

export function isSent(answer: object): answer is Sent {
  return 'pieces' in answer;
}
