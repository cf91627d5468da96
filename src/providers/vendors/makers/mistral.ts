import { defineProvider } from '../../define-provider.ts';
import { bearer } from '../../signature.ts';

/**
 * Takes the usual `reasoning_effort`: https://docs.mistral.ai/capabilities/reasoning/. It accepts earlier thoughts only as
 * parts of the content, which no quirk describes, so they are left out.
 */
export const mistral = defineProvider({
  name: 'mistral',
  displayName: 'Mistral',
  origin: 'https://api.mistral.ai',
  routes: { 'openai-chat': '/v1/chat/completions' },
  // https://docs.mistral.ai/api/endpoint/embeddings, https://docs.mistral.ai/api/endpoint/classifiers,
  // https://docs.mistral.ai/studio-api/audio/speech_to_text/offline_transcription. What fills a gap in code there answers like a conversation,
  // so it is not `completions`: https://docs.mistral.ai/api/endpoint/fim
  operations: {
    ...{ embeddings: '/v1/embeddings', moderations: '/v1/moderations' },
    transcriptions: '/v1/audio/transcriptions',
  },
  modelsPath: '/v1/models',
  signatures: { 'openai-chat': bearer },
  environmentVariable: 'MISTRAL_API_KEY',
  quirks: {
    'openai-chat': {
      // Other names are refused.
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://docs.mistral.ai/api/endpoint/chat',
    },
  },
  sampling: ['temperature', 'top_p'],
  documentation: 'https://docs.mistral.ai/api/endpoint/chat',
});
