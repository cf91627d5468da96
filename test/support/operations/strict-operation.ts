import type { JsonObject } from '../strict-server.ts';

/** One operation of a strict provider. */
export interface StrictOperation {
  /** The names of a request's fields. */
  readonly fields: readonly string[];
  /** Throws a `Refusal`. */
  answer(body: JsonObject): JsonObject;
}
