import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const nscale = defineProvider({
  name: 'nscale',
  displayName: 'Nscale',
  origin: 'https://inference.api.nscale.com',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'NSCALE_API_KEY',
  quirks: {
    'openai-chat': {
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.nscale.com/docs/inference/chat',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.nscale.com/docs/inference/chat',
});
