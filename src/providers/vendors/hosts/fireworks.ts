import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** It shortens a prompt and an answer that exceed the context window, and refuses a request with both names of the cap. */
export const fireworks = defineProvider({
  name: 'fireworks',
  displayName: 'Fireworks AI',
  origin: 'https://api.fireworks.ai',
  routes: { 'openai-chat': '/inference/v1/chat/completions' },
  // https://docs.fireworks.ai/api-reference/post-completions, https://docs.fireworks.ai/guides/querying-embeddings-models,
  // https://docs.fireworks.ai/api-reference/rerank-documents
  operations: {
    completions: '/inference/v1/completions',
    embeddings: '/inference/v1/embeddings',
    rerank: '/inference/v1/rerank',
  },
  modelsPath: '/inference/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'FIREWORKS_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens', 'max_completion_tokens'],
      outputCapDocumentation: 'https://docs.fireworks.ai/api-reference/post-chatcompletions',
    },
  },
  sampling: ['temperature', 'top_p', 'top_k'],
  documentation: 'https://docs.fireworks.ai/tools-sdks/openai-compatibility',
});
