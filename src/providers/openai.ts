import { defineProvider } from './define-provider.ts';

export const openai = defineProvider({
  name: 'openai',
  displayName: 'OpenAI',
  origin: 'https://api.openai.com',
  chatPaths: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': 'bearer' },
  environmentVariable: 'OPENAI_API_KEY',
  documentation: 'https://platform.openai.com/docs/api-reference/chat',
});
