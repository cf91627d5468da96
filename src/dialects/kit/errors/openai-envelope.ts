/**
 * The gateway's own errors as OpenAI's SDKs read them, with `metadata` for OpenRouter's clients.
 *
 * https://platform.openai.com/docs/guides/error-codes
 */
import { docsUrl, errorTable, type GatewayError } from '../../../core/errors.ts';

/** The value of `error`. */
export function openaiEnvelope(error: GatewayError, requestId: string) {
  return {
    message: error.message,
    type: errorTable[error.code].openaiType,
    param: error.param,
    code: error.code,
    status: error.status,
    metadata: { ...error.facts, error_type: error.code, request_id: requestId, docs_url: docsUrl(error.code) },
  };
}
