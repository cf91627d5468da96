import { defineProvider } from '../../define-provider.ts';
import { noConversations } from '../../route.ts';
import { bearer } from '../../signature.ts';

/** Vectors only. Its usage is the total alone. */
export const voyage = defineProvider({
  name: 'voyage',
  displayName: 'Voyage AI',
  origin: 'https://api.voyageai.com',
  routes: { 'openai-chat': noConversations },
  operations: { embeddings: '/v1/embeddings' },
  modelsPath: null,
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'VOYAGE_API_KEY',
  documentation: 'https://docs.voyageai.com/reference/embeddings-api',
});
