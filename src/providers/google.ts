import { defineProvider } from './define-provider.ts';
import { bearer } from './signature.ts';

/** Gemini's OpenAI-compatible side; its native dialect will be a separate member. */
export const google = defineProvider({
  name: 'google',
  displayName: 'Google',
  origin: 'https://generativelanguage.googleapis.com',
  routes: { 'openai-chat': '/v1beta/openai/chat/completions' },
  modelsPath: '/v1beta/openai/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'GEMINI_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://ai.google.dev/gemini-api/docs/openai',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://ai.google.dev/gemini-api/docs/openai',
});
