import { defineProvider } from '../../define-provider.ts';
import { noConversations } from '../../route.ts';
import { bearer } from '../../signature.ts';

/**
 * Vectors only. Its chat completions ended in September 2026, and what replaces them runs searches and other tools in one call, each with a
 * fee, for which no request sets a limit.
 *
 * https://docs.perplexity.ai/docs/agent-api/migrate-from-sonar/overview
 */
export const perplexity = defineProvider({
  name: 'perplexity',
  displayName: 'Perplexity',
  origin: 'https://api.perplexity.ai',
  routes: { 'openai-chat': noConversations },
  operations: { embeddings: '/v1/embeddings' },
  modelsPath: null,
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'PERPLEXITY_API_KEY',
  documentation: 'https://docs.perplexity.ai',
});
