import { defineProvider } from '../../define-provider.ts';
import { pathBelow } from '../../path-below.ts';
import { bearer } from '../../signature.ts';
import { isChatOnly, isRegional, isResponsesOnly } from './openai-models.ts';

export const openai = defineProvider({
  name: 'openai',
  displayName: 'OpenAI',
  origin: 'https://api.openai.com',
  routes: {
    // Preferred for what is translated: it takes thoughts back, and images in the results of tools.
    'openai-responses': ({ operation, model }) => {
      if (isChatOnly(model)) return null;
      // https://platform.openai.com/docs/api-reference/responses/compact
      if (operation === 'compact') return { path: '/v1/responses/compact' };
      return pathBelow('/v1/responses', 'openai-responses', operation);
    },
    'openai-chat': ({ operation, model }) =>
      isResponsesOnly(model) ? null : pathBelow('/v1/chat/completions', 'openai-chat', operation),
  },
  operations: {
    ...{ completions: '/v1/completions', embeddings: '/v1/embeddings' },
    ...{ images: '/v1/images/generations', moderations: '/v1/moderations' },
    ...{ image_edits: '/v1/images/edits', speech: '/v1/audio/speech' },
    ...{ transcriptions: '/v1/audio/transcriptions', translations: '/v1/audio/translations' },
  },
  modelsPath: '/v1/models',
  // https://platform.openai.com/docs/guides/your-data#data-residency-controls
  surchargePercent: (model, _options, origin) => (REGIONAL.test(origin) && isRegional(model) ? REGIONAL_PERCENT : 0),
  signatures: { 'openai-responses': bearer, 'openai-chat': bearer },
  environmentVariable: 'OPENAI_API_KEY',
  quirks: {
    'openai-responses': { rawThoughts: false, customTools: true },
    'openai-chat': {
      // `metadata` is refused without `store`, which is refused here: https://platform.openai.com/docs/api-reference/chat/create
      systemRole: 'developer',
      customTools: true,
      openRouterFields: [],
      // Its reasoning models refuse `max_tokens`; a refused request costs nothing.
      outputCapFields: ['max_completion_tokens', 'max_tokens'],
      outputCapDocumentation: 'https://platform.openai.com/docs/api-reference/chat/create',
    },
  },
  // https://platform.openai.com/docs/guides/tools
  serverTools: ['web_search', 'web_search_preview', 'file_search', 'code_interpreter', 'mcp', 'image_generation'],
  // https://platform.openai.com/docs/guides/conversation-state
  keepsAnswers: true,
  documentation: 'https://platform.openai.com/docs/api-reference/chat',
});

/** Where requests are processed in one region. */
const REGIONAL = /^https:\/\/[a-z]{2}\.api\.openai\.com$/;
const REGIONAL_PERCENT = 10;
