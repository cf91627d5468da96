import { defineProvider } from '../../define-provider.ts';
import { noConversations } from '../../route.ts';
import { bearer } from '../../signature.ts';

/** Vectors and rankings. Its usage is the total alone. */
export const voyage = defineProvider({
  name: 'voyage',
  displayName: 'Voyage AI',
  origin: 'https://api.voyageai.com',
  routes: { 'openai-chat': noConversations },
  // https://docs.voyageai.com/reference/reranker-api
  operations: { embeddings: '/v1/embeddings', rerank: '/v1/rerank' },
  modelsPath: null,
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'VOYAGE_API_KEY',
  documentation: 'https://docs.voyageai.com/reference/embeddings-api',
});
