import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** Serves Hunyuan. In China it is at another `origin`, https://tokenhub.tencentmaas.com. */
export const tencent = defineProvider({
  name: 'tencent',
  displayName: 'Tencent TokenHub',
  origin: 'https://tokenhub-intl.tencentcloudmaas.com',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'TENCENT_TOKENHUB_API_KEY',
  quirks: {
    'openai-chat': {
      // https://cloud.tencent.com/document/product/1823/131208
      reasoningField: 'thinking_type',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://cloud.tencent.com/document/product/1823/130079',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://cloud.tencent.com/document/product/1823/130079',
});
