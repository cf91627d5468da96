import { defineProvider } from '../../define-provider.ts';
import type { CheckedOptions } from '../../provider-options.ts';
import { googleSignature } from '../../signatures/google-signature.ts';
import { projectOf } from '../../signatures/service-account.ts';

/**
 * Google Vertex AI: Gemini and Claude by publisher, below a project and a location, each in its own format; models of other publishers, which
 * have a slash in their names, in OpenAI's. The project may come from the service account.
 *
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude
 */
export const vertex = defineProvider({
  name: 'vertex',
  displayName: 'Google Vertex AI',
  origin: 'https://{location}-aiplatform.googleapis.com',
  originOf: ({ location }) => originOf(location ?? ''),
  options: {
    project: {
      isRequired: true,
      mayBeInCredential: true,
      example: 'my-project',
      pattern: /^[a-z0-9.-]+(:[a-z0-9-]+)?$/,
      environment: ['GOOGLE_CLOUD_PROJECT', 'ANTHROPIC_VERTEX_PROJECT_ID'],
    },
    location: {
      isRequired: true,
      example: 'global',
      pattern: /^(global|us|eu|[a-z]+-[a-z]+\d{1,2})$/,
      environment: ['GOOGLE_CLOUD_LOCATION', 'CLOUD_ML_REGION'],
    },
  },
  completeOptions: (options, credential) => ({
    ...options,
    project: options.project ?? (credential && projectOf(credential.reveal())),
  }),
  routes: {
    gemini: ({ operation, model, stream, isBatch }, options) => {
      if (isClaude(model) || model.includes('/')) return null;
      const path = `${placeOf(options)}/publishers/google/models/${encodeModel(model)}`;
      if (operation === 'count_tokens') return { path: `${path}:countTokens` };
      if (operation === 'embeddings')
        return { path: `${path}:${isBatch === true ? 'batchEmbedContents' : 'embedContent'}` };
      // Without `alt=sse` the stream is one growing JSON array.
      return stream ? { path: `${path}:streamGenerateContent`, query: 'alt=sse' } : { path: `${path}:generateContent` };
    },
    'anthropic-messages': ({ operation, model, stream }, options) => {
      if (!isClaude(model)) return null;
      const models = `${placeOf(options)}/publishers/anthropic/models`;
      if (operation === 'count_tokens') return { path: `${models}/count-tokens:rawPredict` };
      return { path: `${models}/${encodeModel(model)}:${stream ? 'streamRawPredict' : 'rawPredict'}` };
    },
    // https://cloud.google.com/vertex-ai/generative-ai/docs/start/openai
    'openai-chat': ({ operation, model }, options) =>
      operation === 'chat' && model.includes('/')
        ? { path: `${placeOf(options)}/endpoints/openapi/chat/completions` }
        : null,
  },
  exampleModels: {
    gemini: 'gemini-2.5-pro',
    'anthropic-messages': 'claude-sonnet-4-5@20250929',
    'openai-chat': 'meta/llama-4-maverick-17b-128e-instruct-maas',
  },
  // Publishers' models are listed in v1beta1 only.
  modelsPath: '/v1beta1/publishers/google/models',
  // https://cloud.google.com/vertex-ai/generative-ai/pricing (other locations than `global`: since Claude 4.5 and Gemini 3)
  surchargePercent: (model, { location }) => (location === 'global' || OLDER.test(model) ? 0 : REGIONAL_PERCENT),
  signatures: { gemini: googleSignature, 'anthropic-messages': googleSignature, 'openai-chat': googleSignature },
  environmentVariable: null,
  // https://cloud.google.com/docs/authentication/application-default-credentials
  credentialOfEnvironment: ({ readFile }) => readFile('GOOGLE_APPLICATION_CREDENTIALS'),
  quirks: {
    gemini: { countsWhole: false },
    'anthropic-messages': { cloud: 'vertex' },
    'openai-chat': {
      outputCapFields: ['max_tokens'],
      outputCapDocumentation: 'https://cloud.google.com/vertex-ai/generative-ai/docs/start/openai',
    },
  },
  documentation: 'https://cloud.google.com/vertex-ai/generative-ai/docs/models',
});

/** The multi-regions have hosts of their own: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations */
function originOf(location: string): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com';
  if (location === 'us' || location === 'eu') return `https://aiplatform.${location}.rep.googleapis.com`;
  return `https://${location}-aiplatform.googleapis.com`;
}

function placeOf({ project, location }: CheckedOptions): string {
  return `/v1/projects/${project}/locations/${location}`;
}

/** A version stands after an `@`, which the path may have as it is. */
function encodeModel(model: string): string {
  return encodeURIComponent(model).replaceAll('%40', '@');
}

const REGIONAL_PERCENT = 10;
/** Models of other publishers have one price. */
const OLDER = /^claude-(3|instant|(opus|sonnet)-4(-1)?(@|$))|^gemini-([12]\.|embedding-001)|\//;

/** Anthropic's names begin alike. */
function isClaude(model: string): boolean {
  return model.startsWith('claude-');
}
