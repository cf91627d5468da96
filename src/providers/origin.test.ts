/** Goal: an address as operators write it is understood, completed or refused. Method: tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeOrigin, joinPaths, parseOrigin } from './origin.ts';

for (const [text, origin, basePath] of [
  ['https://api.example.com', 'https://api.example.com', ''],
  ['HTTPS://API.example.com:443/', 'https://api.example.com', ''],
  ['http://127.0.0.1:8000/v1/', 'http://127.0.0.1:8000', '/v1'],
  ['http://[::1]:8000/a/b', 'http://[::1]:8000', '/a/b'],
] as const)
  test(`${text} is an origin with the base path "${basePath}"`, () => {
    const parsed = parseOrigin(text);
    assert.deepEqual([parsed.origin, parsed.basePath], [origin, basePath]);
  });

test('an address is private if it can only be in the operator’s own network', () => {
  const own = [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '127.9.9.9',
    '169.254.1.1',
    '100.64.0.1',
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
    'localhost',
    'gpu',
    'a.localhost',
  ];
  const others = ['8.8.8.8', '172.32.0.1', '100.128.0.1', '[2001:db8::1]', 'llm.example.com', 'localhost.example.com'];
  for (const host of own) assert.equal(parseOrigin(`http://${host}`).isPrivate, true, host);
  for (const host of others) assert.equal(parseOrigin(`http://${host}`).isPrivate, false, host);
});

for (const [text, completed] of [
  ['192.168.1.9', 'http://192.168.1.9:11434'],
  ['192.168.1.9:80', 'http://192.168.1.9'],
  [':9999', 'http://127.0.0.1:9999'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:1234', 'http://127.0.0.1:1234'],
  ['[::]:1234', 'http://127.0.0.1:1234'],
  ['gpu', 'http://gpu:11434'],
  [' https://ollama.example.com ', 'https://ollama.example.com'],
  ['http://10.0.0.5/llm', 'http://10.0.0.5'],
] as const)
  test(`"${text}" is completed to ${completed}`, () => {
    assert.equal(parseOrigin(completeOrigin(text, 'http://127.0.0.1:11434')).origin, completed);
  });

test('an address that cannot be completed is left for the parser to refuse', () => {
  assert.throws(() => parseOrigin(completeOrigin('no address', 'http://127.0.0.1:11434')), TypeError);
});

test('an overlap of base path and path is written once', () => {
  assert.equal(joinPaths('', '/v1/models'), '/v1/models');
  assert.equal(joinPaths('/v1', '/v1/models'), '/v1/models');
  assert.equal(joinPaths('/x/api/v1', '/api/v1/models'), '/x/api/v1/models');
  assert.equal(joinPaths('/x', '/v1/models'), '/x/v1/models');
  assert.equal(joinPaths('/xv1', '/v1/models'), '/xv1/v1/models');
});
