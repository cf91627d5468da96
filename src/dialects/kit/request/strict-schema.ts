/**
 * Whether a schema may be sent with `strict`. Other vendors enforce schemas that OpenAI refuses with `strict`: it requires every object to
 * be closed and every property to be required.
 *
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
import type { Json, JsonObject } from '../../../chat/request.ts';
import { isRecord } from './request-values.ts';

/** The value of `strict` to send; warns if it was dropped. `what` names the schema. */
export function writtenStrict(
  strict: boolean | null,
  schema: JsonObject,
  what: string,
  warnings: Set<string>,
): boolean | undefined {
  if (strict !== true || (isObjectRoot(schema) && mayBeStrict(schema))) return strict ?? undefined;
  warnings.add(`${what} is sent without strict: OpenAI requires closed objects with every property required`);
  return false;
}

/** The root is an object, and not a choice of several. */
function isObjectRoot({ type, anyOf }: JsonObject): boolean {
  return type === 'object' && anyOf === undefined;
}

function mayBeStrict(schema: Json | undefined): boolean {
  if (Array.isArray(schema)) return schema.every(mayBeStrict);
  if (!isRecord(schema)) return true;
  const { type, properties, required, additionalProperties } = schema;
  const named = isRecord(properties) ? properties : {};
  if (type === 'object' || isRecord(properties)) {
    if (additionalProperties !== false) return false;
    const always: readonly Json[] = Array.isArray(required) ? required : [];
    if (Object.keys(named).some((name) => !always.includes(name))) return false;
  }
  const definitions = isRecord(schema['$defs']) ? schema['$defs'] : {};
  return [...Object.values(named), ...Object.values(definitions), schema['items'], schema['anyOf']].every(mayBeStrict);
}
