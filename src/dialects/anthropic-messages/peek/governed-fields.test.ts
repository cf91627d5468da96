/** Goal: nothing that chooses a model, a price or stored data slips through. Method: the table itself, and the nested fields. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboundOf, leastRequest } from '../fixtures/read-fixture.ts';
import { governedFields } from './governed-fields.ts';
import { peek } from './peek.ts';

const accepts = (body: unknown) => assert.equal(peek(inboundOf(body)).model, leastRequest.model);
const refuses = (body: unknown, param: string, code = 'field_not_allowed') =>
  assert.throws(() => peek(inboundOf(body)), { code, param, status: 400 });

describe('governed fields', () => {
  for (const { name, passes, reason, looked } of governedFields) {
    const code = passes.length === 0 ? 'field_not_allowed' : 'unsupported_value';

    test(`${name}: null and an empty list mean nothing and pass`, () => {
      accepts({ ...leastRequest, [name]: null });
      accepts({ ...leastRequest, [name]: [] });
    });

    // Inspected values have separate tests.
    if (looked !== undefined) continue;

    test(`${name}: anything else is refused, because ${reason}`, () => {
      for (const value of ['x', 1, true, ['x'], { type: 'x' }, 'y'.repeat(1000)]) {
        refuses({ ...leastRequest, [name]: value }, name, code);
      }
    });

    for (const text of passes) {
      test(`${name}: ${text} passes`, () => {
        accepts(JSON.stringify(leastRequest).replace('{', `{"${name}": ${text.replaceAll(':', ' : ')} ,`));
      });
    }
  }

  test('an escaped name is the same name', () => {
    refuses(JSON.stringify(leastRequest).replace('{', '{"f\\u0061llbacks":"default",'), 'fallbacks');
  });

  test('a refused thread carries the code on which the SDK sends the whole conversation instead', () => {
    assert.throws(() => peek(inboundOf({ ...leastRequest, thread: { type: 'create' } })), {
      facts: { error_code: 'thread_unsupported_request' },
    });
  });

  test('diagnostics that name a message are refused', () => {
    refuses({ ...leastRequest, diagnostics: { previous_message_id: 'msg_1' } }, 'diagnostics', 'unsupported_value');
  });

  test('unknown fields are new features and pass', () => {
    accepts({
      ...leastRequest,
      temperature: 0.3,
      top_k: 4,
      context_hint: { file_id: 'x' },
      output_config: { effort: 'max' },
    });
  });

  test('a field of that name below the top level is not governed', () => {
    accepts({ ...leastRequest, metadata: { user_id: '{"speed":"fast"}', models: ['x'] } });
  });
});

describe('ids of stored files', () => {
  const inTurn = (block: unknown) => ({ ...leastRequest, messages: [{ role: 'user', content: [block] }] });
  const source = { type: 'file', file_id: 'file_011' };

  const refused: Record<string, unknown> = {
    'messages[].content[].source.file_id': { type: 'image', source },
    'messages[].content[].file_id': { type: 'container_upload', file_id: 'file_011' },
    'messages[].content[].content[].source.file_id': { type: 'tool_result', content: [{ type: 'document', source }] },
    'messages[].content[].source.content[].source.file_id': {
      type: 'document',
      source: { type: 'content', content: [{ type: 'image', source }] },
    },
  };
  for (const [path, block] of Object.entries(refused)) {
    test(`${path} is refused`, () => refuses(inTurn(block), path));
  }

  const accepted: Record<string, unknown> = {
    'an argument of a tool call': { type: 'tool_use', id: 'a', name: 'b', input: { source: { file_id: 'mine' } } },
    'what code execution wrote': {
      type: 'code_execution_tool_result',
      content: { type: 'code_execution_result', content: [{ type: 'code_execution_output', file_id: 'file_1' }] },
    },
    'a citation': { type: 'text', text: 'x', citations: [{ type: 'char_location', file_id: 'file_1' }] },
    null: { type: 'image', source: { type: 'url', url: 'https://a', file_id: null } },
  };
  for (const [name, block] of Object.entries(accepted)) {
    test(`${name} passes`, () => accepts(inTurn(block)));
  }

  test("a tool's schema may have a property of that name", () => {
    const input_schema = { type: 'object', properties: { file_id: { type: 'string' }, url: { type: 'string' } } };
    accepts({ ...leastRequest, tools: [{ name: 'x', input_schema }] });
  });
});
