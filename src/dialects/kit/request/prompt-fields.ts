/** The part of a written request that is its prompt, for formats whose request to count has the same fields. */
import { asObject, type JsonObject } from '../../../core/json-object.ts';

/** `body` is JSON that a writer made; only `names` are kept. */
export function promptFields(body: Buffer, names: readonly string[]): JsonObject {
  const whole = asObject(JSON.parse(body.toString())) ?? {};
  return Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)));
}
