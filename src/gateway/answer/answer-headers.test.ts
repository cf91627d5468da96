/** Goal: of a provider's headers only what is plain text under a known name passes. Method: a table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../call.ts';
import { passedHeaders, upstreamRequestId, warningHeaders } from './answer-headers.ts';

const SILENT = { isIn: () => false };

const ids: [behaviour: string, headers: Record<string, string | string[]>, passed: string[]][] = [
  ['Anthropic’s request id passes', { 'request-id': 'req_1' }, ['x-upstream-request-id', 'req_1']],
  ['OpenAI’s request id passes', { 'x-request-id': 'req-2' }, ['x-upstream-request-id', 'req-2']],
  ['the more specific one wins', { 'request-id': 'a', 'x-request-id': 'b' }, ['x-upstream-request-id', 'a']],
  ['an id sent twice is none', { 'x-request-id': ['a', 'b'] }, []],
  ['an id with a control character is none', { 'x-request-id': 'a\u0001' }, []],
  ['an id with a line break is none', { 'x-request-id': 'a\r\nset-cookie: b' }, []],
  ['an id beyond ASCII is none', { 'x-request-id': 'ä' }, []],
  ['an id of 256 characters passes', { 'x-request-id': 'a'.repeat(256) }, ['x-upstream-request-id', 'a'.repeat(256)]],
  ['a longer one does not', { 'x-request-id': 'a'.repeat(257) }, []],
  ['an empty one does not', { 'x-request-id': '' }, []],
];
for (const [behaviour, headers, passed] of ids)
  test(behaviour, () => assert.deepEqual(upstreamRequestId(headers, null), passed));

test('a refusal may say when to come back, and nothing else of its own', () => {
  const headers = { 'retry-after': '5', 'x-should-retry': 'false', 'x-ratelimit-limit': '1', 'set-cookie': 'a=b' };
  assert.deepEqual(passedHeaders(headers, SILENT), ['retry-after', '5', 'x-should-retry', 'false']);
});

test('a refusal with broken headers passes none of them', () => {
  assert.deepEqual(passedHeaders({ 'retry-after': '5\n', 'x-should-retry': ['true', 'false'] }, SILENT), []);
});

test('of a refusal’s headers none passes that repeats our credential', () => {
  const echo = { isIn: (said: string | Buffer) => said.includes('hunter2') };
  const headers = { 'retry-after': '5 hunter2', 'x-should-retry': 'hunter2', 'request-id': 'req hunter2' };
  assert.deepEqual(passedHeaders(headers, echo), []);
  assert.deepEqual(passedHeaders({ ...headers, 'retry-after': '5' }, echo), ['retry-after', '5']);
});

test('warnings are one header, and no header without warnings', () => {
  assert.deepEqual(warningHeaders({ warnings: [] } as unknown as Call), []);
  assert.deepEqual(warningHeaders({ warnings: ['a', 'b'] } as unknown as Call), ['x-turnpike-warnings', 'a; b']);
});
