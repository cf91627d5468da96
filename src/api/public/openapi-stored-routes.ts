/** The routes of stored responses, in the OpenAPI document. */
import { CALL_ERRORS, type Parameter, type Route } from './openapi-route.ts';
import { text } from './openapi-schema-parts.ts';

const RESPONSE_ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'As the provider gave it.',
  schema: text,
};

const STORED = {
  method: 'get',
  needsKey: true,
  parameters: [RESPONSE_ID],
  errors: {
    '400': CALL_ERRORS['400'],
    '403': CALL_ERRORS['403'],
    '404': 'There is no such response, or not for this project.',
    '429': CALL_ERRORS['429'],
    '502': CALL_ERRORS['502'],
  },
} as const;

export const storedRoutes: readonly Route[] = [
  {
    ...STORED,
    path: '/api/v1/responses/{id}',
    operationId: 'getResponse',
    summary: 'A response that its provider keeps, as the provider returns it',
    answer: { description: 'The response.', schema: 'Response' },
  },
  {
    ...STORED,
    method: 'delete',
    path: '/api/v1/responses/{id}',
    operationId: 'deleteResponse',
    summary: 'Deletes a response that its provider keeps',
    answer: { description: 'That it was deleted.' },
  },
  {
    ...STORED,
    path: '/api/v1/responses/{id}/input_items',
    operationId: 'listResponseInputItems',
    summary: 'The input of a response that its provider keeps',
    answer: { description: 'A page of items.' },
  },
  {
    ...STORED,
    method: 'post',
    path: '/api/v1/responses/{id}/cancel',
    operationId: 'cancelResponse',
    summary: 'Refused: no answer is made in the background',
    answer: { description: 'Never.' },
  },
];
