import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const friendli = defineProvider({
  name: 'friendli',
  displayName: 'FriendliAI',
  origin: 'https://api.friendli.ai',
  routes: { 'openai-chat': '/serverless/v1/chat/completions' },
  modelsPath: '/serverless/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'FRIENDLI_TOKEN',
  quirks: {
    'openai-chat': {
      // A switch in `chat_template_kwargs`, which only callers of this format can send.
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://friendli.ai/docs/openapi/serverless/chat-completions',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://friendli.ai/docs/guides/serverless_endpoints/introduction',
});
