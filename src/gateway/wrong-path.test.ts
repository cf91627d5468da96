/** Goal: a wrong path tells the right base address. Method: the texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrongPath } from './wrong-path.ts';

test('both base addresses and the routes are named', () => {
  const { status, code, message } = wrongPath('POST', '/v1/completions', 'http://127.0.0.1:8080');
  assert.deepEqual([status, code], [404, 'not_found']);
  assert.match(message, /nothing at POST \/v1\/completions/);
  assert.match(message, /OpenAI clients take http:\/\/127\.0\.0\.1:8080\/api\/v1 /);
  assert.match(message, /Anthropic clients \(Claude Code too\) http:\/\/127\.0\.0\.1:8080\./);
  for (const route of ['/api/v1/chat/completions', '/v1/messages', '/api/v1/models', '/api/v1/key'])
    assert.ok(message.includes(route), route);
});

test('of a long path only the start is shown', () => {
  const { message } = wrongPath('GET', `/${'a'.repeat(10_000)}`, 'http://x');
  assert.ok(message.length < 600);
  assert.match(message, /a…/);
});
