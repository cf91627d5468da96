import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

export const githubModels = defineProvider({
  name: 'github-models',
  displayName: 'GitHub Models',
  origin: 'https://models.github.ai',
  routes: { 'openai-chat': '/inference/chat/completions' },
  // https://docs.github.com/en/rest/models/embeddings
  operations: { embeddings: '/inference/embeddings' },
  modelsPath: '/catalog/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: null,
  // Other programs use it, too, so it completes an entry and makes none.
  credentialOfEnvironment: ({ read }) => read('GITHUB_TOKEN'),
  quirks: {
    'openai-chat': {
      reasoningField: 'none',
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.github.com/en/rest/models/inference',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.github.com/en/github-models',
});
