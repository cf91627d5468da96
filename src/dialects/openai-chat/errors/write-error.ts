/**
 * The gateway's own errors in the chat completions format: the envelope of OpenAI's SDKs, with `metadata` for OpenRouter's clients.
 *
 * https://platform.openai.com/docs/guides/error-codes
 */
import type { GatewayError } from '../../../core/errors.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import { openaiEnvelope } from '../../kit/errors/openai-envelope.ts';

/** The body of an error before the answer has begun. */
export function writeError(error: GatewayError, requestId: string): Buffer {
  return Buffer.from(JSON.stringify({ error: openaiEnvelope(error, requestId) }));
}

/**
 * The bytes that end a stream with an error; no `[DONE]` follows. First a chunk: OpenAI's packages throw if it has an `error`, others see a
 * choice that ended with one. It has all fields for clients that validate chunks, though neither the model nor the time is known here. Then
 * the error alone: Vercel's `@ai-sdk/openai` recognises it only without `choices`. `code` is the status in both: `@openrouter/sdk` and
 * LiteLLM accept only a number, as OpenRouter writes it. The stable code is `metadata.error_type`.
 *
 * https://openrouter.ai/docs/api-reference/streaming
 */
export function writeStreamError(error: GatewayError, requestId: string): Buffer {
  const coded = { ...openaiEnvelope(error, requestId), code: error.status };
  const chunk = {
    id: requestId,
    object: 'chat.completion.chunk',
    created: 0,
    model: '',
    error: coded,
    choices: [{ index: 0, delta: {}, finish_reason: 'error' }],
  };
  return Buffer.concat([encodeSse(null, JSON.stringify(chunk)), encodeSse(null, JSON.stringify({ error: coded }))]);
}
