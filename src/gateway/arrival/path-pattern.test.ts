/** Goal: parameters in a path are found, and hostile paths cost no more than their length. Method: patterns against paths. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATH_LENGTH_MAX, PathPattern } from './path-pattern.ts';

const models = new PathPattern('/v1beta/models/{model}:{verb}');

test('the last colon separates two names', () => {
  assert.deepEqual(models.match('/v1beta/models/acme/large:free:generateContent'), {
    model: 'acme/large:free',
    verb: 'generateContent',
  });
});

test('fixed text may follow a name', () => {
  const count = new PathPattern('/v1beta/models/{model}:countTokens');
  assert.deepEqual(count.match('/v1beta/models/acme/large:countTokens'), { model: 'acme/large' });
  assert.equal(count.match('/v1beta/models/acme/large:generateContent'), null);
  assert.equal(count.match('/v1beta/models/acme:countTokens/x'), null);
});

test('names may be in several segments', () => {
  const deployment = new PathPattern('/openai/deployments/{name}/chat/{part}/end');
  assert.deepEqual(deployment.match('/openai/deployments/a/chat/b/chat/c/end'), { name: 'a/chat/b', part: 'c' });
  assert.equal(deployment.match('/openai/deployments/a/b/end'), null);
});

test('percent-encoding is decoded once, and invalid encoding matches nothing', () => {
  assert.deepEqual(models.match('/v1beta/models/acme%2Flarge%252F%3Ax:run'), { model: 'acme/large%2F:x', verb: 'run' });
  for (const part of ['%', '%zz', '%c3%28', '%ff']) assert.equal(models.match(`/v1beta/models/${part}:run`), null);
});

test('no value is empty or overlaps fixed text', () => {
  for (const path of [
    '/v1beta/models/:run',
    '/v1beta/models/a:',
    '/v1beta/models/:',
    '/v1beta/models/',
    '/v1beta/models',
    '/v1beta:a',
  ])
    assert.equal(models.match(path), null, path);
});

test('a path that is too long matches nothing', () => {
  const path = (length: number) => `/v1beta/models/${'a'.repeat(length - '/v1beta/models/:run'.length)}:run`;
  assert.notEqual(models.match(path(PATH_LENGTH_MAX)), null);
  assert.equal(models.match(path(PATH_LENGTH_MAX + 1)), null);
});

test('names of object properties are ordinary values', () => {
  assert.deepEqual(models.match('/v1beta/models/__proto__:constructor'), { model: '__proto__', verb: 'constructor' });
});

test('an ambiguous pattern is an error', () => {
  for (const pattern of ['/v1/messages', '/v1/{a}{b}', '/v1/{a}/{a}', '{a}/v1'])
    assert.throws(() => new PathPattern(pattern), pattern);
});
