/** Errors of the control plane: one shape, the codes of the table. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { docsUrl, type ErrorCode, errorTable, GatewayError } from '../core/errors.ts';

export function replyError(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  const known = error instanceof GatewayError ? error : fromFramework(error);
  void reply.code(known.status).send({
    error: {
      message: known.message,
      type: errorTable[known.code].openaiType,
      param: known.param,
      code: known.code,
      status: known.status,
      metadata: { error_type: known.code, docs_url: docsUrl(known.code), ...known.facts },
    },
  });
}

/** Reads what a caller sent; the first fault becomes the error, with its field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw new GatewayError('bad_request');
  if (issue.code === 'unrecognized_keys') {
    const param = issue.keys[0] ?? '';
    throw new GatewayError('field_not_allowed', { message: `There is no field ${param} here.`, param });
  }
  const param = issue.path.join('.');
  throw new GatewayError('invalid_value', { message: `${param === '' ? 'The body' : param}: ${issue.message}`, param });
}

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
