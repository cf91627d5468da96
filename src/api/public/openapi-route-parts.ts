/** What routes of the OpenAPI document have in common. */
import { CALL_ERRORS, type Parameter } from './openapi-route.ts';
import { text } from './openapi-schema-parts.ts';

/** A route that calls a model. */
export const CALL = { method: 'post', needsKey: true, errors: CALL_ERRORS } as const;
export const READ = { method: 'get', needsKey: true } as const;
/** A route that only OpenRouter has, with errors in its shape. */
export const OPENROUTER = { ...READ, errorSchema: 'OpenRouterError' } as const;
export const PAGE_ERRORS = { '400': 'A parameter has an invalid value.' };

/** A model in the path; `name` is the parameter's. */
export function modelInPath(name: string): Parameter {
  const description = '<vendor>/<name>; the slash need not be escaped.';
  return { name, in: 'path', required: true, description, schema: text };
}

export function inQuery(name: string, description: string, schema: Parameter['schema'] = text): Parameter {
  return { name, in: 'query', description, schema };
}

export function countInQuery(name: string, description: string, minimum: number, maximum?: number): Parameter {
  return inQuery(name, description, { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) });
}

/** Selects the shape of the answer. */
export const CLIENT_VERSION: Parameter = {
  name: 'client_version',
  in: 'query',
  description: "If sent, the answer has Codex's shape, `{models}`, with an ETag.",
  schema: text,
};
