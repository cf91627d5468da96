/**
 * The gateway's own errors in the chat completions format: the envelope of OpenAI's SDKs, with
 * `metadata` where OpenRouter's clients look for more.
 *
 * https://platform.openai.com/docs/guides/error-codes
 */
import { docsUrl, errorTable, type GatewayError } from '../../core/errors.ts';
import { encodeSse } from '../../wire/sse.ts';

/** The body of an error before the answer began. */
export function writeError(error: GatewayError, requestId: string): Buffer {
  return Buffer.from(JSON.stringify({ error: envelope(error, requestId) }));
}

/**
 * The chunk that ends a stream on an error: the SDK throws where a chunk has an `error`, and other clients
 * see a choice that ended on one. No `[DONE]` follows. The frame is whole for clients that
 * check chunks against a schema, though neither the model nor the time is known here.
 */
export function writeStreamError(error: GatewayError, requestId: string): Buffer {
  const chunk = {
    id: requestId,
    object: 'chat.completion.chunk',
    created: 0,
    model: '',
    error: envelope(error, requestId),
    choices: [{ index: 0, delta: {}, finish_reason: 'error' }],
  };
  return encodeSse(null, JSON.stringify(chunk));
}

function envelope(error: GatewayError, requestId: string) {
  return {
    message: error.message,
    type: errorTable[error.code].openaiType,
    param: error.param,
    code: error.code,
    status: error.status,
    metadata: { ...error.facts, error_type: error.code, request_id: requestId, docs_url: docsUrl(error.code) },
  };
}
