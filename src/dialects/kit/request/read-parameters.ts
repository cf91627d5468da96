/** Reads the schema of a function's arguments, as callers of OpenAI's formats write it: https://platform.openai.com/docs/guides/function-calling */
import type { JsonObject } from '../../../chat/request.ts';
import { invalid } from '../errors/request-errors.ts';
import { isAbsent, readObject } from './request-values.ts';

/** Callers leave out `type` or write it as a list; the root must be an object nevertheless. Throws `GatewayError` 400 for any other. */
export function readParameters(value: unknown, path: string): JsonObject {
  if (isAbsent(value)) return { type: 'object', properties: {} };
  const schema = readObject(value, path);
  const { type } = schema;
  if (type === 'object') return schema;
  if (isAbsent(type) || (Array.isArray(type) && type.includes('object'))) return { ...schema, type: 'object' };
  throw invalid(`${path}.type`, `"${path}.type" must be "object".`);
}
