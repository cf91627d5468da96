import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const nebius = defineProvider({
  name: 'nebius',
  displayName: 'Nebius Token Factory',
  origin: 'https://api.tokenfactory.nebius.com',
  routes: { 'openai-chat': '/v1/chat/completions' },
  operations: { embeddings: '/v1/embeddings' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'NEBIUS_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.tokenfactory.nebius.com/api-reference/inference/create-chat-completion',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.tokenfactory.nebius.com/',
});
