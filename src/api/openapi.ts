/**
 * The OpenAPI 3.1 document of the public routes, from one table. It describes what callers may rely
 * on; request bodies stay open, because unknown fields of the vendors' formats pass through.
 * https://spec.openapis.org/oas/v3.1.1.html
 */
export interface OpenApiFacts {
  readonly version: string;
  /** Where callers reach this installation, or null to leave it to the document's own address. */
  readonly publicUrl: string | null;
}

export function openApiDocument(facts: OpenApiFacts): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    (paths[route.path] as Record<string, unknown>)[route.method] = operationOf(route);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Turnpike',
      version: facts.version,
      description: 'Calls language models with an API key, in the format of OpenAI or of Anthropic.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: facts.publicUrl ?? '/' }],
    paths,
    components: { securitySchemes, schemas },
  };
}

interface Route {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly needsKey: boolean;
  readonly request?: keyof typeof schemas;
  readonly answer: Answer;
  /** Statuses that are particular to this route. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly errorSchema?: keyof typeof schemas;
}

interface Answer {
  readonly description: string;
  readonly schema?: keyof typeof schemas;
  /** Content type of a stream that may come in place of JSON. */
  readonly stream?: boolean;
  readonly contentType?: string;
}

const CALL_ERRORS = {
  '400': 'The request cannot be served as it is.',
  '402': 'The balance or a budget is used up.',
  '403': 'The key may not do this.',
  '404': 'There is no such model here.',
  '413': 'The body is too large.',
  '429': 'Too many requests, here or at the provider.',
  '501': 'The model is served in the other format only.',
  '502': 'The provider failed.',
  '503': 'The gateway is full or shutting down.',
  '504': 'The provider did not answer in time.',
};

const routes: readonly Route[] = [
  {
    method: 'get',
    path: '/api/v1/key',
    operationId: 'getKey',
    summary: 'The calling key, and the balance of its account',
    needsKey: true,
    answer: { description: 'The key.', schema: 'KeyInformation' },
  },
  {
    method: 'get',
    path: '/api/v1/models',
    operationId: 'listModels',
    summary: "The models this key may use, in OpenRouter's shape",
    needsKey: true,
    answer: { description: 'The models.', schema: 'ModelList' },
  },
  {
    method: 'post',
    path: '/api/v1/chat/completions',
    operationId: 'createChatCompletion',
    summary: "A chat completion in OpenAI's format",
    needsKey: true,
    request: 'ChatRequest',
    answer: { description: 'The completion, or a stream of its chunks.', schema: 'ChatCompletion', stream: true },
    errors: CALL_ERRORS,
  },
  {
    method: 'post',
    path: '/v1/messages',
    operationId: 'createMessage',
    summary: "A message in Anthropic's format",
    needsKey: true,
    request: 'MessagesRequest',
    answer: { description: 'The message, or a stream of its events.', schema: 'Message', stream: true },
    errors: CALL_ERRORS,
    errorSchema: 'AnthropicError',
  },
  {
    method: 'post',
    path: '/v1/messages/count_tokens',
    operationId: 'countMessageTokens',
    summary: 'How many tokens a message would send; an estimate is marked x-turnpike-estimated',
    needsKey: true,
    request: 'MessagesRequest',
    answer: { description: 'The number, as input_tokens.' },
    errors: CALL_ERRORS,
    errorSchema: 'AnthropicError',
  },
  {
    method: 'get',
    path: '/v1/models',
    operationId: 'listModelsOfVendorShape',
    summary: "The models in Anthropic's shape where anthropic-version is sent, else in OpenAI's",
    needsKey: true,
    answer: { description: 'The models.', schema: 'ModelList' },
  },
  {
    method: 'get',
    path: '/health/live',
    operationId: 'getLiveness',
    summary: 'Whether the process answers',
    needsKey: false,
    answer: { description: 'It does.' },
  },
  {
    method: 'get',
    path: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Whether calls are taken',
    needsKey: false,
    answer: { description: 'They are.' },
    errors: { '503': 'They are not: starting, shutting down, or a part is unusable.' },
  },
  {
    method: 'get',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus; asks for a bearer token where one is configured',
    needsKey: false,
    answer: { description: 'The metrics.', contentType: 'text/plain' },
    errors: { '401': 'The token is configured and was not sent.' },
  },
  {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This document',
    needsKey: false,
    answer: { description: 'OpenAPI 3.1.' },
  },
];

/** One of the two is enough; both with the same key are accepted. */
const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API key>`' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
};

const text = { type: 'string' };
const number = { type: 'number' };
const yesOrNo = { type: 'boolean' };
const textOrNull = { type: ['string', 'null'] };
const numberOrNull = { type: ['number', 'null'] };
const anyObject = { type: 'object', additionalProperties: true };

/** An object whose named fields are always there, and which may have more. */
function open(properties: Readonly<Record<string, unknown>>, required = Object.keys(properties)) {
  return { type: 'object', required, properties, additionalProperties: true };
}

const schemas = {
  KeyInformation: open({
    data: open({
      label: text,
      limit: numberOrNull,
      limit_remaining: numberOrNull,
      limit_reset: textOrNull,
      usage: number,
      usage_daily: number,
      usage_weekly: number,
      usage_monthly: number,
      is_free_tier: yesOrNo,
      is_management_key: yesOrNo,
      expires_at: { type: ['string', 'null'], format: 'date-time' },
    }),
    balance: { type: ['number', 'null'], description: 'USD; null where no balance is kept.' },
  }),
  ModelList: open({ data: { type: 'array', items: open({ id: text }) } }),
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
  OpenAiError: open({ error: open({ message: text, code: { type: ['string', 'integer', 'null'] } }) }),
  AnthropicError: open({
    type: { const: 'error' },
    error: open({ type: text, message: text }),
    request_id: textOrNull,
  }),
};

function operationOf(route: Route): Record<string, unknown> {
  const errorSchema = route.errorSchema ?? 'OpenAiError';
  const errors = { ...(route.needsKey ? { '401': 'No valid key was sent.' } : {}), ...route.errors };
  return {
    operationId: route.operationId,
    summary: route.summary,
    security: route.needsKey ? [{ bearer: [] }, { apiKey: [] }] : [],
    ...(route.request && {
      requestBody: { required: true, content: { 'application/json': { schema: reference(route.request) } } },
    }),
    responses: {
      '200': { description: route.answer.description, content: contentOf(route.answer) },
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          status,
          route.needsKey
            ? { description, content: { 'application/json': { schema: reference(errorSchema) } } }
            : { description },
        ]),
      ),
    },
  };
}

function contentOf(answer: Answer): Record<string, unknown> {
  const whole = {
    [answer.contentType ?? 'application/json']: answer.schema ? { schema: reference(answer.schema) } : {},
  };
  return answer.stream ? { ...whole, 'text/event-stream': { schema: text } } : whole;
}

function reference(name: keyof typeof schemas) {
  return { $ref: `#/components/schemas/${name}` };
}
