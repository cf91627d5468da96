import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** A self-hosted server; it may require a token. */
export const lmStudio = defineProvider({
  name: 'lm-studio',
  displayName: 'LM Studio',
  origin: 'http://127.0.0.1:1234',
  routes: {
    'openai-chat': '/v1/chat/completions',
    'anthropic-messages': '/v1/messages',
  },
  operations: { completions: '/v1/completions', embeddings: '/v1/embeddings' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer, 'anthropic-messages': bearer },
  environmentVariable: null,
  environmentGives: 'origin',
  freeByDefault: 'always',
  quirks: {
    'openai-chat': {
      // Its list of what it reads has no such field.
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://lmstudio.ai/docs/developer/openai-compat/chat-completions',
    },
  },
  sampling: ['temperature', 'top_p', 'top_k'],
  documentation: 'https://lmstudio.ai/docs/developer/openai-compat',
});
