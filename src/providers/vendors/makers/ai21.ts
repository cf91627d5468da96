import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const ai21 = defineProvider({
  name: 'ai21',
  displayName: 'AI21',
  origin: 'https://api.ai21.com',
  routes: { 'openai-chat': '/studio/v1/chat/completions' },
  modelsPath: null,
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'AI21_API_KEY',
  quirks: {
    'openai-chat': {
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.ai21.com/reference/jamba-1-6-api-ref',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.ai21.com/reference/jamba-1-6-api-ref',
});
