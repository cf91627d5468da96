import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** A self-hosted server; with `--api-key` it reads a bearer token. */
export const vllm = defineProvider({
  name: 'vllm',
  displayName: 'vLLM',
  origin: 'http://127.0.0.1:8000',
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
      // https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
      openRouterFields: ['include_reasoning', 'metadata'],
      outputCapFields: ['max_completion_tokens', 'max_tokens'],
      outputCapDocumentation: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
    },
  },
  sampling: ['temperature', 'top_p', 'top_k'],
  documentation: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
});
