import { defineProvider } from '../../define-provider.ts';
import { noConversations } from '../../route.ts';
import { bearer } from '../../signature.ts';

/** Vectors and rankings. */
export const jina = defineProvider({
  name: 'jina',
  displayName: 'Jina AI',
  origin: 'https://api.jina.ai',
  routes: { 'openai-chat': noConversations },
  // https://jina.ai/reranker
  operations: { embeddings: '/v1/embeddings', rerank: '/v1/rerank' },
  modelsPath: null,
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'JINA_API_KEY',
  documentation: 'https://jina.ai/embeddings',
});
