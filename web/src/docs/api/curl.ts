/** A command that calls a route, with placeholders for values that only the reader knows. */
import { basePath } from '../../navigation/base-path.ts';
import { shell, word } from '../../pages/connect/quote.ts';
import { baseOf, bodyType, type Document, FORM, type Operation, type Parameter, type Schema } from './document.ts';
import { exampleValue } from './example-value.ts';
import { startBody } from './try-request.ts';

export function curlOf(operation: Operation, document: Document): string {
  const { method, path, parameters = [] } = operation;
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name, schema }) => `${name}=${exampleText(name === 'id' ? 'call' : name, schema ?? {}, document)}`)
    .join('&');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValue(name, parameters, document));
  const address = `${baseOf(document)}${filled}${query === '' ? '' : `?${query}`}`;
  const type = bodyType(operation);
  const body = JSON.stringify(JSON.parse(startBody(operation, document) || 'null'));
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${word(address)}`,
    ...headersOf(operation, document).map((header) => `-H ${shell(header)}`),
    ...(type === null ? [] : bodyOf(type, body)),
    ...(answersSound(operation) ? ['--output speech'] : []),
  ].join(' \\\n  ');
}

/** No terminal shows it. */
function answersSound({ responses }: Operation): boolean {
  return Object.keys(responses['200']?.content ?? {}).some((type) => type.startsWith('audio/'));
}

/** `body`: as JSON, whose fields a form has, too. */
function bodyOf(type: string, body: string): readonly string[] {
  if (type !== FORM) return [`-H ${shell(`Content-Type: ${type}`)}`, `-d ${shell(body)}`];
  const fields = Object.entries(JSON.parse(body) as Readonly<Record<string, string>>);
  return fields.map(([name, value]) => `-F ${shell(name === 'file' ? `${name}=@${value}` : `${name}=${value}`)}`);
}

/** What a browser sends by itself for a session must be explicit here. */
function headersOf({ security = [], method, path, parameters = [] }: Operation, document: Document): readonly string[] {
  const schemes = security.flatMap((scheme) => Object.keys(scheme));
  const needed = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.required === true)
    .map(({ name }) => `${name}: …`);
  // Changes with a session, or that start one, need proof of their origin.
  const proof =
    method === 'GET' || !path.startsWith('/api/dashboard/') ? [] : [`Origin: ${new URL(baseOf(document)).origin}`];
  if (schemes.includes('session'))
    return [`Cookie: ${basePath === '' ? '__Host' : '__Secure'}-turnpike=…`, ...proof, ...needed];
  return [...(schemes.length > 0 ? ['Authorization: Bearer sk-tp-…'] : []), ...proof, ...needed];
}

function pathValue(name: string, parameters: readonly Parameter[], document: Document): string {
  const found = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
  return exampleText(name, found?.schema ?? {}, document);
}

/** For parameters that identify an object. */
const PLACES: Readonly<Record<string, string>> = { id: 'demo/echo', call: 'gen-01m83h9kcmj6fwekfe1vjq6pef' };

function exampleText(name: string, schema: Schema, document: Document): string {
  return PLACES[name] ?? String(exampleValue(schema, document, 'request', name));
}
