/** Errors of the control plane: one shape, the codes of the table. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { docsUrl, type ErrorCode, errorTable, GatewayError } from '../core/errors.ts';

export function replyError(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  const known = asKnownError(error);
  void reply.code(known.status).send(errorBody(known));
}

/** How the control plane and the dashboard are told of an error. */
export function errorBody(error: GatewayError, facts: Readonly<Record<string, unknown>> = {}) {
  return {
    error: {
      message: error.message,
      type: errorTable[error.code].openaiType,
      param: error.param,
      code: error.code,
      status: error.status,
      metadata: { error_type: error.code, docs_url: docsUrl(error.code), ...facts, ...error.facts },
    },
  };
}

/** What the framework refuses, in the codes of the table; anything else is a mistake of ours. */
export function asKnownError(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : fromFramework(error);
}

/** Reads what a caller sent; the first fault becomes the error, with its field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
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

/** A schema's complaint in plain words; the value is not repeated. */
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
      return issue.format === 'datetime' ? 'it is no time with an offset, like 2027-01-31T12:00:00Z' : issue.message;
    default:
      return issue.message;
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** https://fastify.dev/docs/latest/Reference/Errors/ */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
};

function fromFramework(error: unknown): GatewayError {
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const known = code === undefined ? undefined : FRAMEWORK_CODES[code];
  if (known !== undefined) return new GatewayError(known, { cause: error });
  if (error instanceof SyntaxError) return new GatewayError('invalid_json', { cause: error });
  const isCallers = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  return new GatewayError(isCallers ? 'bad_request' : 'internal_error', { cause: error });
}
