import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** The models that it serves to all; a deployment of your own has another `origin`. */
export const baseten = defineProvider({
  name: 'baseten',
  displayName: 'Baseten',
  origin: 'https://inference.baseten.co',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'BASETEN_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.baseten.co/reference/inference-api/chat-completions',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.baseten.co/inference/model-apis/overview',
});
