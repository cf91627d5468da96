/** Goal: tools and the choice between them are read in all their forms, and those that only a vendor runs are refused. Method: tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, refusal, tool } from './read-fixture.ts';

test('every form of tool choice is read', () => {
  const tools = [
    ...[tool('f'), tool('g'), { type: 'custom', name: 'c' }, { type: 'web_search' }],
    { type: 'namespace', name: 'n', description: 'd', tools: [tool('f')] },
  ];
  const choose = (tool_choice: unknown) => {
    const request = read({ tools, tool_choice });
    return [request.toolChoice, request.tools.map(({ name }) => name)] as const;
  };
  const all = ['f', 'g', 'c', 'n__f'];
  for (const mode of ['none', 'auto', 'required'] as const) assert.deepEqual(choose(mode), [{ type: mode }, all]);
  assert.deepEqual(choose({ type: 'function', name: 'g' }), [{ type: 'tool', name: 'g' }, all]);
  assert.deepEqual(choose({ type: 'function', name: 'f', namespace: 'n' }), [{ type: 'tool', name: 'n__f' }, all]);
  assert.deepEqual(choose({ type: 'custom', name: 'c' }), [{ type: 'tool', name: 'c' }, all]);
  const allowed = (mode: string, list: readonly object[]) => choose({ type: 'allowed_tools', mode, tools: list });
  assert.deepEqual(
    allowed('required', [
      { type: 'function', name: 'g' },
      { type: 'custom', name: 'c' },
    ]),
    [{ type: 'required' }, ['g', 'c']],
  );
  assert.deepEqual(allowed('auto', [{ type: 'namespace', name: 'n' }, { type: 'web_search' }]), [
    { type: 'auto' },
    ['n__f'],
  ]);
  assert.deepEqual(allowed('auto', [{ type: 'web_search' }]), [null, []]);
  const rows: readonly (readonly [unknown, string, string])[] = [
    [{ type: 'function', name: 'h' }, 'invalid_value', 'tool_choice'],
    [{ type: 'file_search' }, 'unsupported_value', 'tool_choice.type'],
    [{ type: 'mcp', server_label: 's' }, 'unsupported_value', 'tool_choice.type'],
    [{ type: 'shell' }, 'unsupported_value', 'tool_choice.type'],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] },
      'invalid_value',
      'tool_choice.tools',
    ],
    ['any', 'invalid_value', 'tool_choice'],
  ];
  for (const [tool_choice, code, param] of rows) assert.deepEqual(refusal({ tools, tool_choice }), [code, param]);
  assert.deepEqual(refusal({ tool_choice: 'required' }), ['invalid_value', 'tool_choice']);
  assert.deepEqual(refusal({ tools: [{ type: 'web_search' }], tool_choice: 'required' }), [
    'unsupported_value',
    'tool_choice',
  ]);
  assert.equal(read({ tool_choice: 'auto' }).toolChoice, null);
});

test("a tool that only its vendor runs is refused by its name; Codex's search is left out", () => {
  const types = [
    ...['web_search_preview', 'web_search_2025_08_26', 'file_search', 'code_interpreter', 'computer_use_preview'],
    ...['computer', 'mcp', 'image_generation', 'local_shell', 'shell', 'apply_patch', 'tool_search'],
  ];
  for (const type of types) {
    assert.deepEqual(refusal({ tools: [tool('f'), { type }] }), ['unsupported_value', 'tools[1].type']);
    assert.throws(() => read({ tools: [{ type }] }), new RegExp(`"${type}" cannot be used with this model`));
  }
  const { tools, warnings } = read({ tools: [{ type: 'web_search', search_context_size: 'low' }] });
  assert.deepEqual([tools, warnings.length], [[], 1]);
});
