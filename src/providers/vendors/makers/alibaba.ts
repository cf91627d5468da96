import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/**
 * A key is for one region; those of others have an `origin` of their own. Its Anthropic side is left out, because the cap there does not count
 * the thoughts of many models, so that a call could cost more than was held.
 */
export const alibaba = defineProvider({
  name: 'alibaba',
  displayName: 'Alibaba Model Studio',
  origin: 'https://dashscope-intl.aliyuncs.com',
  routes: { 'openai-chat': '/compatible-mode/v1/chat/completions' },
  operations: { embeddings: '/compatible-mode/v1/embeddings' },
  modelsPath: '/compatible-mode/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'DASHSCOPE_API_KEY',
  quirks: {
    'openai-chat': {
      // `enable_thinking`, which only callers of this format can send.
      reasoningField: 'none',
      // `max_tokens` does not count the thoughts of many models; this does.
      outputCapFields: ['max_completion_tokens'],
      outputCapDocumentation: 'https://www.alibabacloud.com/help/en/model-studio/api-compatibility-upgrade-notice',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://www.alibabacloud.com/help/en/model-studio/developer-reference/use-qwen-by-calling-api',
});
