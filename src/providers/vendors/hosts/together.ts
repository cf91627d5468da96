import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const together = defineProvider({
  name: 'together',
  displayName: 'Together AI',
  origin: 'https://api.together.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  operations: { embeddings: '/v1/embeddings' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'TOGETHER_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.together.ai/reference/chat-completions',
    },
  },
  sampling: ['temperature', 'top_p', 'top_k'],
  documentation: 'https://docs.together.ai/docs/openai-api-compatibility',
});
