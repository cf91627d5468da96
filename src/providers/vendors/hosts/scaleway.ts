import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const scaleway = defineProvider({
  name: 'scaleway',
  displayName: 'Scaleway',
  origin: 'https://api.scaleway.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  // https://www.scaleway.com/en/docs/generative-apis/api-cli/using-embeddings-api/
  // https://www.scaleway.com/en/docs/generative-apis/how-to/query-reranking-models
  operations: { embeddings: '/v1/embeddings', rerank: '/v1/rerank' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: null,
  // Other programs use it, too, so it completes an entry and makes none.
  credentialOfEnvironment: ({ read }) => read('SCW_SECRET_KEY'),
  quirks: {
    'openai-chat': {
      // It does not list `metadata`.
      openRouterFields: [],
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://www.scaleway.com/en/docs/generative-apis/api-cli/using-chat-api/',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://www.scaleway.com/en/docs/generative-apis/',
});
