/** The request that a reader tries: from the fields of a route's form to what `fetch` takes. */
import { bodyType, type Document, type Operation, type Parameter } from './document.ts';
import { exampleValue } from './example-value.ts';

/** By parameter, as they were typed. */
export type ParameterValues = Readonly<Record<string, string>>;

export interface TryRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Whether a key is enough to try it: not what needs somebody who is signed in, and not the signing in itself. */
export function canTry({ security = [], path, method }: Operation): boolean {
  const schemes = security.flatMap((scheme) => Object.keys(scheme));
  if (schemes.includes('session')) return false;
  return schemes.length > 0 || (method === 'GET' && !path.startsWith('/api/dashboard/'));
}

export function needsKey({ security = [] }: Operation): boolean {
  return security.length > 0;
}

/** What the form begins with. */
export function startBody(operation: Operation, document: Document): string {
  const type = bodyType(operation);
  const content = type === null ? undefined : operation.requestBody?.content[type];
  if (content === undefined) return '';
  const value =
    content.example ?? (content.schema === undefined ? {} : exampleValue(content.schema, document, 'request'));
  return JSON.stringify(value, null, 2);
}

export function startValues({ parameters = [] }: Operation): ParameterValues {
  return Object.fromEntries(parameters.map(({ name }) => [name, name === 'id' ? 'demo/echo' : '']));
}

/** The first thing that keeps it from being sent, in words; null without any. */
export function problemOf(operation: Operation, values: ParameterValues, key: string, body: string): string | null {
  if (needsKey(operation) && key.trim() === '') return 'Enter an API key first.';
  const missing = (operation.parameters ?? []).find(
    (parameter) => isNeeded(parameter) && (values[parameter.name] ?? '') === '',
  );
  if (missing !== undefined) return `Enter ${missing.name}.`;
  if (body.trim() === '') return null;
  try {
    JSON.parse(body);
    return null;
  } catch (error) {
    return `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** `base`: what stands before the route's path. The key is in a header and nowhere else. */
export function tryRequest(
  operation: Operation,
  values: ParameterValues,
  key: string,
  body: string,
  base: string,
): TryRequest {
  const { parameters = [], method } = operation;
  const given = parameters.filter(({ name }) => (values[name] ?? '') !== '');
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams(
    given.filter((parameter) => parameter.in === 'query').map(({ name }) => [name, values[name] ?? '']),
  ).toString();
  const type = bodyType(operation);
  const sentBody = type === null || body.trim() === '' ? null : body;
  return {
    url: `${base}${path}${query === '' ? '' : `?${query}`}`,
    method,
    headers: {
      accept: 'application/json, text/event-stream, */*',
      ...(needsKey(operation) ? { authorization: `Bearer ${key.trim()}` } : {}),
      ...(sentBody === null || type === null ? {} : { 'content-type': type }),
      ...Object.fromEntries(
        given
          .filter((parameter) => parameter.in === 'header')
          .map(({ name }) => [name.toLowerCase(), values[name] ?? '']),
      ),
    },
    body: sentBody,
  };
}

function isNeeded({ required, in: place }: Parameter): boolean {
  return required === true || place === 'path';
}
