/** Goal: a key in an address is refused, however the parameter is written, and never repeated. Method: a table of queries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnknownKey } from '../../accounts/authenticate.ts';
import { GatewayError } from '../../core/errors.ts';
import { explainKeyInQuery, refuseKeyInQuery } from './check-query.ts';

const credential = { header: 'x-goog-api-key', refusedParameters: ['key', 'access_token'] };
const SECRET = 'sk-tp-planted';

test('a key in the query is a 400 that names the header and not the key', () => {
  for (const query of [
    `key=${SECRET}`,
    `alt=sse&key=${SECRET}`,
    `%6bey=${SECRET}&alt=sse`,
    `KEY=${SECRET}`,
    `$key=${SECRET}`,
    `access_token=${SECRET}`,
    'key=',
    'key',
  ])
    assert.throws(
      () => refuseKeyInQuery(credential, query),
      (error) =>
        error instanceof GatewayError &&
        error.code === 'field_not_allowed' &&
        error.status === 400 &&
        /x-goog-api-key/.test(error.message) &&
        !error.message.includes(SECRET),
      query,
    );
});

test('other parameters pass, and so does every query where the format has no credential of its own', () => {
  for (const query of ['', 'alt=sse', 'keys=1', 'pageSize=3&pageToken=key']) refuseKeyInQuery(credential, query);
  refuseKeyInQuery(undefined, `key=${SECRET}`);
});

test('where no key was sent in a header, the 401 explains one in the query, in every format', () => {
  const missing = new GatewayError('invalid_api_key');
  for (const query of [`key=${SECRET}`, `a=b&api_key=${SECRET}`, `api-key=${SECRET}`]) {
    const error = explainKeyInQuery(missing, query);
    assert.ok(error instanceof GatewayError);
    assert.deepEqual([error.status, error.code], [401, 'invalid_api_key']);
    assert.match(error.message, /header Authorization/);
    assert.ok(!error.message.includes(SECRET), query);
  }
  assert.equal(explainKeyInQuery(missing, 'limit=2'), missing);
  for (const error of [new UnknownKey(), new GatewayError('permission_denied'), new Error('bug')])
    assert.equal(explainKeyInQuery(error, `key=${SECRET}`), error);
});
