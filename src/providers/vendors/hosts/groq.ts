import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const groq = defineProvider({
  name: 'groq',
  displayName: 'Groq',
  origin: 'https://api.groq.com',
  routes: { 'openai-chat': '/openai/v1/chat/completions' },
  // https://console.groq.com/docs/text-to-speech, https://console.groq.com/docs/speech-to-text
  operations: {
    speech: '/openai/v1/audio/speech',
    ...{ transcriptions: '/openai/v1/audio/transcriptions', translations: '/openai/v1/audio/translations' },
  },
  modelsPath: '/openai/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'GROQ_API_KEY',
  quirks: {
    'openai-chat': {
      // https://console.groq.com/docs/reasoning
      openRouterFields: ['include_reasoning', 'metadata'],
      outputCapFields: ['max_completion_tokens', 'max_tokens'],
      outputCapDocumentation: 'https://console.groq.com/docs/api-reference#chat-create',
      // https://groq.com/pricing
      leastSeconds: 10,
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://console.groq.com/docs/openai',
});
