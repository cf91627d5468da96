import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const moonshot = defineProvider({
  name: 'moonshot',
  displayName: 'Moonshot AI',
  origin: 'https://api.moonshot.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'MOONSHOT_API_KEY',
  quirks: {
    'openai-chat': {
      // Models think or do not, and need their thoughts back within a loop of tool calls.
      reasoningField: 'thinking_type',
      reasoningBack: 'reasoning_content',
      outputCapFields: ['max_completion_tokens', 'max_tokens'],
      outputCapDocumentation: 'https://platform.moonshot.ai/docs/api/chat',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://platform.moonshot.ai/docs/api/chat',
});
