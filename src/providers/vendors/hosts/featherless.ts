import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** It sells months as well as tokens, so that its models have no price here until the operator says one. */
export const featherless = defineProvider({
  name: 'featherless',
  displayName: 'Featherless',
  origin: 'https://api.featherless.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'FEATHERLESS_AI_API_KEY',
  quirks: {
    'openai-chat': {
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://featherless.ai/docs/api-overview-and-common-options',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://featherless.ai/docs/api-overview-and-common-options',
});
