import { defineProvider } from './define-provider.ts';
import { bearer, xApiKey } from './signature.ts';

/**
 * Any server that speaks a dialect at the usual path; `openai-chat` unless the configuration says
 * otherwise. Several may be configured, each with its own name, origin, credential, models and prices.
 */
export const custom = defineProvider({
  name: 'custom',
  displayName: 'Custom',
  origin: null,
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer, 'anthropic-messages': xApiKey },
  environmentVariable: null,
  freeByDefault: 'private-address',
  // vLLM has it: https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
  habits: { openRouterFields: ['include_reasoning', 'metadata'] },
  // What every server that copies `openai-chat` has in common; `outputCapField` in its entry says otherwise.
  outputCap: { fields: ['max_tokens'], documentation: 'docs/how-to/custom-provider.md' },
  documentation: 'docs/how-to/custom-provider.md',
});
