/**
 * Goal: all that a caller of this format says is in the neutral form, or is refused or reported. Method: requests as clients send them, and
 * tables of single fields.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, refusal, tool } from './read-fixture.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1').toString('base64');
const PDF = Buffer.from('%PDF-1.7 000').toString('base64');

const text = (value: string) => ({ type: 'text', text: value, cache: null });
const user = (...content: object[]) => ({ type: 'message', role: 'user', content });
const call = (id: string, fields: object = {}) => ({
  ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'f', arguments: '{"a":1}', status: 'completed' },
  ...fields,
});
const output = (id: string, value: unknown = 'r') => ({ type: 'function_call_output', call_id: id, output: value });
test('a text is the turn of a user, and instructions come first', () => {
  const { system, turns, warnings } = read({ input: 'Hello', instructions: 'Be brief.' });
  assert.deepEqual(system, [text('Be brief.')]);
  assert.deepEqual(turns, [{ role: 'user', blocks: [text('Hello')] }]);
  assert.deepEqual(warnings, []);
});

test('items become turns: instructions in their place, thoughts before calls, results after them', () => {
  const { system, turns, warnings } = read({
    input: [
      { role: 'developer', content: 'You are an editor.' },
      user({ type: 'input_text', text: 'One' }),
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'gAAA' },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Look', annotations: [] }],
      },
      call('c1'),
      call('c2', { arguments: 'no json' }),
      output('c2', [
        { type: 'input_text', text: 'two' },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
      ]),
      output('c1'),
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Now be brief.' }] },
      user({ type: 'input_text', text: 'Two' }),
    ],
  });
  assert.deepEqual(system, [text('You are an editor.')]);
  const whose = { signature: null, origin: 'openai-responses-v1', id: 'rs_1' };
  const image = {
    type: 'image',
    source: { type: 'base64', mediaType: 'image/png', data: PNG },
    detail: null,
    cache: null,
  };
  assert.deepEqual(turns, [
    { role: 'user', blocks: [text('One')] },
    {
      role: 'assistant',
      blocks: [
        { type: 'reasoning', text: 'Hm', encrypted: null, ...whose, summary: true },
        { type: 'reasoning', text: '', encrypted: 'gAAA', ...whose },
        text('Look'),
        { type: 'tool_call', id: 'c1', name: 'f', input: { a: 1 }, cache: null },
        { type: 'tool_call', id: 'c2', name: 'f', input: { _raw: 'no json' }, cache: null },
      ],
    },
    {
      role: 'user',
      blocks: [
        { type: 'tool_result', callId: 'c1', content: [text('r')], isError: false, cache: null },
        { type: 'tool_result', callId: 'c2', content: [text('two'), image], isError: false, cache: null },
      ],
    },
    { role: 'system', blocks: [text('Now be brief.')] },
    { role: 'user', blocks: [text('Two')] },
  ]);
  assert.deepEqual(warnings, []);
});

test('images and files are read from data and by address', () => {
  const { turns } = read({
    input: [
      user(
        { type: 'input_image', image_url: 'https://pictures.example/a.png', detail: 'high' },
        { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
        { type: 'input_file', file_url: 'https://files.example/b.pdf' },
        {
          type: 'input_file',
          filename: 'a.txt',
          file_data: `data:text/plain;base64,${Buffer.from('words').toString('base64')}`,
        },
        { type: 'input_text', text: 'All', prompt_cache_breakpoint: { mode: 'explicit' } },
      ),
    ],
  });
  const file = { type: 'document', context: null, citations: false, cache: null };
  assert.deepEqual(turns[0]?.blocks, [
    { type: 'image', source: { type: 'url', url: 'https://pictures.example/a.png' }, detail: 'high', cache: null },
    { ...file, source: { type: 'base64', mediaType: 'application/pdf', data: PDF }, name: 'a.pdf' },
    { ...file, source: { type: 'url', url: 'https://files.example/b.pdf' }, name: null },
    { ...file, source: { type: 'text', text: 'words' }, name: 'a.txt' },
    { type: 'text', text: 'All', cache: '5m' },
  ]);
});

test('a request as Codex sends it is read whole; what it asks of its vendor alone is reported', () => {
  const request = read({
    instructions: 'You are a coding assistant.',
    input: [
      {
        type: 'message',
        id: 'msg_dev',
        role: 'developer',
        content: [{ type: 'input_text', text: 'Sandbox: read-only.' }],
      },
      { type: 'message', id: 'msg_u', role: 'user', content: [{ type: 'input_text', text: 'List the files.' }] },
      { type: 'reasoning', id: 'rs_x', summary: [], encrypted_content: 'gAAAx' },
      call('c1', { name: 'exec_command', arguments: '{"cmd":"ls"}' }),
      { ...output('c1', 'a.txt'), id: 'fco_1' },
      {
        type: 'custom_tool_call',
        id: 'ctc_1',
        call_id: 'c2',
        name: 'apply_patch',
        input: '*** Begin Patch',
        status: 'completed',
      },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'Done' },
      { type: 'function_call', call_id: 'c3', namespace: 'multi_agent_v1', name: 'spawn', arguments: '{}' },
      output('c3', '{"id":7}'),
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
      { type: 'message', id: 'msg_u2', role: 'user', content: [{ type: 'input_text', text: 'And now?' }] },
    ],
    tools: [
      tool('exec_command', { strict: false, description: 'Runs it.' }),
      {
        type: 'custom',
        name: 'apply_patch',
        description: 'Edits.',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: X' },
      },
      {
        ...{ type: 'namespace', name: 'multi_agent_v1', description: 'Other agents.' },
        tools: [tool('spawn', { strict: false }), tool('wait', { strict: false, description: 'Waits.' })],
      },
      { type: 'web_search', external_web_access: false },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { summary: 'auto' },
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'thread-1',
    client_metadata: { 'x-codex-installation-id': 'i' },
    text: { verbosity: 'low' },
  });
  assert.deepEqual(
    request.system.map((block) => block.text),
    ['You are a coding assistant.', 'Sandbox: read-only.'],
  );
  assert.deepEqual(
    request.tools.map(({ name, description, custom }) => [name, description, custom]),
    [
      ['exec_command', 'Runs it.', undefined],
      ['apply_patch', 'Edits.', { grammar: { syntax: 'lark', definition: 'start: X' } }],
      ['multi_agent_v1__spawn', 'About the tools named multi_agent_v1__…: Other agents.', undefined],
      ['multi_agent_v1__wait', 'Waits.', undefined],
    ],
  );
  const calls = request.turns.flatMap(({ blocks }) => blocks.filter((block) => block.type === 'tool_call'));
  assert.deepEqual(
    calls.map(({ name, input, custom }) => [name, input, custom]),
    [
      ['exec_command', { cmd: 'ls' }, undefined],
      ['apply_patch', { input: '*** Begin Patch' }, true],
      ['multi_agent_v1__spawn', {}, undefined],
    ],
  );
  assert.deepEqual(request.reasoning, { effort: null, budget: null, adaptive: true, hidden: false });
  assert.deepEqual([request.stream, request.verbosity, request.toolChoice], [true, 'low', { type: 'auto' }]);
  assert.deepEqual((request.forAnswer as { tools: unknown }).tools, [
    ['apply_patch', { name: 'apply_patch', namespace: null, custom: true }],
    ['multi_agent_v1__spawn', { name: 'spawn', namespace: 'multi_agent_v1', custom: false }],
    ['multi_agent_v1__wait', { name: 'wait', namespace: 'multi_agent_v1', custom: false }],
  ]);
  assert.deepEqual(request.warnings, [
    'prompt_cache_key cannot be passed on to this provider and was left out',
    'the tool "web_search" was left out: the provider of this model cannot run it',
    'an item "web_search_call" of an earlier turn cannot be passed on to this provider and was left out',
  ]);
});

test('instructions and tools inside the input are read like those of the top level', () => {
  const { system, tools } = read({
    input: [
      { type: 'additional_tools', role: 'developer', tools: [tool('f'), { type: 'custom', name: 'g' }] },
      { type: 'message', role: 'developer', content: 'Be brief.' },
      user({ type: 'input_text', text: 'Hi' }),
    ],
  });
  assert.deepEqual(system, [text('Be brief.')]);
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['f', 'g'],
  );
});

test('what changes the answer, or is stored elsewhere, is refused', () => {
  const hi = user({ type: 'input_text', text: 'Hi' });
  const rows: readonly (readonly [object, string, string])[] = [
    [{ background: true }, 'unsupported_value', 'background'],
    [{ previous_response_id: 'resp_1' }, 'field_not_allowed', 'previous_response_id'],
    [{ conversation: 'conv_1' }, 'field_not_allowed', 'conversation'],
    [{ prompt: { id: 'pmpt_1' } }, 'field_not_allowed', 'prompt'],
    [{ input: [{ type: 'item_reference', id: 'rs_1' }, hi] }, 'field_not_allowed', 'input[0]'],
    [{ input: [{ id: 'rs_1' }, hi] }, 'field_not_allowed', 'input[0]'],
    [{ input: [user({ type: 'input_image', file_id: 'file_1' })] }, 'field_not_allowed', 'input[].content[].file_id'],
    [{ service_tier: 'flex' }, 'unsupported_value', 'service_tier'],
    [{ moderation: { model: 'm' } }, 'unsupported_value', 'moderation'],
    [{ input: [{ type: 'compaction', encrypted_content: 'x' }, hi] }, 'unsupported_value', 'input[0].type'],
    [
      { input: [{ type: 'local_shell_call', id: 'l', call_id: 'c', action: {} }, hi] },
      'unsupported_value',
      'input[0].type',
    ],
    [{ text: { format: { type: 'grammar' } } }, 'unsupported_value', 'text.format.type'],
  ];
  for (const [fields, code, param] of rows) assert.deepEqual(refusal(fields), [code, param], JSON.stringify(fields));
});

test('an invalid value is a 400 that names its path', () => {
  const rows: readonly (readonly [object, string])[] = [
    [{ input: [] }, 'input'],
    [{ input: '' }, 'input'],
    [{ input: 7 }, 'input'],
    [{ input: [null] }, 'input[0]'],
    [{ input: [{}] }, 'input[0].type'],
    [{ input: [{ role: 'tool', content: 'x' }] }, 'input[0].role'],
    [{ input: [user({ text: 'x' })] }, 'input[0].content[0].type'],
    [{ input: [user({ type: 'input_text' })] }, 'input[0].content[0].text'],
    [{ input: [user({ type: 'input_image', image_url: 'x' })] }, 'input[0].content[0].image_url'],
    [{ input: [user({ type: 'input_file' })] }, 'input[0].content[0].file_url'],
    [{ input: [call('c'), { ...output('d'), call_id: 'd' }] }, 'input[1].call_id'],
    [{ input: [{ ...call('c'), call_id: '' }] }, 'input[0].call_id'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
    [{ tools: [tool('f'), tool('f')] }, 'tools[1]'],
    [{ tools: [tool('f', { parameters: { type: 'array' } })] }, 'tools[0].parameters.type'],
    [{ tools: [{ type: 'custom', name: 'c', format: { type: 'grammar' } }] }, 'tools[0].format.syntax'],
    [{ tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'mcp', name: 'x' }] }] }, 'tools[0].tools[0].type'],
    [{ temperature: 3 }, 'temperature'],
    [{ max_output_tokens: 0 }, 'max_output_tokens'],
    [{ reasoning: { effort: 'most' } }, 'reasoning.effort'],
    [{ text: { verbosity: 'loud' } }, 'text.verbosity'],
  ];
  for (const [fields, param] of rows) assert.equal(refusal(fields)[1], param, JSON.stringify(fields));
});
