import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** What a model costs depends on who serves it, so that its models have no price here until the operator says one. */
export const huggingface = defineProvider({
  name: 'huggingface',
  displayName: 'Hugging Face',
  origin: 'https://router.huggingface.co',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: null,
  // Other programs use it, too, so it completes an entry and makes none.
  credentialOfEnvironment: ({ read }) => read('HF_TOKEN'),
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://huggingface.co/docs/inference-providers/en/tasks/chat-completion',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://huggingface.co/docs/inference-providers',
});
