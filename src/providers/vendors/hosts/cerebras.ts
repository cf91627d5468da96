import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/**
 * It takes earlier thoughts in `reasoning`, which no quirk describes, so they are left out: https://inference-docs.cerebras.ai/capabilities/reasoning
 */
export const cerebras = defineProvider({
  name: 'cerebras',
  displayName: 'Cerebras',
  origin: 'https://api.cerebras.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'CEREBRAS_API_KEY',
  quirks: {
    'openai-chat': {
      // `max_tokens` is deprecated.
      outputCapFields: ['max_completion_tokens'],
      outputCapDocumentation: 'https://inference-docs.cerebras.ai/api-reference/chat-completions',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://inference-docs.cerebras.ai/api-reference/chat-completions',
});
