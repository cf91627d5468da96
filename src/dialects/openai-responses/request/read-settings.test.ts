/** Goal: what a caller sets is read, and what has no equal elsewhere is reported. Method: tables of single fields. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatRequest } from '../../../chat/request.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import { AT_NO_PATH } from '../../contract.ts';
import { spelling, watchedKeys } from '../peek/spelling.ts';
import { readRequest } from './read-request.ts';

function read(fields: object): ChatRequest {
  const body = JSON.stringify({ model: 'vendor/one', input: 'Hi', ...fields });
  return readRequest({ ...AT_NO_PATH, headers: {}, document: scanJson(Buffer.from(body), { watchedKeys, spelling }) });
}

const tool = (name: string, fields: object = {}) => ({
  type: 'function',
  name,
  parameters: { type: 'object' },
  ...fields,
});

test('settings are read', () => {
  const schema = { type: 'object', properties: {} };
  const request = read({
    ...{ max_output_tokens: 99, temperature: 0.5, top_p: 0.9, parallel_tool_calls: false, user: 'u', stream: true },
    text: { format: { type: 'json_schema', name: 's', schema, strict: true }, verbosity: 'high' },
    reasoning: { effort: 'high', summary: 'detailed' },
  });
  const { outputCap, temperature, topP, parallelTools, format, verbosity, reasoning, stream } = request;
  assert.deepEqual(
    { outputCap, temperature, topP, parallelTools, verbosity, stream, user: request.user },
    { outputCap: 99, temperature: 0.5, topP: 0.9, parallelTools: false, verbosity: 'high', stream: true, user: 'u' },
  );
  assert.deepEqual(format, { type: 'json_schema', name: 's', description: null, schema, strict: true });
  assert.deepEqual(reasoning, { effort: 'high', budget: null, adaptive: false, hidden: false });
  assert.deepEqual(read({ text: { format: { type: 'json_object' } } }).format, { type: 'json_object' });
  assert.equal(read({ text: { format: { type: 'text' } } }).format, null);
  assert.deepEqual(read({ reasoning: { effort: 'low' } }).reasoning, {
    effort: 'low',
    budget: null,
    adaptive: false,
    hidden: true,
  });
  assert.equal(read({ safety_identifier: 's' }).user, 's');
});

test('settings that mean nothing elsewhere are reported, and their defaults are not', () => {
  const warned = (fields: object) => read(fields).warnings.length;
  const silent = {
    store: false,
    truncation: 'disabled',
    top_logprobs: 0,
    background: false,
    metadata: { a: 'b' },
    client_metadata: { c: 'd' },
    max_tool_calls: null,
  };
  assert.equal(
    warned({ ...silent, include: ['reasoning.encrypted_content'], stream_options: { include_obfuscation: false } }),
    0,
  );
  for (const fields of [
    { store: true },
    { truncation: 'auto' },
    { top_logprobs: 2 },
    { include: ['message.output_text.logprobs'] },
    { include: ['message.output_text.logprobs'], top_logprobs: 2 },
    { include: ['web_search_call.results', 'reasoning.encrypted_content'] },
    { max_tool_calls: 2 },
  ])
    assert.equal(warned(fields), 1, JSON.stringify(fields));
  assert.deepEqual(read({ access_programs: ['x'], reasoning: { mode: 'pro' } }).warnings, [
    'access_programs cannot be passed on to this provider and was left out',
    'reasoning.mode cannot be passed on to this provider and was left out',
  ]);
  assert.equal(
    warned({
      input: [
        { role: 'assistant', phase: 'commentary', content: 'x' },
        { role: 'user', content: 'y' },
      ],
    }),
    1,
  );
});

test('long settings are not repeated in the answer', () => {
  const settings = (fields: object) => (read(fields).forAnswer as { settings: Record<string, unknown> }).settings;
  const long = 'x'.repeat(70_000);
  assert.equal(settings({ instructions: 'Be brief.' })['instructions'], 'Be brief.');
  assert.equal(settings({ instructions: long })['instructions'], null);
  assert.deepEqual(settings({ tools: [tool('f')] })['tools'], [{ ...tool('f'), description: null, strict: null }]);
  assert.deepEqual(settings({ tools: [tool('f', { description: long })] })['tools'], []);
  assert.deepEqual(settings({ metadata: { a: 'b' }, temperature: 0.2 })['metadata'], { a: 'b' });
});

test('more to include is reported by name, and only words can be', () => {
  assert.deepEqual(read({ include: ['nonsense', 'a b'] }).warnings, [
    'include "nonsense" cannot be passed on to this provider and was left out',
    'include of an unknown type cannot be passed on to this provider and was left out',
  ]);
  for (const [fields, param] of [
    [{ include: [5] }, 'include[0]'],
    [{ include: 'all' }, 'include'],
    [{ metadata: 5 }, 'metadata'],
    [{ client_metadata: ['x'] }, 'client_metadata'],
    [{ max_tool_calls: 'two' }, 'max_tool_calls'],
    [{ stream_options: true }, 'stream_options'],
  ] as const)
    assert.throws(() => read(fields), { code: 'invalid_value', param }, JSON.stringify(fields));
});
