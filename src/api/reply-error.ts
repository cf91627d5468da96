/** Sends errors of the control plane: one shape, with the codes of the table. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asGatewayError, docsUrl, type ErrorCode, errorTable, GatewayError } from '../core/errors.ts';

export function replyError(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  const known = asKnownError(error);
  void reply.code(known.status).send(errorBody(known));
}

/** The body of an error for the control plane and the dashboard. */
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

/** Maps the framework's errors to codes of the table; anything else is our bug. */
export function asKnownError(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : fromFramework(error);
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
  return isCallers ? new GatewayError('bad_request', { cause: error }) : asGatewayError(error);
}
