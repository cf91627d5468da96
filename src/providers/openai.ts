import { defineProvider } from './define-provider.ts';
import { bearer } from './signature.ts';

export const openai = defineProvider({
  name: 'openai',
  displayName: 'OpenAI',
  origin: 'https://api.openai.com',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'OPENAI_API_KEY',
  quirks: {
    'openai-chat': {
      // `metadata` is refused without `store`, which is refused here: https://platform.openai.com/docs/api-reference/chat/create
      systemRole: 'developer',
      customTools: true,
      openRouterFields: [],
      // Its reasoning models refuse `max_tokens`; a refused request costs nothing.
      outputCapFields: ['max_completion_tokens', 'max_tokens'],
      outputCapDocumentation: 'https://platform.openai.com/docs/api-reference/chat/create',
    },
  },
  // https://platform.openai.com/docs/guides/tools
  serverTools: ['web_search', 'web_search_preview', 'file_search', 'code_interpreter', 'mcp', 'image_generation'],
  documentation: 'https://platform.openai.com/docs/api-reference/chat',
});
