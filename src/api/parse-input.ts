/** Parses input of the control plane and the dashboard by its schema. */
import type * as z from 'zod';
import { GatewayError } from '../core/errors.ts';

/** Returns the parsed value. Throws `GatewayError` for the first problem, with its field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return storable(result.data);
  const [issue] = result.error.issues;
  if (issue === undefined) throw new GatewayError('bad_request');
  if (issue.code === 'unrecognized_keys') {
    const param = issue.keys[0] ?? '';
    throw new GatewayError('field_not_allowed', { message: `There is no field ${param} here.`, param });
  }
  const param = issue.path.join('.');
  throw new GatewayError('invalid_value', {
    message: `${param === '' ? 'The body' : param}: ${explainIssue(issue)}.`,
    param,
  });
}

/**
 * Refuses what no database stores as it is, in any text. A NUL character (U+0000): PostgreSQL cannot store it, and what works must not depend on the
 * database. https://www.postgresql.org/docs/current/datatype-character.html Half of a surrogate pair: it is stored as another character, so the
 * digest of an audit entry would not be that of its row.
 */
function storable<Value>(data: Value): Value {
  // The schema has bounded how much it is.
  const waiting: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: data }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') checkStorable(value, path);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      checkStorable(name, path);
      waiting.push({ path: path === '' ? name : `${path}.${name}`, value: inner });
    }
  }
  return data;
}

const NUL = '\0';

function checkStorable(text: string, param: string): void {
  const has = text.includes(NUL) ? 'a NUL character' : text.isWellFormed() ? null : 'half of a surrogate pair';
  if (has === null) return;
  const message = `${param === '' ? 'The body' : param}: it must not have ${has}.`;
  throw new GatewayError('invalid_value', { message, param });
}

/** Explains a schema issue; never repeats the value. */
function explainIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'it is missing' : `it must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `it must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? 'it is empty' : `it is shorter than ${issue.minimum} characters`;
      return `it must be ${issue.minimum} or more`;
    case 'too_big':
      if (issue.origin === 'string') return `it is longer than ${issue.maximum} characters`;
      if (issue.origin === 'array') return `it has more than ${issue.maximum} entries`;
      return `it must be ${issue.maximum} or less`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? issue.message;
    default:
      return issue.message;
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'it must be a time with an offset, such as 2027-01-31T12:00:00Z',
  url: 'it must be a URL that begins with https:// or http://',
};

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};
