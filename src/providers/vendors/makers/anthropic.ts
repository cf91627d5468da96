import { defineProvider } from '../../define-provider.ts';
import { xApiKey } from '../../signature.ts';

export const anthropic = defineProvider({
  name: 'anthropic',
  displayName: 'Anthropic',
  origin: 'https://api.anthropic.com',
  routes: { 'anthropic-messages': '/v1/messages' },
  modelsPath: '/v1/models',
  signatures: { 'anthropic-messages': xApiKey },
  environmentVariable: 'ANTHROPIC_API_KEY',
  // The version is mandatory; a caller's own passes and wins: https://docs.anthropic.com/en/api/versioning
  headers: { 'anthropic-version': '2023-06-01' },
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens', 'max_completion_tokens'],
      outputCapDocumentation: 'https://platform.claude.com/docs/en/api/openai-sdk',
    },
  },
  documentation: 'https://docs.anthropic.com/en/api/messages',
});
