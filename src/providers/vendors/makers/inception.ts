import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const inception = defineProvider({
  name: 'inception',
  displayName: 'Inception',
  origin: 'https://api.inceptionlabs.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'INCEPTION_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.inceptionlabs.ai/api-reference/chat/create-a-chat-completion',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.inceptionlabs.ai/api-reference/chat/create-a-chat-completion',
});
