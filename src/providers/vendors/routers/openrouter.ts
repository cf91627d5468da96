import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** Serves its dialects for every model, each with the same bearer credential. */
export const openrouter = defineProvider({
  name: 'openrouter',
  displayName: 'OpenRouter',
  origin: 'https://openrouter.ai',
  routes: {
    'openai-chat': '/api/v1/chat/completions',
    'anthropic-messages': '/api/v1/messages',
    // It stores nothing: https://openrouter.ai/docs/api-reference/responses-api-beta
    'openai-responses': '/api/v1/responses',
  },
  // https://openrouter.ai/docs/api_reference/embeddings and https://openrouter.ai/docs/api_reference/rerank
  operations: { embeddings: '/api/v1/embeddings', rerank: '/api/v1/rerank', speech: '/api/v1/audio/speech' },
  modelsPath: '/api/v1/models',
  signatures: { 'openai-chat': bearer, 'anthropic-messages': bearer, 'openai-responses': bearer },
  environmentVariable: 'OPENROUTER_API_KEY',
  quirks: {
    'openai-responses': { rawThoughts: true, customTools: true, thoughtOrigin: 'openrouter-responses-v1' },
    'openai-chat': {
      // https://openrouter.ai/docs/use-cases/reasoning-tokens and https://openrouter.ai/docs/features/prompt-caching
      reasoningField: 'reasoning',
      reasoningBack: 'reasoning_details',
      reasoningDetails: true,
      // Not `provider`, `models` and `route`: the gateway chooses the target, and these could make the call more expensive.
      openRouterFields: ['usage', 'include_reasoning', 'transforms', 'plugins', 'metadata'],
      cacheControl: true,
      outputCapFields: ['max_completion_tokens', 'max_tokens'],
      outputCapDocumentation: 'https://openrouter.ai/docs/api-reference/chat-completion',
    },
  },
  // It counts steps, each with any number of calls, and `stop_server_tools_when` overrides it: https://openrouter.ai/docs/api-reference/responses-api-beta
  ignoresToolLimit: true,
  // OpenRouter drops parameters that a model does not support: https://openrouter.ai/docs/api-reference/parameters
  sampling: ['temperature', 'top_p', 'top_k'],
  documentation: 'https://openrouter.ai/docs/api-reference/overview',
});
