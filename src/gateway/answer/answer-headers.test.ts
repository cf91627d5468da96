/** Goal: only known headers of a provider with plain text pass. Method: a table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../call.ts';
import { passedHeaders, upstreamRequestId, warningHeaders } from './answer-headers.ts';

const SILENT = { isIn: () => false };

const ids: [behaviour: string, headers: Record<string, string | string[]>, passed: string[]][] = [
  ['Anthropic’s request id passes', { 'request-id': 'req_1' }, ['x-upstream-request-id', 'req_1']],
  ['OpenAI’s request id passes', { 'x-request-id': 'req-2' }, ['x-upstream-request-id', 'req-2']],
  ['the more specific one wins', { 'request-id': 'a', 'x-request-id': 'b' }, ['x-upstream-request-id', 'a']],
  ['an id sent twice is dropped', { 'x-request-id': ['a', 'b'] }, []],
  ['an id with a control character is dropped', { 'x-request-id': 'a\u0001' }, []],
  ['an id with a line break is dropped', { 'x-request-id': 'a\r\nset-cookie: b' }, []],
  ['a non-ASCII id is dropped', { 'x-request-id': 'ä' }, []],
  ['an id of 256 characters passes', { 'x-request-id': 'a'.repeat(256) }, ['x-upstream-request-id', 'a'.repeat(256)]],
  ['a longer id is dropped', { 'x-request-id': 'a'.repeat(257) }, []],
  ['an empty id is dropped', { 'x-request-id': '' }, []],
];
for (const [behaviour, headers, passed] of ids)
  test(behaviour, () => assert.deepEqual(upstreamRequestId(headers, null), passed));

test('a refusal passes its retry headers and no others', () => {
  const headers = { 'retry-after': '5', 'x-should-retry': 'false', 'x-ratelimit-limit': '1', 'set-cookie': 'a=b' };
  assert.deepEqual(passedHeaders(headers, SILENT), ['retry-after', '5', 'x-should-retry', 'false']);
});

test('invalid headers of a refusal do not pass', () => {
  assert.deepEqual(passedHeaders({ 'retry-after': '5\n', 'x-should-retry': ['true', 'false'] }, SILENT), []);
});

test('headers of a refusal that repeat our credential do not pass', () => {
  const echo = { isIn: (text: string | Buffer) => text.includes('hunter2') };
  const headers = { 'retry-after': '5 hunter2', 'x-should-retry': 'hunter2', 'request-id': 'req hunter2' };
  assert.deepEqual(passedHeaders(headers, echo), []);
  assert.deepEqual(passedHeaders({ ...headers, 'retry-after': '5' }, echo), ['retry-after', '5']);
});

test('warnings are one header; without warnings there is none', () => {
  assert.deepEqual(warningHeaders({ warnings: [] } as unknown as Call), []);
  assert.deepEqual(warningHeaders({ warnings: ['a', 'b'] } as unknown as Call), ['x-turnpike-warnings', 'a; b']);
});
