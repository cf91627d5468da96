import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** Its side that speaks this format, and rankings, which have one format; chat of its own API has a format of its own. */
export const cohere = defineProvider({
  name: 'cohere',
  displayName: 'Cohere',
  origin: 'https://api.cohere.ai',
  routes: { 'openai-chat': '/compatibility/v1/chat/completions' },
  // https://docs.cohere.com/v2/reference/rerank
  operations: { embeddings: '/compatibility/v1/embeddings', rerank: '/v2/rerank' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'COHERE_API_KEY',
  quirks: {
    'openai-chat': {
      // Of the efforts it knows `none` and `high` alone, and it refuses `metadata`.
      reasoningField: 'none',
      openRouterFields: [],
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.cohere.com/docs/compatibility-api',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.cohere.com/docs/compatibility-api',
});
