import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** What a model costs depends on who serves it, so that its models have no price here until the operator says one. */
export const vercel = defineProvider({
  name: 'vercel',
  displayName: 'Vercel AI Gateway',
  origin: 'https://ai-gateway.vercel.sh',
  routes: { 'openai-chat': '/v1/chat/completions' },
  // https://vercel.com/docs/ai-gateway/sdks-and-apis/openai-chat-completions/embeddings
  operations: { embeddings: '/v1/embeddings' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'AI_GATEWAY_API_KEY',
  quirks: {
    'openai-chat': {
      // https://vercel.com/docs/ai-gateway/sdks-and-apis/openai-chat-completions/advanced
      reasoningField: 'reasoning',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://vercel.com/docs/ai-gateway/sdks-and-apis/openai-chat-completions',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://vercel.com/docs/ai-gateway/sdks-and-apis',
});
