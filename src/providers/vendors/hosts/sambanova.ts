import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const sambanova = defineProvider({
  name: 'sambanova',
  displayName: 'SambaNova',
  origin: 'https://api.sambanova.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  operations: { embeddings: '/v1/embeddings' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'SAMBANOVA_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.sambanova.ai/docs/en/api-reference/endpoints/chat',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.sambanova.ai/docs/en/features/openai-compatibility',
});
