import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** In China it is at another `origin`, https://api.stepfun.com. */
export const stepfun = defineProvider({
  name: 'stepfun',
  displayName: 'StepFun',
  origin: 'https://api.stepfun.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'STEPFUN_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://platform.stepfun.ai/docs/en/api-reference/chat/chat-completion-create',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://platform.stepfun.ai/docs/en/api-reference/chat/chat-completion-create',
});
