/** Goal: a request means the same whether a proxy has kept the base path or taken it off. Method: addresses in both forms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basePathOf, basePathRemover } from './base-path.ts';

test('the base path is the path of the public address, without a slash at its end', () => {
  assert.deepEqual(
    [null, 'https://x.example', 'https://x.example/', 'https://x.example/llm', 'https://x.example/a/b/'].map(
      basePathOf,
    ),
    ['', '', '', '/llm', '/a/b'],
  );
});

test('an address with the base path loses it, and any other stays', () => {
  const remove = basePathRemover('/llm') ?? assert.fail('there is one');
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
