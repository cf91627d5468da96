import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** A self-hosted server. It has no usual address here: its own is this gateway's. */
export const llamaCpp = defineProvider({
  name: 'llama-cpp',
  displayName: 'llama.cpp',
  origin: null,
  originExample: 'http://127.0.0.1:8081',
  routes: {
    'openai-chat': '/v1/chat/completions',
    'anthropic-messages': '/v1/messages',
  },
  operations: { completions: '/v1/completions', embeddings: '/v1/embeddings', rerank: '/v1/rerank' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer, 'anthropic-messages': bearer },
  environmentVariable: null,
  environmentGives: 'origin',
  freeByDefault: 'always',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
    },
  },
  sampling: ['temperature', 'top_p', 'top_k'],
  documentation: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
});
