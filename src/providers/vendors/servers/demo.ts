import { defineProvider } from '../../define-provider.ts';
import { bearer, xApiKey, xGoogApiKey } from '../../signature.ts';

/** As `demo/` calls it. */
const EMBEDDING_MODEL = 'embed';

/**
 * The built-in provider: it listens on loopback, its address is known once it does, and its credential is made for each run
 * and sent as vendors require.
 */
export const demo = defineProvider({
  name: 'demo',
  displayName: 'Demo',
  origin: null,
  routes: {
    'openai-chat': '/v1/chat/completions',
    'anthropic-messages': '/v1/messages',
    // Its model for vectors alone.
    gemini: ({ operation, model, isBatch }) => {
      if (model !== EMBEDDING_MODEL) return null;
      const method =
        operation === 'embeddings' ? (isBatch === true ? 'batchEmbedContents' : 'embedContent') : operation;
      return { path: `/v1beta/models/${model}:${method}` };
    },
  },
  exampleModels: { gemini: EMBEDDING_MODEL },
  operations: {
    ...{ completions: '/v1/completions', embeddings: '/v1/embeddings', images: '/v1/images/generations' },
    ...{ moderations: '/v1/moderations', rerank: '/v1/rerank' },
    ...{ image_edits: '/v1/images/edits', speech: '/v1/audio/speech' },
    ...{ transcriptions: '/v1/audio/transcriptions', translations: '/v1/audio/translations' },
  },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer, 'anthropic-messages': xApiKey, gemini: xGoogApiKey },
  environmentVariable: null,
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_completion_tokens', 'max_tokens'],
      outputCapDocumentation: 'docs/how-to/demo.md',
    },
  },
  documentation: 'docs/how-to/demo.md',
});
