/**
 * Goal: a caller gets a provider's refusal to count its request; a provider that cannot count costs no more than
 * precision. Method: answers of a scripted provider to `count_tokens`, by table.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { OPEN_MODEL, type OpenBench, openBench, scriptedProvider } from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { htmlInstead, refuse, resetAtOnce } from '../support/upstream-scripts.ts';

let bench: OpenBench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const count = (model: string = OPEN_MODEL) =>
  bench.post('/v1/messages/count_tokens', { model, messages: [{ role: 'user', content: 'Ahoy' }] });
const failed = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_up' });

test('a refusal of the request reaches the caller in the provider’s words', async () => {
  const refusal = failed('invalid_request_error', 'tools.0.name: String should have at least 1 character');
  bench.upstream.play(refuse(400, refusal, { 'request-id': 'req_up', 'set-cookie': 'a=b' }));
  const response = await count();
  assert.equal(response.status, 400);
  assert.deepEqual(await response.json(), refusal);
  assert.equal(response.headers.get('x-upstream-request-id'), 'req_up');
  assert.equal(response.headers.get('x-turnpike-estimated'), null);
  assert.equal(response.headers.get('set-cookie'), null);
  assert.deepEqual(bench.records, [], 'nothing is charged');
});

describe('an estimate, marked as one, follows from', () => {
  const canary = 'canary-credential-of-scripted';
  const rows: Readonly<Record<string, Script>> = {
    'a refused credential': refuse(401, failed('authentication_error', 'invalid x-api-key')),
    'an empty account, reported as a bad request': refuse(
      400,
      failed('invalid_request_error', 'Your credit balance is too low'),
    ),
    'a refusal that repeats our credential': refuse(400, failed('invalid_request_error', `no such key: ${canary}`)),
    'a bad request that is not an error of the format': refuse(400, 'Bad Request'),
    'no such route': refuse(404, failed('not_found_error', 'Not found')),
    'a method that is not allowed': refuse(405, {}),
    'a limit': refuse(429, failed('rate_limit_error', 'slow down')),
    'a broken provider': refuse(500, failed('api_error', 'oops')),
    'an overloaded provider': refuse(529, failed('overloaded_error', 'Overloaded')),
    'a page instead of a number': htmlInstead,
    'a connection that breaks': resetAtOnce,
  };
  for (const [name, script] of Object.entries(rows)) {
    test(name, async () => {
      bench.upstream.play(script);
      const response = await count();
      const text = await response.text();
      assert.equal(response.status, 200, text);
      assert.equal(response.headers.get('x-turnpike-estimated'), 'true');
      assert.ok((JSON.parse(text) as { input_tokens: number }).input_tokens > 0);
      assert.ok(!text.includes(canary));
    });
  }
});

test('a provider without the model, or the route, is not asked for it again, but for other models', async () => {
  const { upstream } = bench;
  const price = { input: 1, output: 5 };
  const models = ['gone', 'here'].map((name) => ({ id: `scripted/${name}`, upstream: name, prices: price }));
  const own = await openBench({ providers: [{ ...scriptedProvider('two', upstream.origin), models }] });
  upstream.play((exchange) =>
    exchange.json['model'] === 'gone'
      ? refuse(404, failed('not_found_error', 'model: gone'))(exchange)
      : exchange.whole(200, '{"input_tokens":7}'),
  );
  const ask = async (model: string) => {
    const response = await own.post('/v1/messages/count_tokens', { model, messages: [{ role: 'user', content: 'x' }] });
    return ((await response.json()) as { input_tokens: number }).input_tokens;
  };
  try {
    await ask('scripted/gone');
    await ask('scripted/gone');
    assert.equal(await ask('scripted/here'), 7);
    assert.deepEqual(
      upstream.exchanges.map(({ json }) => json['model']),
      ['gone', 'here'],
    );
  } finally {
    await own.close();
  }
});
