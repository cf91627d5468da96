import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** Its Anthropic side: https://docs.deepinfra.com/api-reference/chat-completions/anthropic-messages */
export const deepinfra = defineProvider({
  name: 'deepinfra',
  displayName: 'DeepInfra',
  origin: 'https://api.deepinfra.com',
  routes: {
    'openai-chat': '/v1/openai/chat/completions',
    'anthropic-messages': '/anthropic/v1/messages',
  },
  // https://deepinfra.com/docs/advanced/openai_api. Its rerankers have a path for each model.
  operations: { completions: '/v1/openai/completions', embeddings: '/v1/openai/embeddings' },
  modelsPath: '/v1/openai/models',
  signatures: { 'openai-chat': bearer, 'anthropic-messages': bearer },
  environmentVariable: 'DEEPINFRA_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.deepinfra.com/api-reference/chat-completions/openai-chat-completions',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.deepinfra.com/api-reference/chat-completions/openai-chat-completions',
});
