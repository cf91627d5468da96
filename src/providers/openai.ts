import { defineProvider } from './define-provider.ts';

export const openai = defineProvider({
  name: 'openai',
  displayName: 'OpenAI',
  origin: 'https://api.openai.com',
  chatPaths: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': 'bearer' },
  environmentVariable: 'OPENAI_API_KEY',
  // Its reasoning models refuse `max_tokens`: https://platform.openai.com/docs/api-reference/chat/create
  habits: { outputCapField: 'max_completion_tokens', systemRole: 'developer' },
  documentation: 'https://platform.openai.com/docs/api-reference/chat',
});
