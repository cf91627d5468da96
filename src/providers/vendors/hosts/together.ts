import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const together = defineProvider({
  name: 'together',
  displayName: 'Together AI',
  origin: 'https://api.together.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  // https://docs.together.ai/reference/completions, https://docs.together.ai/reference/rerank-1, https://docs.together.ai/docs/text-to-speech,
  // https://docs.together.ai/docs/speech-to-text
  operations: {
    ...{ completions: '/v1/completions', embeddings: '/v1/embeddings', rerank: '/v1/rerank' },
    speech: '/v1/audio/speech',
    ...{ transcriptions: '/v1/audio/transcriptions', translations: '/v1/audio/translations' },
  },
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
