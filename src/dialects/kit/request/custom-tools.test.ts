/** Goal: where a format has no custom tools, nothing of them is lost in silence. Method: tools of each kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customNamesOf, customTool, customToolsOf, functionsOf } from './custom-tools.ts';

const free = customTool({ name: 'shell', description: 'Runs it.', grammar: null, cache: null });
const ruled = customTool({
  name: 'sql',
  description: null,
  grammar: { syntax: 'regex', definition: 'a+' },
  cache: '5m',
});
const plain = { name: 'f', description: null, schema: { type: 'object' }, strict: null, cache: null } as const;

test('a custom tool becomes a function with one string, and its grammar a part of its description', () => {
  const warnings = new Set<string>();
  const [first, second, third] = functionsOf([free, ruled, plain], warnings);
  const { schema } = free;
  assert.deepEqual(first, { name: 'shell', description: 'Runs it.', schema, strict: null, cache: null });
  assert.deepEqual(second, {
    ...{ name: 'sql', description: 'The input must match this regular expression:\na+', schema, strict: null },
    cache: '5m',
  });
  assert.equal(third, plain);
  assert.equal(warnings.size, 2);
});

test('functions stay as they are', () => {
  const warnings = new Set<string>();
  const tools = [plain];
  assert.equal(functionsOf(tools, warnings), tools);
  assert.equal(warnings.size, 0);
});

test('the writer of the answer knows the names', () => {
  assert.deepEqual([...customToolsOf(customNamesOf([free, plain, ruled]))], ['shell', 'sql']);
  assert.equal(customToolsOf(undefined).size, 0);
  assert.equal(customToolsOf({}).size, 0);
});
