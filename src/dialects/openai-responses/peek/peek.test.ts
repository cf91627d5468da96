/**
 * Goal: what the gateway knows of a request before it is admitted is never less than what the call can cost. Method: bodies with each
 * field, tool and medium, as text.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import { AT_NO_PATH } from '../../contract.ts';
import type { Peek } from '../../interface/peek.ts';
import { peek } from './peek.ts';
import { peekPrompt } from './peek-prompt.ts';
import { readLabels } from './read-labels.ts';
import { spelling, watchedKeys } from './spelling.ts';

const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0, 0, 0, 0, 0]),
]).toString('base64');

function documentOf(fields: object | string) {
  const body = typeof fields === 'string' ? fields : JSON.stringify({ model: 'vendor/one', input: 'Hi', ...fields });
  return scanJson(Buffer.from(body), { watchedKeys, spelling });
}

function peeked(fields: object | string): Peek {
  return peek({ ...AT_NO_PATH, headers: {}, document: documentOf(fields) });
}

function refusal(fields: object | string): readonly [string, string | null] {
  try {
    peeked(fields);
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return [error.code, error.param];
  }
  return ['served', null];
}

const user = (...content: object[]) => ({ input: [{ role: 'user', content }] });
const f = { type: 'function', name: 'f', parameters: { type: 'object' } };

test('model, stream and the output cap', () => {
  const { model, stream, outputCap, choices, hasTools, hasFormat } = peeked({ stream: true, max_output_tokens: 9 });
  assert.deepEqual([model, stream, outputCap, choices, hasTools, hasFormat], ['vendor/one', true, 9, 1, false, false]);
  const more = peeked({ tools: [f], text: { format: { type: 'json_object' } } });
  assert.deepEqual([more.outputCap, more.hasTools, more.hasFormat], [null, true, true]);
  for (const max_output_tokens of [0, -1, 1.5, '9', 2 ** 40])
    assert.deepEqual(refusal({ max_output_tokens }), ['invalid_value', 'max_output_tokens']);
});

test('agents that the provider runs have no limit, and are refused in any spelling', () => {
  const refused: [string, string | null] = ['field_not_allowed', 'multi_agent'];
  assert.deepEqual(refusal({ multi_agent: { enabled: true, max_concurrent_subagents: 1000 } }), refused);
  assert.deepEqual(refusal('{"model":"m","input":"x","multi\\u005fagent":{"enabled":true}}'), refused);
  assert.deepEqual(refusal({ multiAgent: {} }), ['field_not_allowed', 'multiAgent']);
  assert.deepEqual(refusal({ multi_agent: null }), ['served', null]);
});

test('an item that may make the provider summarise the conversation doubles what is held', () => {
  const compacts = (input: unknown) => peeked({ input }).compacts;
  const said = { role: 'user', content: 'Hi' };
  const raw = (item: string) =>
    peeked(`{"model":"vendor/one","input":[{"role":"user","content":"Hi"},${item}]}`).compacts;
  assert.deepEqual([compacts('compaction_trigger'), compacts([said])], [false, false]);
  assert.equal(compacts([said, { type: 'compaction_trigger' }]), true);
  for (const name of [
    'compaction\\u005ftrigger',
    '\\u0063ompaction_trigger',
    'compaction_trigge\\u0072',
    'comp\\u0061\\u0063tion_trigger',
  ])
    assert.equal(raw(`{"type":"${name}"}`), true, name);
  assert.equal(raw('{"role":"user","content":"caf\\u00e9 \\u2013 \\u0022"}'), false);
});

test('tools that the caller runs are bounded by the body', () => {
  const namespace = { type: 'namespace', name: 'n', description: 'd', tools: [f, { type: 'custom', name: 'c' }] };
  const grammar = { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'regex', definition: 'a' } };
  for (const tools of [[f], [f, grammar], [namespace], [{ ...f, strict: false, defer_loading: true }]]) {
    const { serverToolUses, promptUnbounded, namedTools, hasTools } = peeked({ tools });
    assert.deepEqual(
      [serverToolUses, promptUnbounded, namedTools, hasTools],
      [0, false, 0, true],
      JSON.stringify(tools),
    );
  }
  const { namedTools, serverToolUses } = peeked({ tools: [f, { type: 'local_shell' }, { type: 'apply_patch' }] });
  assert.deepEqual([namedTools, serverToolUses], [2, 0]);
});

test("the provider's own tools are unbounded without a limit, wherever they are", () => {
  const rows: readonly (readonly [object, string])[] = [
    [{ type: 'web_search', external_web_access: true }, 'web_search'],
    [{ type: 'web_search_preview' }, 'web_search_preview'],
    [{ type: 'file_search' }, 'file_search'],
    [{ type: 'code_interpreter', container: { type: 'auto' } }, 'code_interpreter'],
    [{ type: 'mcp', server_label: 's', server_url: 'https://s.example' }, 'mcp'],
    [{ type: 'image_generation' }, 'image_generation'],
    [{ type: 'shell' }, 'other'],
    [{ type: 'tool_search' }, 'other'],
    [{ type: 'something_new' }, 'other'],
    [{ name: '$web_search', type: 'function', parameters: {} }, 'other'],
    [{ type: 'namespace', name: 'n', tools: [{ type: 'mcp' }] }, 'other'],
    [{ type: 'function', name: 'f', parameters: {}, google_search: {} }, 'other'],
  ];
  for (const [tool, kind] of rows) {
    for (const fields of [
      { tools: [f, tool] },
      { input: [{ type: 'additional_tools', role: 'developer', tools: [tool] }] },
    ]) {
      const { serverToolUses, serverTools, promptUnbounded, translatedToolUses } = peeked(fields);
      assert.deepEqual(
        [serverToolUses, serverTools, promptUnbounded],
        ['unbounded', [kind], true],
        JSON.stringify(tool),
      );
      assert.equal(translatedToolUses, 0);
    }
  }
  const limited = peeked({ tools: [{ type: 'web_search' }, { type: 'mcp' }], max_tool_calls: 5 });
  assert.deepEqual([limited.serverToolUses, limited.serverTools], [5, ['web_search', 'mcp']]);
  assert.equal(peeked({ tools: [f], max_tool_calls: 5 }).serverToolUses, 0);
  assert.deepEqual(peeked({ tool_choice: { type: 'mcp', server_label: 's' } }).serverTools, ['other']);
  for (const tool_choice of [
    'auto',
    { type: 'function', name: 'f' },
    { type: 'allowed_tools', mode: 'auto', tools: [f] },
  ])
    assert.equal(peeked({ tools: [f], tool_choice }).serverToolUses, 0);
});

test('a type that is written twice or not as text counts as the provider’s', () => {
  for (const tool of ['{"type":7}', '{"type":"mcp","type":"function","name":"f"}', '7']) {
    const { serverToolUses } = peeked(`{"model":"m","input":"x","tools":[${tool}]}`);
    assert.equal(serverToolUses, 'unbounded', tool);
  }
});

test('images in the body are counted, and what has no bound is said', () => {
  const data = `data:image/png;base64,${PNG}`;
  const counted = peeked(
    user({ type: 'input_image', image_url: data, detail: 'low' }, { type: 'input_text', text: 'x' }),
  );
  assert.deepEqual([counted.media.images, counted.promptUnbounded], [1, false]);
  assert.ok(counted.media.bytes > PNG.length);
  const inResult = peeked({
    input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: data }] }],
  });
  assert.deepEqual([inResult.media.images, inResult.promptUnbounded], [1, false]);
  const unbounded: readonly object[] = [
    user({ type: 'input_image', image_url: 'https://pictures.example/a.png' }),
    user({ type: 'input_image', image_url: { url: data } }),
    user({ type: 'input_image', image_url: data, other: 1 }),
    user({ type: 'input_file', file_url: 'https://files.example/a.pdf' }),
    user({ type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0=' }),
    user({ type: 'input_video', video_url: 'https://files.example/a.mp4' }),
    user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
    {
      input: [
        {
          type: 'computer_call_output',
          call_id: 'c',
          output: { type: 'computer_screenshot', image_url: 'https://x.example/a' },
        },
      ],
    },
    { input: [{ type: 'image_generation_call', id: 'ig', result: PNG }] },
  ];
  for (const fields of unbounded) assert.equal(peeked(fields).promptUnbounded, true, JSON.stringify(fields));
  const schema = { type: 'object', properties: { image_url: { type: 'string' }, data: { type: 'object' } } };
  const bounded: readonly object[] = [
    user({ type: 'input_file', file_data: `data:text/plain;base64,${Buffer.from('words').toString('base64')}` }),
    { tools: [{ type: 'function', name: 'f', parameters: schema }] },
    {
      input: [
        { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'f', parameters: schema }] },
      ],
    },
  ];
  for (const fields of bounded) assert.equal(peeked(fields).promptUnbounded, false, JSON.stringify(fields));
});

test('what the provider stores is refused, also where it is hidden', () => {
  const rows: readonly (readonly [object | string, string])[] = [
    [{ conversation: { id: 'conv_1' } }, 'conversation'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
    [user({ type: 'input_image', file_id: 'file_1' }), 'input[].content[].file_id'],
    [
      { input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'f' }] }] },
      'input[].output[].file_id',
    ],
    [{ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }, 'tools[].vector_store_ids'],
    [{ tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }, 'tools[].container'],
    [
      { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['f'] } }] },
      'tools[].container.file_ids',
    ],
  ];
  for (const [fields, param] of rows)
    assert.deepEqual(refusal(fields), ['field_not_allowed', param], JSON.stringify(fields));
  const named = [
    { type: 'file_search_call', id: 'fs', status: 'completed', queries: [], results: [{ file_id: 'f', text: 'x' }] },
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'x', annotations: [{ type: 'file_citation', file_id: 'f' }] }],
    },
    { role: 'user', id: 'msg_u', content: 'x' },
  ];
  assert.deepEqual(refusal({ input: named }), ['served', null], 'what an earlier answer names is not read again');
});

test('fields that choose a price, a model or an upstream are refused, and so are misspelled names', () => {
  const rows: readonly (readonly [object, string])[] = [
    [{ models: 'a' }, 'models'],
    [{ provider: { zdr: 'yes' } }, 'provider.zdr'],
    [{ service_tier: 'priority' }, 'service_tier'],
    [{ background: true }, 'background'],
    [{ max_tokens: 9 }, 'max_tokens'],
    [{ n: 2 }, 'n'],
    [{ MODEL: 'x' }, 'MODEL'],
    [{ Max_Output_Tokens: 9 }, 'Max_Output_Tokens'],
    [user({ type: 'input_image', Image_URL: 'https://x.example' }), 'input[].content[].Image_URL'],
    [{ tools: [{ Type: 'mcp' }] }, 'tools[].Type'],
  ];
  for (const [fields, param] of rows) assert.equal(refusal(fields)[1], param, JSON.stringify(fields));
  assert.deepEqual(refusal({ service_tier: 'auto', store: true, metadata: { Type: 'x' }, unknown: { a: 1 } }), [
    'served',
    null,
  ]);
});

test('a conversation that the provider may summarise is read and written twice', () => {
  const { compacts, promptUnbounded } = peeked({ context_management: [{ type: 'compaction' }] });
  assert.deepEqual([compacts, promptUnbounded], [true, true]);
  assert.equal(peeked({ context_management: [] }).compacts, false);
});

test('labels are the user and the metadata of both kinds', () => {
  const labels = readLabels(documentOf({ safety_identifier: 's', metadata: { a: 'b' }, client_metadata: { c: 1 } }));
  assert.deepEqual(labels, {
    user: 's',
    metadata: [
      ['a', 'b'],
      ['c', '1'],
    ],
    isCut: false,
  });
  assert.equal(readLabels(documentOf({})), null);
  assert.equal(readLabels(documentOf({ metadata: { a: 'x'.repeat(20_000) } }))?.isCut, true);
});

test('a request to count tokens needs no more than a model and an input', () => {
  const asked = { ...AT_NO_PATH, headers: {}, document: documentOf({ tools: [f] }) };
  assert.deepEqual([peekPrompt(asked).model, peekPrompt(asked).hasTools], ['vendor/one', true]);
  assert.throws(() => peekPrompt({ ...asked, document: documentOf({ input: null }) }), {
    code: 'missing_field',
    param: 'input',
  });
});
