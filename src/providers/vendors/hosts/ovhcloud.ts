import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const ovhcloud = defineProvider({
  name: 'ovhcloud',
  displayName: 'OVHcloud AI Endpoints',
  origin: 'https://oai.endpoints.kepler.ai.cloud.ovh.net',
  routes: { 'openai-chat': '/v1/chat/completions' },
  operations: { embeddings: '/v1/embeddings' },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'OVHCLOUD_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation:
        'https://docs.ovhcloud.com/en/guides/public-cloud/ai-machine-learning/ai-endpoints-getting-started',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.ovhcloud.com/en/guides/public-cloud/ai-machine-learning/ai-endpoints-getting-started',
});
