import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const novita = defineProvider({
  name: 'novita',
  displayName: 'Novita AI',
  origin: 'https://api.novita.ai',
  routes: { 'openai-chat': '/openai/v1/chat/completions' },
  // https://novita.ai/docs/api-reference/model-apis-llm-create-completion, https://novita.ai/docs/api-reference/model-apis-llm-create-rerank
  operations: {
    completions: '/openai/v1/completions',
    embeddings: '/openai/v1/embeddings',
    rerank: '/openai/v1/rerank',
  },
  modelsPath: '/openai/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'NOVITA_API_KEY',
  quirks: {
    'openai-chat': {
      // `enable_thinking`, which only callers of this format can send.
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://novita.ai/docs/api-reference/model-apis-llm-create-chat-completion',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://novita.ai/docs/api-reference/model-apis-llm-create-chat-completion',
});
