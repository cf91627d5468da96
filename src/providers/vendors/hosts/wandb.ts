import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const wandb = defineProvider({
  name: 'wandb',
  displayName: 'W&B Inference',
  origin: 'https://api.inference.wandb.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: null,
  // Other programs use it, too, so it completes an entry and makes none.
  credentialOfEnvironment: ({ read }) => read('WANDB_API_KEY'),
  quirks: {
    'openai-chat': {
      // A switch in `chat_template_kwargs`: https://docs.wandb.ai/inference/response-settings/reasoning
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.wandb.ai/inference/api-reference',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.wandb.ai/inference',
});
