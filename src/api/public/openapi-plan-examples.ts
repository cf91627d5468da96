/** Examples of the routes that answer how a request would be served. */
import type { RouteExample } from './openapi-call-examples.ts';

const HELLO = [{ role: 'user', content: 'Hello' }];

function planned(most: number): object {
  const candidate = { model: 'demo/echo', provider: 'demo', upstream_model: 'echo', own_credential: false };
  return {
    data: {
      model: 'demo/echo',
      max_attempts: 3,
      max_cost: most,
      candidates: [
        { ...candidate, translated: false, resting: false, max_cost: most, later_because: [], warnings: [] },
      ],
      left_out: [],
    },
  };
}

export const planExamples: Readonly<Record<string, RouteExample>> = {
  planChatCompletion: { request: { model: 'demo/echo', max_tokens: 100, messages: HELLO }, answer: planned(0.000683) },
  planResponse: { request: { model: 'demo/echo', max_output_tokens: 100, input: 'Hello' }, answer: planned(0.000637) },
  planMessage: { request: { model: 'demo/echo', max_tokens: 100, messages: HELLO }, answer: planned(0.000683) },
};
