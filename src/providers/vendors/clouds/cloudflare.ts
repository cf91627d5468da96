import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** Every account has its own path. */
export const cloudflare = defineProvider({
  name: 'cloudflare',
  displayName: 'Cloudflare Workers AI',
  origin: 'https://api.cloudflare.com',
  options: {
    accountId: {
      isRequired: true,
      example: '023e105f4ecef8ad9ca31a8372d0c353',
      pattern: /^[0-9a-f]{32}$/,
      environment: ['CLOUDFLARE_ACCOUNT_ID'],
    },
  },
  routes: { 'openai-chat': '/client/v4/accounts/{accountId}/ai/v1/chat/completions' },
  operations: { embeddings: '/client/v4/accounts/{accountId}/ai/v1/embeddings' },
  modelsPath: null,
  signatures: { 'openai-chat': bearer },
  environmentVariable: null,
  // Other programs use it, too, so it completes an entry and makes none.
  credentialOfEnvironment: ({ read }) => read('CLOUDFLARE_API_TOKEN'),
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://developers.cloudflare.com/workers-ai/models/',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/',
});
