/** Examples of requests and answers in the OpenAPI document, by the route's operation id. A test compares them with real answers. */
import { defaultCallerDialect } from '../../dialects/index.ts';

export interface RouteExample {
  readonly request?: unknown;
  /** The answer's body: JSON, or text for routes that answer with text. */
  readonly answer: unknown;
  /** The beginning of a stream, for routes that can stream. */
  readonly stream?: string;
}

const CREATED = 1_795_415_133;
const ASKED_AT = '2026-11-23T06:25:33.588Z';
const HELLO = [{ role: 'user', content: 'Hello' }];

const NO_LIMITS = {
  requests_per_minute: null,
  requests_per_day: null,
  tokens_per_minute: null,
  concurrent_calls: null,
  budgets: { day: null, week: null, month: null, total: null },
};
const NO_RESTRICTIONS = { operations: null, models_allow: null, models_deny: null, ips_limited: false };

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
  links: { details: '/api/v1/model/demo/echo' },
};

const ECHO_IN_OPENAI_SHAPE = { id: 'demo/echo', object: 'model', created: 1_793_491_200, owned_by: 'demo' };

const GOOGLE_HELLO = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const GOOGLE_USAGE = {
  promptTokenCount: 1,
  candidatesTokenCount: 1,
  totalTokenCount: 2,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 1 }],
  candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 1 }],
};
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

export const routeExamples: Readonly<Record<string, RouteExample>> = {
  getKey: {
    answer: {
      data: {
        label: 'sk-tp-…GI7m',
        name: 'Support bot',
        limit: 50,
        limit_remaining: 37.25,
        limit_reset: 'monthly',
        include_byok_in_limit: false,
        usage: 92.5,
        usage_daily: 1.4,
        usage_weekly: 4.8,
        usage_monthly: 12.75,
        byok_usage: 0,
        byok_usage_daily: 0,
        byok_usage_weekly: 0,
        byok_usage_monthly: 0,
        is_free_tier: false,
        is_management_key: false,
        is_provisioning_key: false,
        creator_user_id: null,
        expires_at: null,
        rate_limit: { requests: -1, interval: '10s', note: 'deprecated: always -1' },
        allowed_data_regions: ['global'],
        free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
        organization_id: null,
        workspace_id: null,
        id: 1,
        project_id: 1,
        account_id: 1,
        created_at: '2026-11-01T09:00:00.000Z',
        retires_at: null,
        limits: {
          key: { ...NO_LIMITS, requests_per_minute: 60, budgets: { ...NO_LIMITS.budgets, month: 50 } },
          project: NO_LIMITS,
          account: NO_LIMITS,
        },
        permissions: {
          key: { ...NO_RESTRICTIONS, models_allow: ['anthropic/*', 'demo/echo'] },
          project: NO_RESTRICTIONS,
          account: NO_RESTRICTIONS,
        },
        budgets: [
          {
            scope: 'key',
            window: 'month',
            limit: 50,
            spent: 12.75,
            held: 0,
            remaining: 37.25,
            resets_at: '2026-12-01T00:00:00.000Z',
          },
        ],
        binding: { name: 'key_budget_month', scope: 'key', window: 'month', available: 37.25 },
        held: 0,
      },
      balance: 104.2,
    },
  },
  getCredits: { answer: { data: { total_credits: 120, total_usage: 15.8 } } },
  getGeneration: {
    answer: {
      data: {
        id: 'gen-01m83h9kcmj6fwekfe1vjq6pef',
        request_id: 'req_01m83h9kcmj6fwekfe1vjq6pef',
        upstream_id: 'chatcmpl-Ol6T3li8tAWk1dXvWCsF1wkKl5YfW',
        api_type: 'completions',
        model: 'demo/echo',
        provider_name: 'demo',
        created_at: ASKED_AT,
        streamed: false,
        cancelled: false,
        finish_reason: 'stop',
        native_finish_reason: 'stop',
        tokens_prompt: 1,
        tokens_completion: 1,
        native_tokens_prompt: 1,
        native_tokens_completion: 1,
        native_tokens_reasoning: 0,
        native_tokens_cached: 0,
        native_tokens_completion_images: null,
        total_cost: 0.000006,
        usage: 0.000006,
        upstream_inference_cost: null,
        cache_discount: null,
        is_byok: false,
        latency: 5.682,
        generation_time: 3.329,
        moderation_latency: null,
        provider_responses: [
          {
            provider_name: 'demo',
            model_permaslug: 'echo',
            endpoint_id: 'demo/echo',
            is_byok: false,
            status: 200,
            error_code: null,
            latency: 4.783,
          },
        ],
        origin: '',
        http_referer: null,
        user_agent: null,
        app_id: null,
        external_user: null,
        preset_id: null,
        router: null,
        service_tier: null,
        session_id: null,
        workspace_id: null,
        data_region: 'global',
        num_media_prompt: null,
        num_media_completion: null,
        num_input_audio_prompt: null,
        num_search_results: null,
        num_fetches: null,
        web_search_engine: null,
        key_id: 1,
        project_id: 1,
        operation: 'chat',
        dialect: defaultCallerDialect.name,
        upstream_dialect: defaultCallerDialect.name,
        ending: 'complete',
        status: 200,
        error_code: null,
        usage_source: 'reported',
        web_searches: 0,
        file_searches: 0,
        code_containers: 0,
        price_version: 1,
        price_lines: [
          { what: 'input', count: 1, price: '0.000001', cost: 0.000001 },
          { what: 'output', count: 1, price: '0.000005', cost: 0.000005 },
        ],
        cost: 0.000006,
        hold: 0.500264,
        charge: 0.000006,
        warnings: [],
        app: null,
        metadata: {},
        labels_cut: false,
        timings: { first_byte_ms: 2.353, total_ms: 5.682 },
        request_bytes: 68,
        response_bytes: 607,
      },
    },
  },
  getActivity: {
    answer: {
      data: [
        {
          date: '2026-11-23',
          model: 'demo/echo',
          model_permaslug: 'demo/echo',
          endpoint_id: 'demo/demo/echo',
          provider_name: 'demo',
          usage: 0.0042,
          byok_usage_inference: 0,
          requests: 12,
          prompt_tokens: 1450,
          completion_tokens: 550,
          reasoning_tokens: 0,
          failed_requests: 1,
          cached_tokens: 0,
          cost: 0.0042,
        },
      ],
    },
  },
  listModels: { answer: { data: [ECHO], links: { next: null }, total_count: 1 } },
  getModel: { answer: { data: ECHO } },
  listModelsOfVendorShape: { answer: { object: 'list', data: [ECHO_IN_OPENAI_SHAPE] } },
  getModelOfVendorShape: { answer: ECHO_IN_OPENAI_SHAPE },
  createChatCompletion: {
    request: { model: 'demo/echo', messages: HELLO },
    answer: {
      id: 'chatcmpl-wX79JBG39Xf8O59Kr6h85nSnBc62M',
      object: 'chat.completion',
      created: CREATED,
      model: 'demo/echo',
      provider: 'demo',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello', refusal: null, annotations: [] },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 1,
        completion_tokens: 1,
        total_tokens: 2,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: 0,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
        cost: 0.000006,
      },
      service_tier: 'default',
      system_fingerprint: 'fp_demo',
    },
    stream: `data: {"id":"chatcmpl-cQ2R…","object":"chat.completion.chunk","created":${CREATED},"model":"demo/echo","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

data: {"id":"chatcmpl-cQ2R…","object":"chat.completion.chunk","created":${CREATED},"model":"demo/echo","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}

data: {"id":"chatcmpl-cQ2R…","object":"chat.completion.chunk","created":${CREATED},"model":"demo/echo","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

`,
  },
  createMessage: {
    request: { model: 'demo/echo', max_tokens: 100, messages: HELLO },
    answer: {
      id: 'msg_01TMriz9P5tkWsE115Sj0ErI',
      type: 'message',
      role: 'assistant',
      model: 'demo/echo',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 1,
        service_tier: 'standard',
        inference_geo: 'not_available',
      },
    },
    stream: `event: message_start
data: {"type":"message_start","message":{"id":"msg_01TM…","type":"message","role":"assistant","model":"demo/echo","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}

event: message_stop
data: {"type":"message_stop"}

`,
  },
  createResponse: {
    request: { model: 'demo/echo', input: 'Hello' },
    answer: {
      id: 'resp_01m83tx9q0xh300am3pt6z5gef',
      object: 'response',
      created_at: CREATED,
      status: 'completed',
      incomplete_details: null,
      error: null,
      output: [
        {
          id: 'msg_01m83tx9q0xh300am3pt6z5gef_0',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2,
        cost: 0.000006,
      },
      model: 'demo/echo',
      provider: 'demo',
      background: false,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      metadata: {},
      parallel_tool_calls: true,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: null, summary: null },
      safety_identifier: null,
      service_tier: 'default',
      store: false,
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_logprobs: 0,
      top_p: 1,
      truncation: 'disabled',
      user: null,
    },
    stream: `event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_01m8…","object":"response","created_at":${CREATED},"status":"in_progress",…}}

…

event: response.output_text.delta
data: {"type":"response.output_text.delta","item_id":"msg_01m8…_0","output_index":0,"content_index":0,"delta":"Hello","logprobs":[],"sequence_number":4}

…

event: response.completed
data: {"type":"response.completed","sequence_number":8,"response":{"id":"resp_01m8…","object":"response","created_at":${CREATED},"status":"completed",…}}

`,
  },
  countResponseTokens: {
    request: { model: 'demo/echo', input: 'Hello' },
    answer: { object: 'response.input_tokens', input_tokens: 18 },
  },
  countMessageTokens: {
    request: { model: 'demo/echo', max_tokens: 100, messages: HELLO },
    answer: { input_tokens: 18 },
  },
  generateContent: {
    request: { contents: GOOGLE_HELLO },
    answer: {
      candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: GOOGLE_USAGE,
      modelVersion: 'demo/echo',
      responseId: 'gen-01m83tx8dss2161f5my7zayyaz',
    },
  },
  streamGenerateContent: {
    request: { contents: GOOGLE_HELLO },
    answer: [
      {
        candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, index: 0 }],
        modelVersion: 'demo/echo',
        responseId: 'gen-01m83tx8dss2161f5my7zayyaz',
      },
      {
        candidates: [{ finishReason: 'STOP', index: 0 }],
        usageMetadata: GOOGLE_USAGE,
        modelVersion: 'demo/echo',
        responseId: 'gen-01m83tx8dss2161f5my7zayyaz',
      },
    ],
    stream: `data: {"candidates":[{"content":{"parts":[{"text":"Hello"}],"role":"model"},"index":0}],"modelVersion":"demo/echo","responseId":"gen-01m83…"}

data: {"candidates":[{"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2},"modelVersion":"demo/echo","responseId":"gen-01m83…"}

`,
  },
  countTokens: { request: { contents: GOOGLE_HELLO }, answer: { totalTokens: 18 } },
  listModelsInGoogleShape: { answer: { models: [ECHO_IN_GOOGLE_SHAPE] } },
  getModelInGoogleShape: { answer: ECHO_IN_GOOGLE_SHAPE },
  getLiveness: { answer: { status: 'ok' } },
  getReadiness: { answer: { status: 'ok', reasons: [] } },
  getHealth: { answer: { status: 'ok', reasons: [], version: '0.1.0' } },
  getMetrics: {
    answer:
      '# HELP turnpike_calls_total Calls that were admitted, by how they ended.\n# TYPE turnpike_calls_total counter\nturnpike_calls_total{dialect="…",provider="demo",model="demo/echo",ending="complete"} 2\n',
  },
  getOpenApi: { answer: { openapi: '3.1.1', info: { title: 'Turnpike', version: '0.1.0' } } },
  getErrorReference: { answer: '# Errors\n\n…\n\n## model_not_found\n\nHTTP 404 · …\n' },
  getProgram: { answer: { name: 'turnpike', version: '0.1.0', openapi: '/openapi.json' } },
  getDocs: { answer: { openapi: '/openapi.json', errors: '/docs/reference/errors.md', pages: '/llms.txt' } },
};
