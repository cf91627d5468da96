import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/** The general endpoint. For a coding plan, `origin` is the address of a call there: https://api.z.ai/api/coding/paas/v4/chat/completions */
export const zai = defineProvider({
  name: 'zai',
  displayName: 'Z.AI',
  origin: 'https://api.z.ai',
  routes: { 'openai-chat': '/api/paas/v4/chat/completions' },
  modelsPath: '/api/paas/v4/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'ZAI_API_KEY',
  quirks: {
    'openai-chat': {
      // https://docs.z.ai/guides/capabilities/thinking-mode
      reasoningField: 'thinking_type',
      reasoningBack: 'reasoning_content',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.z.ai/api-reference/llm/chat-completion',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.z.ai/api-reference/introduction',
});
