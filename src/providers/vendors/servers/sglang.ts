import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** A self-hosted server; with `--api-key` it reads a bearer token. */
export const sglang = defineProvider({
  name: 'sglang',
  displayName: 'SGLang',
  origin: 'http://127.0.0.1:30000',
  routes: {
    'openai-chat': '/v1/chat/completions',
    'anthropic-messages': '/v1/messages',
  },
  // Its rerankers answer with a bare list: https://docs.sglang.io/docs/supported-models/rerank_models
  operations: { completions: '/v1/completions', embeddings: '/v1/embeddings' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer, 'anthropic-messages': bearer },
  environmentVariable: null,
  environmentGives: 'origin',
  freeByDefault: 'always',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_completion_tokens', 'max_tokens'],
      outputCapDocumentation: 'https://docs.sglang.ai/basic_usage/openai_api_completions.html',
    },
  },
  sampling: ['temperature', 'top_p', 'top_k'],
  documentation: 'https://docs.sglang.ai/basic_usage/openai_api.html',
});
