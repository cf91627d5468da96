/** The part of a written request that is its prompt, for formats whose request to count has the same fields. */
import type { JsonObject } from '../../../core/json-object.ts';

/** Only `names` are kept of `body`. */
export function promptFields(body: object, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}
