/** Goal: long names of tools are shortened to fit the format and restored. Method: names like those of MCP servers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '../../../chat/request.ts';
import { shortenedNames, wireToolName } from './tool-names.ts';

const long = `mcp__a_server_with_a_long_name__${'find_toll_gates_'.repeat(4)}`;

function tools(...names: readonly string[]): Tool[] {
  return names.map((name) => ({ name, description: null, schema: {}, strict: null, cache: null }));
}

test('a name that fits stays', () => {
  assert.equal(wireToolName('get_weather'), 'get_weather');
  assert.equal(wireToolName('x'.repeat(64)), 'x'.repeat(64));
  assert.equal(shortenedNames(tools('get_weather')), null);
});

test('long names are shortened to different ones, which can be restored', () => {
  const names = [`${long}1`, `${long}2`, 'short'];
  const shortened = shortenedNames(tools(...names));
  assert.equal(shortened?.size, 2);
  for (const [wire, name] of shortened ?? []) {
    assert.match(wire, /^[a-zA-Z0-9_-]{1,64}$/);
    assert.ok(names.includes(name));
    assert.equal(wireToolName(name), wire);
  }
});
