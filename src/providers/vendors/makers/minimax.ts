import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/**
 * Its Anthropic side is preferred for what is translated: the other one writes thoughts into the text of most models.
 *
 * https://platform.minimax.io/docs/api-reference/text-anthropic-api
 */
export const minimax = defineProvider({
  name: 'minimax',
  displayName: 'MiniMax',
  origin: 'https://api.minimax.io',
  routes: {
    'anthropic-messages': '/anthropic/v1/messages',
    'openai-chat': '/v1/chat/completions',
  },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer, 'anthropic-messages': bearer },
  environmentVariable: 'MINIMAX_API_KEY',
  quirks: {
    'openai-chat': {
      reasoningField: 'none',
      // `max_tokens` is deprecated.
      outputCapFields: ['max_completion_tokens'],
      outputCapDocumentation: 'https://platform.minimax.io/docs/api-reference/text-chat-openai',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://platform.minimax.io/docs/api-reference/text-openai-api',
});
