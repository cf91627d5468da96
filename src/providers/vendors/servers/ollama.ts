import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/**
 * A self-hosted server. The configuration lists its models, which are free unless they have a price. The Anthropic side:
 * https://docs.ollama.com/api/anthropic-compatibility
 */
export const ollama = defineProvider({
  name: 'ollama',
  displayName: 'Ollama',
  origin: 'http://127.0.0.1:11434',
  routes: {
    'openai-chat': '/v1/chat/completions',
    'anthropic-messages': '/v1/messages',
  },
  operations: { completions: '/v1/completions', embeddings: '/v1/embeddings' },
  modelsPath: '/v1/models',
  // Ollama reads no credential, but a proxy in front of one may.
  signatures: { 'openai-chat': bearer, 'anthropic-messages': bearer },
  environmentVariable: 'OLLAMA_HOST',
  environmentGives: 'origin',
  freeByDefault: 'always',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.ollama.com/api/openai-compatibility',
    },
  },
  // Its documentation lists them for both formats.
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.ollama.com/api/openai-compatibility',
});
