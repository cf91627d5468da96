import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** A self-hosted server, whose project is archived. */
export const tgi = defineProvider({
  name: 'tgi',
  displayName: 'Text Generation Inference',
  origin: 'http://127.0.0.1:3000',
  routes: { 'openai-chat': '/v1/chat/completions' },
  // https://huggingface.co/docs/text-generation-inference/reference/api_reference
  operations: { completions: '/v1/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: null,
  environmentGives: 'origin',
  freeByDefault: 'always',
  quirks: {
    'openai-chat': {
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://huggingface.co/docs/text-generation-inference/messages_api',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://huggingface.co/docs/text-generation-inference/messages_api',
});
