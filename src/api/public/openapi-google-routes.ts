/** The routes of Google's format, in the OpenAPI document. */
import { CALL_ERRORS, type Route } from './openapi-route.ts';
import { CALL, countInQuery, inQuery, modelInPath, PAGE_ERRORS, READ } from './openapi-route-parts.ts';

const GOOGLE = { errorSchema: 'GoogleError' } as const;

export const googleRoutes: readonly Route[] = [
  {
    ...CALL,
    ...GOOGLE,
    path: '/v1beta/models/{model}:generateContent',
    operationId: 'generateContent',
    summary: "An answer in Google's format",
    parameters: [modelInPath('model')],
    request: 'GenerateContentRequest',
    answer: { description: 'The answer.', schema: 'GenerateContentResponse' },
  },
  {
    ...CALL,
    ...GOOGLE,
    path: '/v1beta/models/{model}:streamGenerateContent',
    operationId: 'streamGenerateContent',
    summary: "A streamed answer in Google's format",
    parameters: [
      modelInPath('model'),
      inQuery('alt', '`sse` for server-sent events; otherwise the stream is one JSON array.', {
        enum: ['sse', 'json'],
      }),
    ],
    request: 'GenerateContentRequest',
    answer: {
      description: 'Pieces of the answer: as an array, or as events.',
      schema: 'GenerateContentStream',
      stream: true,
    },
  },
  {
    ...CALL,
    ...GOOGLE,
    path: '/v1beta/models/{model}:countTokens',
    operationId: 'countTokens',
    summary: "Counts the tokens of a prompt in Google's format; estimates are marked x-turnpike-estimated",
    parameters: [modelInPath('model')],
    request: 'GenerateContentRequest',
    answer: { description: 'The count, as totalTokens.' },
  },
  {
    ...CALL,
    ...GOOGLE,
    path: '/v1beta/models/{model}:embedContent',
    operationId: 'embedContent',
    summary: "The vector of a content, in Google's format",
    parameters: [modelInPath('model')],
    request: 'EmbedContentRequest',
    answer: { description: 'The vector, as `embedding.values`.' },
  },
  {
    ...CALL,
    ...GOOGLE,
    path: '/v1beta/models/{model}:batchEmbedContents',
    operationId: 'batchEmbedContents',
    summary: "The vectors of several contents, in Google's format",
    parameters: [modelInPath('model')],
    request: 'BatchEmbedContentsRequest',
    answer: { description: 'The vectors, in the order of the requests.' },
  },
  {
    ...READ,
    ...GOOGLE,
    path: '/v1beta/models',
    operationId: 'listModelsInGoogleShape',
    summary: "Models this key may use, in Google's shape",
    parameters: [
      countInQuery('pageSize', 'Maximum number of models; default: 50, at most 1,000.', 0),
      inQuery('pageToken', 'The `nextPageToken` of the page before.'),
    ],
    answer: { description: 'The models.', schema: 'GoogleModelList' },
    errors: PAGE_ERRORS,
  },
  {
    ...READ,
    ...GOOGLE,
    path: '/v1beta/models/{id}',
    operationId: 'getModelInGoogleShape',
    summary: "A model in Google's shape",
    parameters: [modelInPath('id')],
    answer: { description: 'The model.', schema: 'GoogleModel' },
    errors: { '404': CALL_ERRORS['404'] },
  },
];
