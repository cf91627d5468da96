import { defineProvider } from './define-provider.ts';

/** The provider that comes with the program; it listens on loopback and says where once it does. */
export const demo = defineProvider({
  name: 'demo',
  displayName: 'Demo',
  origin: null,
  chatPaths: {
    'openai-chat': '/v1/chat/completions',
    'anthropic-messages': '/v1/messages',
  },
  modelsPath: null,
  signatures: { 'openai-chat': 'none', 'anthropic-messages': 'none' },
  environmentVariable: null,
  documentation: 'https://github.com/turnpike-gateway/turnpike/blob/main/docs/how-to/demo.md',
});
