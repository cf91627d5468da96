/** The public routes as the OpenAPI document has them, one table. */
import { type schemas, text } from './openapi-schemas.ts';

export interface Route {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly needsKey: boolean;
  readonly parameters?: readonly Parameter[];
  readonly request?: keyof typeof schemas;
  readonly answer: Answer;
  /** Statuses that are particular to this route. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly errorSchema?: keyof typeof schemas;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Answer {
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
  '408': 'The body did not arrive in time.',
  '413': 'The body is too large.',
  '415': 'The body is not uncompressed JSON.',
  '429': 'Too many requests, here or at the provider.',
  '500': 'The gateway failed.',
  '502': 'The provider failed.',
  '503': 'The gateway is full or shutting down.',
  '504': 'The provider did not answer in time.',
};

const PAGE_ERRORS = { '400': 'A parameter has a value that is not accepted.' };

const REPORT_ERRORS = { ...PAGE_ERRORS, '503': 'The report takes too long to read, or too many are read at once.' };

const MODEL_ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: '<vendor>/<name>; the slash may stand as it is.',
  schema: text,
};

/** Whose shape is answered. */
const ANTHROPIC_VERSION: Parameter = {
  name: 'anthropic-version',
  in: 'header',
  description: "Where it is sent, the answer is in Anthropic's shape, else in OpenAI's.",
  schema: text,
};

function inQuery(name: string, description: string, schema: Parameter['schema'] = text): Parameter {
  return { name, in: 'query', description, schema };
}

function countInQuery(name: string, description: string, minimum: number, maximum?: number): Parameter {
  return inQuery(name, description, { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) });
}

/** Anybody may ask. */
const OPEN = { method: 'get', needsKey: false } as const;
const READ = { method: 'get', needsKey: true } as const;
/** A route that only OpenRouter has, which says errors in its shape. */
const OPENROUTER = { ...READ, errorSchema: 'OpenRouterError' } as const;
const CALL = { method: 'post', needsKey: true, errors: CALL_ERRORS } as const;

export const routes: readonly Route[] = [
  {
    ...OPENROUTER,
    path: '/api/v1/key',
    operationId: 'getKey',
    summary: 'The calling key, and the balance of its account',
    answer: { description: 'The key.', schema: 'KeyInformation' },
  },
  {
    ...OPENROUTER,
    path: '/api/v1/credits',
    operationId: 'getCredits',
    summary: 'What the account was credited and charged; any key of the account may ask',
    answer: { description: 'Two sums.', schema: 'Credits' },
  },
  {
    ...OPENROUTER,
    path: '/api/v1/generation',
    operationId: 'getGeneration',
    summary: "A call that has ended: of the key's project, or of its account for a management key",
    parameters: [
      {
        ...inQuery('id', "gen-…, req_…, or the id that the provider gave the answer, while the call's record is kept."),
        required: true,
      },
    ],
    answer: { description: 'The call.', schema: 'Generation' },
    errors: { ...REPORT_ERRORS, '404': 'The key has no such call.' },
  },
  {
    ...OPENROUTER,
    path: '/api/v1/activity',
    operationId: 'getActivity',
    summary: "Sums by UTC day, model and provider: of the key's project, or of its account for a management key",
    parameters: [
      inQuery('date', 'One UTC day, YYYY-MM-DD; the last 30 and the one that runs when absent.', {
        type: 'string',
        format: 'date',
      }),
      countInQuery('key', 'Only this key, by its number; a revoked one has its sums still.', 1),
      countInQuery('project', 'Only this project, by its number.', 1),
    ],
    answer: { description: 'The sums, the newest day first.', schema: 'Activity' },
    errors: { ...REPORT_ERRORS, '404': 'The key sees no such key or project.' },
  },
  {
    ...READ,
    path: '/api/v1/models',
    operationId: 'listModels',
    summary: "The models this key may use, in OpenRouter's shape",
    parameters: [
      inQuery('q', 'Part of an id or a name.'),
      inQuery('supported_parameters', 'Names with commas between them: models that take all of them.'),
      inQuery('input_modalities', 'Names with commas between them: models that read all of them.'),
      inQuery('output_modalities', 'Names with commas between them: models that give all of them.'),
      countInQuery('offset', 'How many to leave out at the beginning.', 0),
      countInQuery('limit', 'How many at most; all when absent.', 1, 10_000),
    ],
    answer: { description: 'The models.', schema: 'ModelList' },
    errors: PAGE_ERRORS,
  },
  {
    ...OPENROUTER,
    path: '/api/v1/model/{id}',
    operationId: 'getModel',
    summary: "A model this key may use, in OpenRouter's shape",
    parameters: [MODEL_ID],
    answer: { description: 'The model, as data.', schema: 'ModelInData' },
    errors: { '404': CALL_ERRORS['404'] },
  },
  {
    ...CALL,
    path: '/api/v1/chat/completions',
    operationId: 'createChatCompletion',
    summary: "A chat completion in OpenAI's format",
    request: 'ChatRequest',
    answer: { description: 'The completion, or a stream of its chunks.', schema: 'ChatCompletion', stream: true },
  },
  {
    ...CALL,
    path: '/v1/messages',
    operationId: 'createMessage',
    summary: "A message in Anthropic's format",
    request: 'MessagesRequest',
    answer: { description: 'The message, or a stream of its events.', schema: 'Message', stream: true },
    errorSchema: 'AnthropicError',
  },
  {
    ...CALL,
    path: '/v1/messages/count_tokens',
    operationId: 'countMessageTokens',
    summary: 'How many tokens a message would send; an estimate is marked x-turnpike-estimated',
    request: 'MessagesRequest',
    answer: { description: 'The number, as input_tokens.' },
    errorSchema: 'AnthropicError',
  },
  {
    ...READ,
    path: '/v1/models',
    operationId: 'listModelsOfVendorShape',
    summary: "The models in Anthropic's shape where anthropic-version is sent, else in OpenAI's",
    parameters: [
      ANTHROPIC_VERSION,
      countInQuery('limit', "In Anthropic's shape: how many at most; 20 when absent.", 1, 1000),
      inQuery('after_id', "In Anthropic's shape: the page behind this model."),
      inQuery('before_id', "In Anthropic's shape: the page before this model."),
    ],
    answer: { description: 'The models.', schema: 'ModelList' },
    errors: PAGE_ERRORS,
  },
  {
    ...READ,
    path: '/v1/models/{id}',
    operationId: 'getModelOfVendorShape',
    summary: "A model in Anthropic's shape where anthropic-version is sent, else in OpenAI's",
    parameters: [ANTHROPIC_VERSION, MODEL_ID],
    answer: { description: 'The model.', schema: 'Model' },
    errors: { '404': CALL_ERRORS['404'] },
  },
  {
    ...OPEN,
    path: '/health/live',
    operationId: 'getLiveness',
    summary: 'Whether the process answers',
    answer: { description: 'It does.' },
  },
  {
    ...OPEN,
    path: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Whether calls are taken',
    answer: { description: 'They are.' },
    errors: { '503': 'They are not: starting, shutting down, or a part is unusable.' },
  },
  {
    ...OPEN,
    path: '/health',
    operationId: 'getHealth',
    summary: 'Whether calls are taken, and by which version',
    answer: { description: 'They are.' },
    errors: { '503': 'They are not: starting, shutting down, or a part is unusable.' },
  },
  {
    ...OPEN,
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus; asks for a bearer token where one is configured',
    answer: { description: 'The metrics.', contentType: 'text/plain' },
    errors: { '401': 'The token is configured and was not sent.' },
  },
  {
    ...OPEN,
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This document',
    answer: { description: 'OpenAPI 3.1.' },
  },
  {
    ...OPEN,
    path: '/docs/reference/errors.md',
    operationId: 'getErrorReference',
    summary: 'Every error code, and what to do about it',
    answer: { description: 'A page.', contentType: 'text/markdown' },
  },
  {
    ...OPEN,
    path: '/',
    operationId: 'getProgram',
    summary: 'What answers here',
    answer: { description: 'Name, version, and where this document is.' },
  },
  {
    ...OPEN,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'Where the documents are; a browser gets the page of them',
    answer: { description: 'Their addresses.' },
  },
];
