/** The public routes of the OpenAPI document, in one table. */

import { batchRoutes } from './batches/openapi-batch-routes.ts';
import { fileRoutes } from './files/openapi-file-routes.ts';
import { googleRoutes } from './openapi-google-routes.ts';
import { modelRoutes } from './openapi-model-routes.ts';
import { planRoutes } from './openapi-plan-routes.ts';
import { CALL_ERRORS, type Parameter, type Route } from './openapi-route.ts';
import {
  CALL,
  CLIENT_VERSION,
  countInQuery,
  inQuery,
  modelInPath,
  OPENROUTER,
  PAGE_ERRORS,
  READ,
} from './openapi-route-parts.ts';
import { text } from './openapi-schema-parts.ts';
import { storedRoutes } from './openapi-stored-routes.ts';

const REPORT_ERRORS = { ...PAGE_ERRORS, '503': 'The report takes too long, or too many reports are running.' };

const ANTHROPIC_VERSION: Parameter = {
  name: 'anthropic-version',
  in: 'header',
  description: "If sent, the answer has Anthropic's shape, otherwise OpenAI's.",
  schema: text,
};

/** Needs no key. */
const OPEN = { method: 'get', needsKey: false } as const;
export const routes: readonly Route[] = [
  {
    ...OPENROUTER,
    path: '/api/v1/key',
    operationId: 'getKey',
    summary: 'The calling key and the balance of its account',
    answer: { description: 'The key.', schema: 'KeyInformation' },
  },
  {
    ...OPENROUTER,
    path: '/api/v1/credits',
    operationId: 'getCredits',
    summary: 'Total credits and charges of the account; for any key of the account',
    answer: { description: 'Total credits and charges.', schema: 'Credits' },
  },
  {
    ...OPENROUTER,
    path: '/api/v1/generation',
    operationId: 'getGeneration',
    summary: "A finished call of the key's project, or of its account for a management key",
    parameters: [
      {
        ...inQuery('id', "gen-…, req_… or, while the call's record exists, the id that the provider gave the answer."),
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
    summary: "Usage by UTC day, model and provider, of the key's project, or of its account for a management key",
    parameters: [
      inQuery('date', 'One UTC day, YYYY-MM-DD; default: the last 30 days and today.', {
        type: 'string',
        format: 'date',
      }),
      countInQuery('key', 'Only this key, by number; revoked keys keep their usage.', 1),
      countInQuery('project', 'Only this project, by number.', 1),
    ],
    answer: { description: 'The usage, newest day first.', schema: 'Activity' },
    errors: { ...REPORT_ERRORS, '404': 'The key has access to no such key or project.' },
  },
  ...modelRoutes,
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
    path: '/api/v1/completions',
    operationId: 'createCompletion',
    summary: "Text that goes on from a prompt, in OpenAI's format",
    request: 'CompletionRequest',
    answer: { description: 'The texts, or a stream of their chunks.', schema: 'Completion', stream: true },
  },
  {
    ...CALL,
    path: '/api/v1/embeddings',
    operationId: 'createEmbeddings',
    summary: "The vectors of texts, in OpenAI's format",
    request: 'EmbeddingsRequest',
    answer: { description: 'The vectors, in the order of the inputs.', schema: 'EmbeddingsResponse' },
  },
  {
    ...CALL,
    path: '/api/v1/audio/speech',
    operationId: 'createSpeech',
    summary: "A text, spoken, in OpenAI's format",
    request: 'SpeechRequest',
    answer: {
      description:
        'The sound, as it is made; its type is that of `response_format`. With `stream_format: sse`, events.',
      contentType: 'audio/*',
      schema: 'Speech',
      stream: true,
    },
  },
  {
    ...CALL,
    path: '/api/v1/images/edits',
    operationId: 'editImages',
    summary: "Images made of others, in OpenAI's format",
    request: 'ImageEditsRequest',
    orForm: 'ImageEditsForm',
    answer: { description: 'The images, in base64, or a stream of events.', schema: 'ImagesResponse', stream: true },
  },
  {
    ...CALL,
    path: '/api/v1/audio/transcriptions',
    operationId: 'createTranscription',
    summary: "What is said in a recording, in OpenAI's format",
    request: 'TranscriptionRequest',
    isForm: true,
    answer: {
      description: 'The text: JSON, plain text or subtitles, as `response_format` says; with `stream`, events.',
      schema: 'Transcription',
      stream: true,
    },
  },
  {
    ...CALL,
    path: '/api/v1/audio/translations',
    operationId: 'createTranslation',
    summary: "What is said in a recording, in English, in OpenAI's format",
    request: 'TranslationRequest',
    isForm: true,
    answer: {
      description: 'The text: JSON, plain text or subtitles, as `response_format` says.',
      schema: 'Transcription',
    },
  },
  {
    ...CALL,
    path: '/api/v1/images/generations',
    operationId: 'createImages',
    summary: "Images of a text, in OpenAI's format",
    request: 'ImagesRequest',
    answer: {
      description: 'The images, in base64 or as addresses, or a stream of events.',
      schema: 'ImagesResponse',
      stream: true,
    },
  },
  {
    ...CALL,
    path: '/api/v1/moderations',
    operationId: 'createModeration',
    summary: "Whether texts and images are harmful, in OpenAI's format",
    request: 'ModerationRequest',
    answer: { description: 'The judgements, in the order of the inputs.', schema: 'Moderation' },
  },
  {
    ...CALL,
    path: '/api/v1/rerank',
    operationId: 'rerankDocuments',
    summary: "Documents in the order of how well they answer a query, in Cohere's and Jina's format",
    request: 'RerankRequest',
    answer: { description: 'The documents, the best first.', schema: 'Ranking' },
  },
  {
    ...CALL,
    path: '/api/v1/responses',
    operationId: 'createResponse',
    summary: "An answer in OpenAI's Responses format",
    request: 'ResponsesRequest',
    answer: { description: 'The response, or a stream of its events.', schema: 'Response', stream: true },
  },
  {
    ...CALL,
    path: '/api/v1/responses/input_tokens',
    operationId: 'countResponseTokens',
    summary: "Counts the tokens of a request in OpenAI's Responses format; estimates are marked x-turnpike-estimated",
    request: 'ResponsesRequest',
    answer: { description: 'The count, as input_tokens.' },
  },
  {
    ...CALL,
    path: '/api/v1/responses/compact',
    operationId: 'compactResponse',
    summary: "A shorter form of a conversation in OpenAI's Responses format, from a provider that makes it",
    request: 'ResponsesRequest',
    answer: { description: 'The compaction, with items that stand for the conversation.' },
  },
  ...storedRoutes,
  ...fileRoutes,
  ...batchRoutes,
  ...planRoutes,
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
    summary: 'Counts the tokens of a message; estimates are marked x-turnpike-estimated',
    request: 'MessagesRequest',
    answer: { description: 'The count, as input_tokens.' },
    errorSchema: 'AnthropicError',
  },
  ...googleRoutes,
  {
    ...READ,
    path: '/v1/models',
    operationId: 'listModelsOfVendorShape',
    summary:
      "Models in Anthropic's shape if anthropic-version is sent, in Google's for Google's clients, otherwise in OpenAI's",
    parameters: [
      ANTHROPIC_VERSION,
      countInQuery('limit', "For Anthropic's shape: maximum number; default: 20.", 1, 1000),
      inQuery('after_id', "For Anthropic's shape: the page after this model."),
      inQuery('before_id', "For Anthropic's shape: the page before this model."),
      CLIENT_VERSION,
    ],
    answer: { description: 'The models.', schema: 'ModelList' },
    errors: PAGE_ERRORS,
  },
  {
    ...READ,
    path: '/v1/models/{id}',
    operationId: 'getModelOfVendorShape',
    summary:
      "A model in Anthropic's shape if anthropic-version is sent, in Google's for Google's clients, otherwise in OpenAI's",
    parameters: [ANTHROPIC_VERSION, modelInPath('id')],
    answer: { description: 'The model.', schema: 'Model' },
    errors: { '404': CALL_ERRORS['404'] },
  },
  {
    ...OPEN,
    path: '/health/live',
    operationId: 'getLiveness',
    summary: 'Liveness: whether the process responds',
    answer: { description: 'It does.' },
  },
  {
    ...OPEN,
    path: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Readiness: whether calls are accepted',
    answer: { description: 'They are.' },
    errors: { '503': 'Not ready: starting, shutting down, or a part is unusable.' },
  },
  {
    ...OPEN,
    path: '/health',
    operationId: 'getHealth',
    summary: 'Readiness and version',
    answer: { description: 'They are.' },
    errors: { '503': 'Not ready: starting, shutting down, or a part is unusable.' },
  },
  {
    ...OPEN,
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Prometheus metrics; needs the bearer token if one is configured',
    answer: { description: 'The metrics.', contentType: 'text/plain' },
    errors: { '401': 'A token is configured but was not sent.' },
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
    summary: 'Every error code and what to do about it',
    answer: { description: 'A page.', contentType: 'text/markdown' },
  },
  {
    ...OPEN,
    path: '/',
    operationId: 'getProgram',
    summary: 'Name and version of this server',
    answer: { description: 'Name, version and the URL of this document.' },
  },
  {
    ...OPEN,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'The documentation; browsers get the docs site',
    answer: { description: 'Their addresses.' },
  },
];
