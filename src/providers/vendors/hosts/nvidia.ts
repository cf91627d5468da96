import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** What asks a model to think differs from model to model. */
export const nvidia = defineProvider({
  name: 'nvidia',
  displayName: 'NVIDIA',
  origin: 'https://integrate.api.nvidia.com',
  routes: { 'openai-chat': '/v1/chat/completions' },
  // https://docs.api.nvidia.com/nim/reference/retrieval-apis
  operations: { embeddings: '/v1/embeddings' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'NVIDIA_API_KEY',
  quirks: {
    'openai-chat': {
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.api.nvidia.com/nim/reference/llm-apis',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.api.nvidia.com/nim/',
});
