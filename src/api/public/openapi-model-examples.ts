/** Examples of answers about models and providers. */
import type { RouteExample } from './openapi-call-examples.ts';

const ECHO = {
  id: 'demo/echo',
  canonical_slug: 'demo/echo',
  hugging_face_id: null,
  name: 'Demo: echo',
  created: 1_793_491_200,
  description: 'Repeats what it is sent, at the price of a small model.',
  context_length: 200_000,
  architecture: {
    modality: 'text+image+file->text',
    input_modalities: ['text', 'image', 'file'],
    output_modalities: ['text'],
    tokenizer: 'Other',
    instruct_type: null,
  },
  pricing: {
    prompt: '0.000001',
    completion: '0.000005',
    input_cache_read: '0.0000001',
    input_cache_write: '0.00000125',
    input_cache_write_1h: '0.000002',
  },
  top_provider: { context_length: 200_000, max_completion_tokens: 100_000, is_moderated: false },
  per_request_limits: null,
  supported_parameters: ['max_tokens', 'stop', 'tools', 'tool_choice', 'response_format', 'reasoning'],
  default_parameters: null,
  supported_voices: null,
  knowledge_cutoff: null,
  expiration_date: null,
  links: { details: '/api/v1/models/demo/echo/endpoints' },
};

const ECHO_IN_OPENAI_SHAPE = { id: 'demo/echo', object: 'model', created: 1_793_491_200, owned_by: 'demo' };

const ECHO_IN_GOOGLE_SHAPE = {
  name: 'models/demo/echo',
  baseModelId: 'demo/echo',
  displayName: 'Demo: echo',
  description: 'Repeats what it is sent, at the price of a small model.',
  inputTokenLimit: 200_000,
  outputTokenLimit: 100_000,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  thinking: true,
};

export const modelExamples: Readonly<Record<string, RouteExample>> = {
  listModels: { answer: { data: [ECHO], links: { next: null }, total_count: 1 } },
  getModel: { answer: { data: ECHO } },
  listModelsOfVendorShape: { answer: { object: 'list', data: [ECHO_IN_OPENAI_SHAPE] } },
  getModelOfVendorShape: { answer: ECHO_IN_OPENAI_SHAPE },
  listModelsInGoogleShape: { answer: { models: [ECHO_IN_GOOGLE_SHAPE] } },
  getModelInGoogleShape: { answer: ECHO_IN_GOOGLE_SHAPE },
  countModels: { answer: { data: { count: 5 } } },
  listEndpoints: {
    answer: {
      data: {
        id: ECHO.id,
        name: ECHO.name,
        created: ECHO.created,
        description: ECHO.description,
        architecture: ECHO.architecture,
        endpoints: [
          {
            name: 'Demo | echo',
            model_id: ECHO.id,
            model_name: ECHO.name,
            provider_name: 'Demo',
            tag: 'demo',
            context_length: 200_000,
            max_completion_tokens: 100_000,
            max_prompt_tokens: null,
            pricing: ECHO.pricing,
            quantization: null,
            supported_parameters: ECHO.supported_parameters,
            supports_implicit_caching: false,
            supports_tool_choice: { auto: true, function: true, none: true, required: true },
            supports_voice_cloning: false,
            status: 0,
            uptime_last_5m: 100,
            uptime_last_30m: 99.8,
            uptime_last_1d: 99.95,
            latency_last_30m: { p50: 3.2, p75: 4.1, p90: 6.5, p99: 11.8 },
            throughput_last_30m: { p50: 5200, p75: 4800, p90: 4100, p99: 2600 },
            health: 'good',
            resting: false,
            own_credential_only: false,
            context_length_assumed: false,
          },
        ],
      },
    },
  },
  listServingProviders: {
    answer: {
      data: [
        {
          name: 'Demo',
          slug: 'demo',
          privacy_policy_url: null,
          terms_of_service_url: null,
          status_page_url: null,
        },
      ],
    },
  },
  listShownModels: {
    answer: {
      updated_at: '2026-11-23T06:25:33.588Z',
      total_count: 1,
      abilities: [
        {
          input_modalities: ECHO.architecture.input_modalities,
          output_modalities: ECHO.architecture.output_modalities,
          supported_parameters: ECHO.supported_parameters,
        },
      ],
      data: [
        {
          id: ECHO.id,
          name: ECHO.name,
          created: ECHO.created,
          context_length: 200_000,
          max_completion_tokens: 100_000,
          abilities: 0,
          pricing: { input: '1', output: '5', cache_read: '0.1', cache_write: '1.25' },
          first_token_p50_ms: 3.2,
          tokens_per_second: 5200,
          uptime_last_1d: 99.95,
        },
      ],
    },
  },
};
