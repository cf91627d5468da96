import { defineProvider } from '../../define-provider.ts';
import { bearer, xApiKey } from '../../signature.ts';

/**
 * Any server that speaks a dialect at the usual path; `openai-chat` by default. Several may be configured, each with its own
 * name, origin, credential, models and prices.
 */
export const custom = defineProvider({
  name: 'custom',
  displayName: 'Custom',
  origin: null,
  routes: { 'openai-chat': '/v1/chat/completions' },
  operations: 'usual',
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer, 'anthropic-messages': xApiKey, 'openai-responses': bearer },
  environmentVariable: null,
  freeByDefault: 'private-address',
  quirks: {
    'openai-chat': {
      // vLLM has them: https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
      openRouterFields: ['include_reasoning', 'metadata'],
      // It may be a proxy that made them.
      reasoningDetails: true,
    },
  },
  documentation: 'docs/how-to/custom-provider.md',
});
