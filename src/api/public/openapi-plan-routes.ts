/** The routes that answer how a request would be served. */

import type { Route } from './openapi-route.ts';
import { CALL } from './openapi-route-parts.ts';

const PLAN = {
  ...CALL,
  answer: {
    description: 'The candidates in the order in which they would be tried, and those that are left out.',
    schema: 'RoutePlan',
  },
} as const;
const SUMMARY =
  'How a request would be served: by what, in which order, at what cost at most. Nothing is called, held or charged';

export const planRoutes: readonly Route[] = [
  { ...PLAN, path: '/api/v1/route', operationId: 'planChatCompletion', summary: SUMMARY, request: 'ChatRequest' },
  {
    ...PLAN,
    path: '/api/v1/responses/route',
    operationId: 'planResponse',
    summary: `${SUMMARY}; in OpenAI's Responses format`,
    request: 'ResponsesRequest',
  },
  {
    ...PLAN,
    path: '/v1/messages/route',
    operationId: 'planMessage',
    summary: `${SUMMARY}; in Anthropic's format`,
    request: 'MessagesRequest',
    errorSchema: 'AnthropicError',
  },
];
