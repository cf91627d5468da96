import type { JsonObject } from '../strict-server.ts';

/** One operation of a strict provider. */
export interface StrictOperation {
  /** The names of a request's fields. */
  readonly fields: readonly string[];
  /** The whole answer, or the frames of a stream. Throws a `Refusal`. */
  answer(body: JsonObject): JsonObject | readonly string[];
}
