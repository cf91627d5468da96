/** An example value for a schema, plausible for the field's name. */
import { type Document, resolve, type Schema } from './document.ts';

/** References can be circular. */
const DEPTH_MAX = 8;

/** Requests have the required fields only, or else one field; answers have all fields. */
export type ExampleOf = 'request' | 'answer';

export function exampleValue(given: Schema, document: Document, kind: ExampleOf, name = '', depth = 0): unknown {
  const { schema } = resolve(given, document);
  if (depth > DEPTH_MAX) return null;
  if (schema.const !== undefined) return schema.const;
  const known = knownValue(name, schema);
  if (known !== undefined) return known;
  if (schema.default !== undefined && kind === 'request') return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice !== undefined) return exampleValue(choice, document, kind, name, depth + 1);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object' || schema.properties !== undefined) return exampleObject(schema, document, kind, depth);
  if (type === 'array')
    return schema.items === undefined ? [] : [exampleValue(schema.items, document, kind, singular(name), depth + 1)];
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (schema.format === 'date-time') return '2027-01-01T00:00:00.000Z';
  return schema.format === 'date' ? '2027-01-01' : '…';
}

function exampleObject(schema: Schema, document: Document, kind: ExampleOf, depth: number): unknown {
  const fields = Object.entries(schema.properties ?? {});
  const required = fields.filter(([name]) => schema.required?.includes(name));
  // An empty body would change nothing.
  const chosen = kind === 'answer' ? fields : required.length === 0 && depth === 0 ? fields.slice(0, 1) : required;
  return Object.fromEntries(
    chosen.map(([name, inner]) => [name, exampleValue(inner, document, kind, name, depth + 1)]),
  );
}

/** An entry of `models` is a `model`. */
function singular(name: string): string {
  return name.replace(/s$/, '');
}

/** By name, if the type fits: a value of the right type alone is often invalid or says little. */
function knownValue(name: string, { type, enum: choices, anyOf = [] }: Schema): unknown {
  const value = KNOWN[name];
  if (value === undefined || choices !== undefined) return undefined;
  const types = [type, ...anyOf.map((form) => form.type)].flat();
  const isOf = typeof value === 'object' ? 'array' : typeof value;
  return types.some((each) => each === isOf || (each === 'integer' && isOf === 'number')) ? value : undefined;
}

const KNOWN: Readonly<Record<string, unknown>> = {
  name: 'Support bot',
  display_name: 'Ada',
  model: 'demo/echo',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 1000,
  email: 'ada@example.com',
  amount: '10.00',
  label: 'sk-tp-…Q3xM',
  key: 'sk-tp-…',
  hash: '1f0c…9a27',
  provider: 'openai',
  currency: 'usd',
  kind: 'inference',
  version: '0.1.0',
  created_by: 'Ada',
  role: 'developer',
  time_zone: 'UTC',
  reference: 'invoice-2026-118',
  note: 'Paid by bank transfer.',
  request_id: 'req_01m83h9kcmj6fwekfe1vjq6pef',
  call: 'gen-01m83h9kcmj6fwekfe1vjq6pef',
  month: '2026-11',
  operation: 'chat',
  next_cursor: 'eyJhZnRlciI6MTB9',
};
