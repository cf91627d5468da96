/**
 * Goal: a provider's failure is reported as one, with its words if they are safe; and a request that should not be retried is
 * not marked for retry. Method: refusals read for a caller of the other format.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relayDialects } from '../../dialects/index.ts';
import type { Call } from '../call.ts';
import { UpstreamRefusal } from '../end/reply-error.ts';
import { readRefusal } from './read-refusal.ts';

const NAMES = ['openai-chat', 'anthropic-messages'] as const;

test('a failure of the provider is reported as one, with its status and its words', () => {
  for (const name of NAMES) {
    for (const status of [500, 501, 502, 520]) {
      const body = JSON.stringify({ error: { type: 'api_error', message: 'The harbour is closed.' } });
      const error = refusal(name, status, body);
      assert.equal(error.message, `The provider failed (HTTP ${status}): The harbour is closed.`);
      assert.deepEqual([error.code, error.status], ['bad_gateway', 502]);
    }
    const place = JSON.stringify({ error: { message: 'no route to 10.0.0.1' } });
    for (const body of [place, '', '<html><h1>Bad gateway</h1></html>', '{}', '{"error":{}}']) {
      assert.equal(refusal(name, 500, body).message, 'The provider failed (HTTP 500).');
    }
    const long = refusal(name, 500, JSON.stringify({ error: { message: 'word '.repeat(500) } })).message;
    assert.ok(long.length < 240);
  }
});

test('a refusal that repeats our credential is reported in our own words, and not marked for retry', () => {
  for (const name of NAMES) {
    const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'hunter2 is bad' } });
    const error = refusal(name, 400, body, true);
    assert.ok(!(error instanceof UpstreamRefusal));
    assert.equal(error.message, 'The provider rejected the request.');
    assert.deepEqual([error.status, error.retryAfterSeconds], [400, null]);
    assert.equal(refusal(name, 500, body, true).message, 'The provider failed (HTTP 500).');
    assert.equal(refusal(name, 429, body, true).retryAfterSeconds, 9);
  }
});

function refusal(upstream: (typeof NAMES)[number], status: number, body: string, echoes = false) {
  const caller = upstream === 'openai-chat' ? 'anthropic-messages' : 'openai-chat';
  const call = { dialect: relayDialects[caller], requestId: 'req_1' } as unknown as Call;
  const headers = { 'retry-after': '9' };
  return readRefusal(
    call,
    relayDialects[upstream],
    { isIn: () => echoes },
    { status, headers, body: Buffer.from(body) },
  );
}
