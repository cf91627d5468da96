/** The schemas of the OpenAPI document: bodies of requests and answers. Objects stay open, because unknown fields pass through. */
import { batchSchemas } from './batches/openapi-batch-schemas.ts';
import { fileSchemas } from './files/openapi-file-schemas.ts';
import { audioSchemas } from './openapi-audio-schemas.ts';
import { imageSchemas } from './openapi-image-schemas.ts';
import { modelSchemas } from './openapi-model-schemas.ts';
import {
  anyObject,
  count,
  countOrNull,
  list,
  number,
  numberOrNull,
  open,
  text,
  textOrNull,
  textsOrNull,
  timeOrNull,
  usd,
  usdOrNull,
  yesOrNo,
} from './openapi-schema-parts.ts';

/** The same schema for a key, its project and its account. */
function byScope(each: Readonly<Record<string, unknown>>) {
  return open({ key: each, project: each, account: each });
}

const generateContentResponse = open(
  {
    candidates: { type: 'array', items: anyObject },
    promptFeedback: anyObject,
    usageMetadata: open({ promptTokenCount: count, candidatesTokenCount: count, totalTokenCount: count }),
    modelVersion: text,
    responseId: text,
  },
  ['candidates', 'modelVersion', 'responseId'],
);

export const schemas = {
  KeyInformation: open({
    data: open({
      label: text,
      name: text,
      limit: usdOrNull,
      limit_remaining: usdOrNull,
      limit_reset: { enum: ['daily', 'weekly', 'monthly', null] },
      usage: usd,
      usage_daily: usd,
      usage_weekly: usd,
      usage_monthly: usd,
      is_free_tier: yesOrNo,
      is_management_key: yesOrNo,
      expires_at: timeOrNull,
      id: count,
      project_id: count,
      account_id: count,
      retires_at: timeOrNull,
      limits: byScope(
        open({
          requests_per_minute: countOrNull,
          requests_per_day: countOrNull,
          tokens_per_minute: countOrNull,
          concurrent_calls: countOrNull,
          budgets: open({ day: usdOrNull, week: usdOrNull, month: usdOrNull, total: usdOrNull }),
        }),
      ),
      permissions: byScope(
        open({ operations: textsOrNull, models_allow: textsOrNull, models_deny: textsOrNull, ips_limited: yesOrNo }),
      ),
      budgets: list(
        open({
          scope: { enum: ['key', 'project', 'account'] },
          window: { enum: ['day', 'week', 'month', 'total'] },
          limit: usd,
          spent: usd,
          held: usd,
          remaining: usd,
          resets_at: timeOrNull,
        }),
      ),
      binding: {
        description: 'The balance or budget with the least left; null without a limit.',
        oneOf: [open({ name: text, scope: text, window: textOrNull, available: usd }), { type: 'null' }],
      },
      held: usd,
    }),
    balance: { ...usdOrNull, description: 'USD, including holds of running calls; null with billing off.' },
  }),
  Credits: open({ data: open({ total_credits: usd, total_usage: usd }) }),
  Generation: open({
    data: open({
      id: text,
      request_id: text,
      upstream_id: textOrNull,
      model: text,
      asked_model: {
        ...textOrNull,
        description:
          'As the caller wrote it, such as an alias, or the first of several models; null if that is the id of `model`.',
      },
      provider_name: text,
      created_at: { type: 'string', format: 'date-time' },
      streamed: { type: ['boolean', 'null'] },
      cancelled: yesOrNo,
      finish_reason: textOrNull,
      native_finish_reason: textOrNull,
      tokens_prompt: count,
      tokens_completion: count,
      native_tokens_reasoning: count,
      native_tokens_cached: count,
      total_cost: usd,
      usage: usd,
      latency: numberOrNull,
      generation_time: numberOrNull,
      provider_responses: { type: ['array', 'null'], items: anyObject },
      ending: text,
      usage_source: { enum: ['reported', 'estimated', 'none', 'cache'] },
      price_lines: {
        type: ['array', 'null'],
        items: open({ what: text, count, price: { ...text, description: 'USD per unit, exact.' }, cost: usd }),
      },
      cost: { ...usdOrNull, description: 'At the pinned list prices.' },
      rate: {
        ...count,
        description:
          'Parts per million of the cost that are charged, pinned with the prices: 1000000 without a markup.',
      },
      hold: usdOrNull,
      charge: usd,
      cached: { ...yesOrNo, description: 'Whether the answer came from the response cache.' },
      saved: { ...usd, description: 'USD that the call would have been charged otherwise.' },
      warnings: list(text),
      timings: { oneOf: [open({ first_byte_ms: numberOrNull, total_ms: number }), { type: 'null' }] },
    }),
  }),
  Activity: open({
    data: list(
      open({
        date: { type: 'string', format: 'date' },
        model: text,
        provider_name: text,
        usage: usd,
        requests: count,
        prompt_tokens: count,
        completion_tokens: count,
        reasoning_tokens: count,
        failed_requests: count,
        cached_tokens: count,
        cost: usd,
      }),
    ),
  }),
  ...modelSchemas,
  RoutePlan: open({
    data: open({
      model: { type: 'string', description: 'As it was sent.' },
      max_attempts: { type: 'integer', description: 'At most this many candidates are tried.' },
      max_cost: { ...usdOrNull, description: 'USD, exact: the most that a call may cost; null without a price.' },
      candidates: {
        type: 'array',
        description: 'In the order in which they are tried.',
        items: open({
          model: text,
          provider: text,
          upstream_model: text,
          own_credential: yesOrNo,
          translated: {
            type: 'boolean',
            description: "Whether the provider speaks another format than the request's.",
          },
          resting: { type: 'boolean', description: 'Whether it has failed lately, and so is tried last.' },
          max_cost: {
            ...usdOrNull,
            description: 'Null without a price, and for candidates beyond those that are tried.',
          },
          later_because: { type: 'array', items: text, description: 'Why it comes later than in the catalogue.' },
          warnings: { type: 'array', items: text, description: 'What of the request is lost in translation.' },
        }),
      },
      left_out: {
        type: 'array',
        items: open({ model: text, provider: text, upstream_model: text, own_credential: yesOrNo, reason: text }),
      },
    }),
  }),
  ChatRequest: open(
    {
      model: { type: 'string', description: '<vendor>/<name>, as GET /api/v1/models lists it.' },
      messages: { type: 'array', minItems: 1, items: open({ role: text }) },
      stream: yesOrNo,
      max_tokens: { type: 'integer', minimum: 1 },
      max_completion_tokens: { type: 'integer', minimum: 1 },
    },
    ['model', 'messages'],
  ),
  ChatCompletion: open({
    id: text,
    object: { const: 'chat.completion' },
    created: { type: 'integer' },
    model: text,
    choices: { type: 'array', items: anyObject },
    usage: open({
      prompt_tokens: { type: 'integer' },
      completion_tokens: { type: 'integer' },
      total_tokens: { type: 'integer' },
      cost: { type: ['number', 'null'], description: 'USD, exact.' },
    }),
  }),
  ResponsesRequest: open(
    {
      model: { type: 'string', description: '<vendor>/<name>, as GET /api/v1/models lists it.' },
      input: { anyOf: [text, { type: 'array', minItems: 1, items: anyObject }] },
      instructions: textOrNull,
      stream: yesOrNo,
      max_output_tokens: { type: 'integer', minimum: 1 },
    },
    ['model', 'input'],
  ),
  Response: open({
    id: text,
    object: { const: 'response' },
    created_at: { type: 'integer' },
    status: { enum: ['completed', 'incomplete', 'failed', 'in_progress'] },
    model: text,
    output: { type: 'array', items: anyObject },
    usage: open({
      input_tokens: { type: 'integer' },
      output_tokens: { type: 'integer' },
      total_tokens: { type: 'integer' },
      cost: { type: ['number', 'null'], description: 'USD, exact.' },
    }),
  }),
  MessagesRequest: open(
    {
      model: text,
      messages: { type: 'array', minItems: 1, items: open({ role: { enum: ['user', 'assistant', 'system'] } }) },
      max_tokens: { type: 'integer', minimum: 0 },
      stream: yesOrNo,
    },
    ['model', 'messages', 'max_tokens'],
  ),
  Message: open({
    id: text,
    type: { const: 'message' },
    role: { const: 'assistant' },
    model: text,
    content: { type: 'array', items: anyObject },
    stop_reason: textOrNull,
    usage: open({ input_tokens: { type: 'integer' }, output_tokens: { type: 'integer' } }),
  }),
  GenerateContentRequest: open({
    contents: { type: 'array', minItems: 1, items: open({ parts: { type: 'array', items: anyObject } }) },
  }),
  GenerateContentResponse: generateContentResponse,
  GenerateContentStream: { type: 'array', items: generateContentResponse },
  GoogleModelList: open({ models: { type: 'array', items: open({ name: text }) } }),
  GoogleModel: open({ name: text }),
  EmbeddingsRequest: open({
    model: text,
    input: { description: 'A text, a list of texts, a list of tokens, or a list of such lists.' },
    dimensions: count,
    encoding_format: { enum: ['float', 'base64'] },
  }),
  EmbeddingsResponse: open({
    object: { const: 'list' },
    data: { type: 'array', items: open({ object: { const: 'embedding' }, index: count, embedding: {} }) },
    model: text,
    usage: open({ prompt_tokens: count, total_tokens: count, cost: { type: 'number' } }),
  }),
  ...audioSchemas,
  ...imageSchemas,
  ...fileSchemas,
  ...batchSchemas,
  ImagesRequest: open(
    { model: text, prompt: text, n: count, size: text, quality: text, stream: yesOrNo, partial_images: count },
    ['model', 'prompt'],
  ),
  CompletionRequest: open(
    {
      model: text,
      prompt: {
        description: 'A text, a list of texts, a list of tokens, or a list of such lists; each is answered for itself.',
      },
      suffix: { ...textOrNull, description: 'What follows the text that is made.' },
      max_tokens: count,
      n: { type: 'integer', minimum: 1, maximum: 128 },
      best_of: count,
      echo: yesOrNo,
      logprobs: { type: ['integer', 'null'] },
      stop: { anyOf: [text, { type: 'array', items: text }] },
      stream: yesOrNo,
    },
    ['model', 'prompt'],
  ),
  Completion: open({
    id: text,
    object: { const: 'text_completion' },
    created: { type: 'integer' },
    model: text,
    choices: {
      type: 'array',
      items: open({ text, index: count, logprobs: {}, finish_reason: textOrNull }),
    },
    usage: open({
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      cost: { type: ['number', 'null'], description: 'USD, exact.' },
    }),
  }),
  ModerationRequest: open(
    { model: text, input: { description: 'A text, a list of texts, or a list of parts with texts and images.' } },
    ['model', 'input'],
  ),
  Moderation: open({
    id: text,
    model: text,
    results: {
      type: 'array',
      items: open({ flagged: { type: 'boolean' }, categories: anyObject, category_scores: anyObject }),
    },
  }),
  RerankRequest: open(
    {
      model: text,
      query: text,
      documents: { type: 'array', minItems: 1, items: { anyOf: [text, anyObject] } },
      top_n: { type: 'integer', minimum: 1 },
      return_documents: yesOrNo,
      max_tokens_per_doc: count,
    },
    ['model', 'query', 'documents'],
  ),
  Ranking: open({
    id: text,
    model: text,
    results: {
      type: 'array',
      items: open({ index: count, relevance_score: { type: 'number' }, document: {} }),
    },
    usage: open({ total_tokens: count, cost: { type: ['number', 'null'], description: 'USD, exact.' } }),
  }),
  EmbedContentRequest: open({ content: anyObject }),
  BatchEmbedContentsRequest: open({ requests: { type: 'array', minItems: 1, items: anyObject } }),
  GoogleError: open({
    error: open({
      code: { type: 'integer' },
      message: text,
      status: text,
      details: { type: 'array', items: anyObject },
    }),
  }),
  DashboardError: open({
    error: open({ message: text, type: text, param: textOrNull, code: text, status: count, metadata: anyObject }),
  }),
  OpenAiError: open({ error: open({ message: text, code: { type: ['string', 'integer', 'null'] } }) }),
  OpenRouterError: open({ error: open({ code: { type: 'integer' }, message: text, metadata: anyObject }) }),
  AnthropicError: open({
    type: { const: 'error' },
    error: open({ type: text, message: text }),
    request_id: textOrNull,
  }),
};
