import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const upstage = defineProvider({
  name: 'upstage',
  displayName: 'Upstage',
  origin: 'https://api.upstage.ai',
  routes: { 'openai-chat': '/v1/solar/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'UPSTAGE_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://developers.upstage.ai/docs/apis/chat',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://developers.upstage.ai/docs/apis/chat',
});
