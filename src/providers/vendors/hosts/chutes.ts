import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const chutes = defineProvider({
  name: 'chutes',
  displayName: 'Chutes',
  origin: 'https://llm.chutes.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'CHUTES_API_KEY',
  quirks: {
    'openai-chat': {
      // https://chutes.ai/docs/guides/reasoning-models
      reasoningField: 'none',
      // Its list of models says which parameters each of them takes.
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://llm.chutes.ai/v1/models',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://chutes.ai/docs',
});
