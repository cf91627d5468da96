/** Goal: a request has the same meaning whether a proxy keeps the base path or strips it. Method: URLs in both forms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basePathOf, basePathRemover } from './base-path.ts';

test('the base path is the path of the public URL, without a trailing slash', () => {
  assert.deepEqual(
    [null, 'https://x.example', 'https://x.example/', 'https://x.example/llm', 'https://x.example/a/b/'].map(
      basePathOf,
    ),
    ['', '', '', '/llm', '/a/b'],
  );
});

test('the base path is removed from a URL that has it, and any other URL is unchanged', () => {
  const remove = basePathRemover('/llm') ?? assert.fail('a base path has a remover');
  const cases = {
    '/llm': '/',
    '/llm/': '/',
    '/llm?a=1': '/?a=1',
    '/llm/v1/messages?a=1': '/v1/messages?a=1',
    '/llm//v1/messages': '//v1/messages',
    '/llmx/v1/messages': '/llmx/v1/messages',
    '/v1/messages': '/v1/messages',
    '/': '/',
    '': '',
    '*': '*',
  };
  for (const [given, wanted] of Object.entries(cases)) assert.equal(remove(given), wanted, given);
  assert.equal(basePathRemover(''), null);
});
