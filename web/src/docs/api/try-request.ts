/** Builds the request of the “Try it” form. */
import { bodyType, type Document, FORM, type Operation, type Parameter } from './document.ts';
import { exampleValue } from './example-value.ts';

/** As typed, by parameter. */
export type ParameterValues = Readonly<Record<string, string>>;

export interface TryRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Whether a key is enough. Routes that need a session cannot be tried, nor can sign-in. */
export function canTry(operation: Operation): boolean {
  const { security = [], path, method } = operation;
  const schemes = security.flatMap((scheme) => Object.keys(scheme));
  if (schemes.includes('session') || bodyType(operation) === FORM) return false;
  return schemes.length > 0 || (method === 'GET' && !path.startsWith('/api/dashboard/'));
}

export function needsKey({ security = [] }: Operation): boolean {
  return security.length > 0;
}

/** The form's initial body. */
export function startBody(operation: Operation, document: Document): string {
  const type = bodyType(operation);
  const content = type === null ? undefined : operation.requestBody?.content[type];
  if (content === undefined) return '';
  const value =
    content.example ?? (content.schema === undefined ? {} : exampleValue(content.schema, document, 'request'));
  return JSON.stringify(value, null, 2);
}

export function startValues({ parameters = [] }: Operation): ParameterValues {
  return Object.fromEntries(parameters.map(({ name }) => [name, ['id', 'model'].includes(name) ? 'demo/echo' : '']));
}

/** The first reason why it cannot be sent; null if it can. */
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

/** `base`: the base path. The key is sent in a header only. */
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
