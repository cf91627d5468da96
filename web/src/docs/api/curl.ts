/** A command that asks a route, with placeholders where only the reader knows better. */
import { basePath } from '../../navigation/base-path.ts';
import { shell, word } from '../../pages/connect/quote.ts';
import { baseOf, type Document, type Operation, resolve, type Schema } from './document.ts';

export function curlOf(operation: Operation, document: Document): string {
  const { method, path, parameters = [], requestBody } = operation;
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name, schema }) => `${name}=${exampleText(schema ?? {}, document)}`)
    .join('&');
  const address = `${baseOf(document)}${path}${query === '' ? '' : `?${query}`}`;
  const type = Object.keys(requestBody?.content ?? {})[0];
  const schema = type === undefined ? undefined : requestBody?.content[type]?.schema;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${word(address)}`,
    ...headersOf(operation, document).map((header) => `-H ${shell(header)}`),
    ...(schema === undefined
      ? []
      : [`-H ${shell(`Content-Type: ${type}`)}`, `-d ${shell(JSON.stringify(exampleOf(schema, document)))}`]),
  ].join(' \\\n  ');
}

/** What a browser sends by itself of a session has to be said here. */
function headersOf({ security = [], method, path, parameters = [] }: Operation, document: Document): readonly string[] {
  const schemes = security.flatMap((scheme) => Object.keys(scheme));
  const needed = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.required === true)
    .map(({ name }) => `${name}: …`);
  // Changes with a session, or towards one, need proof of where they come from.
  const proof =
    method === 'GET' || !path.startsWith('/api/dashboard/') ? [] : [`Origin: ${new URL(baseOf(document)).origin}`];
  if (schemes.includes('session'))
    return [`Cookie: ${basePath === '' ? '__Host' : '__Secure'}-turnpike=…`, ...proof, ...needed];
  return [...(schemes.length > 0 ? ['Authorization: Bearer sk-tp-…'] : []), ...proof, ...needed];
}

/** The fields that are required, or else the first one, each with a value of its kind. */
function exampleOf(given: Schema, document: Document, depth = 0): unknown {
  const { schema } = resolve(given, document);
  if (depth > 4) return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice !== undefined) return exampleOf(choice, document, depth + 1);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object' || schema.properties !== undefined) {
    const fields = Object.entries(schema.properties ?? {});
    const required = fields.filter(([name]) => schema.required?.includes(name));
    // A body without any would change nothing.
    const entries = required.length === 0 && depth === 0 ? fields.slice(0, 1) : required;
    return Object.fromEntries(
      entries.map(([name, inner]) => [name, EXAMPLES[name] ?? exampleOf(inner, document, depth + 1)]),
    );
  }
  if (type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items, document, depth + 1)];
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  return schema.format === 'date-time' ? '2027-01-01T00:00:00Z' : '…';
}

/** Where a value of the right kind alone would be refused. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  model: 'demo/echo',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 1000,
  email: 'ada@example.com',
  amount: '10.00',
};

function exampleText(schema: Schema, document: Document): string {
  return String(exampleOf(schema, document));
}
