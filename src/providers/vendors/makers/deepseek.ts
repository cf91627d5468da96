import { defineProvider } from '../../define-provider.ts';
import { bearer, xApiKey } from '../../signature.ts';

/**
 * Its Anthropic side takes the credential as Anthropic does and ignores `anthropic-version`:
 * https://api-docs.deepseek.com/guides/anthropic_api
 */
export const deepseek = defineProvider({
  name: 'deepseek',
  displayName: 'DeepSeek',
  origin: 'https://api.deepseek.com',
  routes: {
    'openai-chat': '/chat/completions',
    'anthropic-messages': '/anthropic/v1/messages',
  },
  // https://api-docs.deepseek.com/guides/fim_completion
  operations: { completions: '/beta/completions' },
  modelsPath: '/models',
  signatures: { 'openai-chat': bearer, 'anthropic-messages': xApiKey },
  environmentVariable: 'DEEPSEEK_API_KEY',
  quirks: {
    'openai-chat': {
      // Requires its thoughts back within a loop of tool calls: https://api-docs.deepseek.com/guides/thinking_mode
      reasoningField: 'thinking',
      reasoningBack: 'reasoning_content',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://api-docs.deepseek.com/api/create-chat-completion',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://api-docs.deepseek.com',
});
