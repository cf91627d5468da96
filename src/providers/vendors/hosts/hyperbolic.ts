import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const hyperbolic = defineProvider({
  name: 'hyperbolic',
  displayName: 'Hyperbolic',
  origin: 'https://api.hyperbolic.xyz',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'HYPERBOLIC_API_KEY',
  quirks: {
    'openai-chat': {
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.hyperbolic.xyz/docs/rest-api',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.hyperbolic.xyz/docs/rest-api',
});
