import { defineProvider } from '../../define-provider.ts';
import type { CheckedOptions } from '../../provider-options.ts';
import { azureSignature } from '../../signatures/azure-signature.ts';

/**
 * An Azure OpenAI resource. What it calls a model is the name of a deployment, which the customer chose, so the configuration lists its
 * models. Without `apiVersion`, or with `preview` or `latest`, calls go to the v1 surface with the deployment's name in the body; with a
 * date, to the address of the deployment.
 *
 * https://learn.microsoft.com/en-us/azure/ai-services/openai/api-version-lifecycle
 */
export const azure = defineProvider({
  name: 'azure',
  displayName: 'Azure OpenAI',
  origin: null,
  originExample: 'https://my-resource.openai.azure.com',
  options: {
    apiVersion: {
      isRequired: false,
      example: '2024-10-21',
      pattern: /^(\d{4}-\d{2}-\d{2}(-preview)?|preview|latest)$/,
      environment: ['OPENAI_API_VERSION'],
    },
  },
  routes: {
    // The deployment's name is in the body on both surfaces.
    'openai-responses': ({ operation }, options) => {
      if (operation === 'count_tokens' || isTooOld(options)) return null;
      const path = isVersioned(options) ? '/openai/responses' : '/openai/v1/responses';
      return { path: operation === 'compact' ? `${path}/compact` : path, query: queryOf(options) };
    },
    'openai-chat': ({ operation, model }, options) => {
      if (operation !== 'chat') return null;
      if (isVersioned(options))
        return { path: `/openai/deployments/${encodeURIComponent(model)}/chat/completions`, query: queryOf(options) };
      return { path: '/openai/v1/chat/completions', query: queryOf(options) };
    },
  },
  modelsPath: null,
  modelsAt: (options) => ({
    origin: null,
    path: isVersioned(options) ? '/openai/models' : '/openai/v1/models',
    query: queryOf(options),
  }),
  signatures: { 'openai-responses': azureSignature, 'openai-chat': azureSignature },
  environmentVariable: 'AZURE_OPENAI_API_KEY',
  environmentOrigin: 'AZURE_OPENAI_ENDPOINT',
  quirks: {
    'openai-responses': { rawThoughts: false, customTools: true, thoughtOrigin: 'azure-openai-responses-v1' },
    'openai-chat': {
      systemRole: 'developer',
      customTools: true,
      openRouterFields: [],
      outputCapFields: ['max_completion_tokens', 'max_tokens'],
      outputCapDocumentation: 'https://learn.microsoft.com/en-us/azure/ai-services/openai/reference',
    },
  },
  // https://learn.microsoft.com/en-us/azure/ai-services/openai/how-to/responses
  keepsAnswers: true,
  documentation: 'https://learn.microsoft.com/en-us/azure/ai-services/openai/reference',
});

/** Whether its calls go to deployments. */
function isVersioned({ apiVersion }: CheckedOptions): boolean {
  return apiVersion !== null && /^\d/.test(apiVersion);
}

/** https://learn.microsoft.com/en-us/azure/ai-services/openai/how-to/responses */
const RESPONSES_SINCE = '2025-03-01-preview';

function isTooOld(options: CheckedOptions): boolean {
  return isVersioned(options) && (options.apiVersion ?? '') < RESPONSES_SINCE;
}

function queryOf({ apiVersion }: CheckedOptions): string {
  return apiVersion === null ? '' : `api-version=${apiVersion}`;
}
