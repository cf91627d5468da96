import { defineProvider } from '../../define-provider.ts';
import type { DeclaredRoute, RouteRequest } from '../../route.ts';
import { bearer, xGoogApiKey } from '../../signature.ts';

/** Translated calls use Google's own format; its OpenAI-compatible side is for callers of that format. */
export const google = defineProvider({
  name: 'google',
  displayName: 'Google',
  origin: 'https://generativelanguage.googleapis.com',
  routes: { gemini: routeOf, 'openai-chat': '/v1beta/openai/chat/completions' },
  // https://ai.google.dev/gemini-api/docs/openai
  operations: { embeddings: '/v1beta/openai/embeddings' },
  modelsPath: '/v1beta/models',
  signatures: { gemini: xGoogApiKey, 'openai-chat': bearer },
  environmentVariable: 'GEMINI_API_KEY',
  quirks: {
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://ai.google.dev/gemini-api/docs/openai',
    },
  },
  // https://ai.google.dev/api/generate-content#generationconfig
  sampling: ['temperature', 'top_p', 'top_k'],
  documentation: 'https://ai.google.dev/api',
});

/** The method is part of the path: https://ai.google.dev/api/generate-content, https://ai.google.dev/api/tokens, https://ai.google.dev/api/embeddings */
function routeOf(request: RouteRequest): DeclaredRoute | null {
  const { model } = request;
  const method = methodOf(request);
  if (method === null) return null;
  const path = `/v1beta/models/${encodeURIComponent(model)}:${method}`;
  // Without it the stream is one growing JSON array.
  return method === 'streamGenerateContent' ? { path, query: 'alt=sse' } : { path };
}

function methodOf({ operation, stream, isBatch }: RouteRequest): string | null {
  switch (operation) {
    case 'chat':
      return stream ? 'streamGenerateContent' : 'generateContent';
    case 'count_tokens':
      return 'countTokens';
    case 'embeddings':
      return isBatch === true ? 'batchEmbedContents' : 'embedContent';
    default:
      return null;
  }
}
