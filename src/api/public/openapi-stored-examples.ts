/** Examples of stored responses in the OpenAPI document, by the route's operation id: as OpenAI answers. */
import type { RouteExample } from './openapi-call-examples.ts';

const ID = 'resp_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071';
const MESSAGE = 'msg_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6072';
const CREATED = 1_795_415_133;
const USAGE = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 2,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 11,
};

export const storedExamples: Readonly<Record<string, RouteExample>> = {
  compactResponse: {
    request: { model: 'openai/gpt-5.4', input: 'Hello' },
    answer: {
      id: ID,
      object: 'response.compaction',
      created_at: CREATED,
      output: [{ type: 'compaction', id: 'cmp_0a1b2c3d', encrypted_content: 'gAAAAAB…' }],
      usage: USAGE,
    },
  },
  getResponse: {
    answer: {
      id: ID,
      object: 'response',
      created_at: CREATED,
      status: 'completed',
      model: 'gpt-5.4',
      output: [
        {
          id: MESSAGE,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
        },
      ],
      usage: USAGE,
    },
  },
  deleteResponse: { answer: { id: ID, object: 'response', deleted: true } },
  listResponseInputItems: {
    answer: {
      object: 'list',
      data: [{ id: MESSAGE, type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      first_id: MESSAGE,
      last_id: MESSAGE,
      has_more: false,
    },
  },
  cancelResponse: { answer: {} },
};
