import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** Its `/v1/messages` is left out, because xAI lists it as deprecated. */
export const xai = defineProvider({
  name: 'xai',
  displayName: 'xAI',
  origin: 'https://api.x.ai',
  routes: { 'openai-chat': '/v1/chat/completions', 'openai-responses': '/v1/responses' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer, 'openai-responses': bearer },
  environmentVariable: 'XAI_API_KEY',
  quirks: {
    'openai-responses': { rawThoughts: false, thoughtOrigin: 'xai-responses-v1' },
    'openai-chat': {
      outputCapFields: ['max_completion_tokens', 'max_tokens'],
      outputCapDocumentation: 'https://docs.x.ai/docs/api-reference#chat-completions',
    },
  },
  sampling: ['temperature', 'top_p'],
  // https://docs.x.ai/docs/guides/tools/overview
  serverTools: ['web_search', 'file_search', 'code_interpreter', 'mcp'],
  // Its own limit, `max_turns`, is not one of calls: https://docs.x.ai/developers/tools/tool-usage-details
  ignoresToolLimit: true,
  // https://docs.x.ai/docs/guides/chat
  keepsAnswers: true,
  documentation: 'https://docs.x.ai/docs/api-reference',
});
