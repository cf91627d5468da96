/**
 * The gateway's own errors in the Messages format.
 *
 * https://docs.anthropic.com/en/api/errors
 */
import { docsUrl, errorTable, type GatewayError } from '../../../core/errors.ts';
import { overflowMessage } from '../../kit/errors/context-overflow.ts';

/** The body of an error before the answer has begun. `details` has our stable code, its page and the facts of the error. */
export function writeError(error: GatewayError, requestId: string): Buffer {
  return Buffer.from(errorJson(error, requestId));
}

/** The frame that ends a stream with an error; no `message_stop` follows it. */
export function writeStreamError(error: GatewayError, requestId: string): Buffer {
  return Buffer.from(`event: error\ndata: ${errorJson(error, requestId)}\n\n`);
}

function errorJson(error: GatewayError, requestId: string): string {
  return JSON.stringify({
    type: 'error',
    error: {
      type: errorTable[error.code].anthropicType,
      message: error.code === 'context_length_exceeded' ? overflowMessage(error.message) : error.message,
      details: {
        ...error.facts,
        code: error.code,
        docs_url: docsUrl(error.code),
        ...(error.param === null ? {} : { param: error.param }),
      },
    },
    request_id: requestId,
  });
}
