/**
 * Goal: a provider's failure is reported as one, with its words if they are safe; and a request that should not be retried is
 * not marked for retry. Method: refusals of every provider's format, read for a caller of each other format.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerNames, providerNames } from '../../../test/golden/fixtures.ts';
import {
  type CallerDialectName,
  callerDialects,
  type ProviderDialectName,
  providerDialects,
} from '../../dialects/index.ts';
import type { Call } from '../call.ts';
import { UpstreamRefusal } from '../end/reply-error.ts';
import { readRefusal } from './read-refusal.ts';

type Pair = readonly [from: CallerDialectName, to: ProviderDialectName];

const PAIRS: readonly Pair[] = callerNames.flatMap((from) =>
  providerNames.filter((to) => String(to) !== from).map((to): Pair => [from, to]),
);

/** A refusal with these words, as the provider sends it. */
function bodyOf(to: ProviderDialectName, message: string, type = 'api_error'): string {
  const bodies: Record<ProviderDialectName, object> = {
    'openai-chat': { error: { type, message } },
    'openai-responses': { error: { type, message } },
    'anthropic-messages': { type: 'error', error: { type, message } },
    gemini: { error: { code: 500, message, status: 'INTERNAL' } },
    'bedrock-converse': { message },
  };
  return JSON.stringify(bodies[to]);
}

test('a failure of the provider is reported as one, with its status and its words', () => {
  for (const [from, to] of PAIRS) {
    for (const status of [500, 501, 502, 520]) {
      const error = refusal(from, to, status, bodyOf(to, 'The harbour is closed.'));
      assert.equal(error.message, `The provider failed (HTTP ${status}): The harbour is closed.`, `${from} ${to}`);
      assert.deepEqual([error.code, error.status], ['bad_gateway', 502]);
    }
    for (const body of [
      bodyOf(to, 'no route to 10.0.0.1'),
      '',
      '<html><h1>Bad gateway</h1></html>',
      '{}',
      '{"error":{}}',
    ]) {
      assert.equal(refusal(from, to, 500, body).message, 'The provider failed (HTTP 500).', `${to}: ${body}`);
    }
    assert.ok(refusal(from, to, 500, bodyOf(to, 'word '.repeat(500))).message.length < 240);
  }
});

test('a refusal that repeats our credential is reported in our own words, and not marked for retry', () => {
  for (const [from, to] of PAIRS) {
    const body = bodyOf(to, 'hunter2 is bad', 'invalid_request_error');
    const error = refusal(from, to, 400, body, true);
    assert.ok(!(error instanceof UpstreamRefusal));
    assert.equal(error.message, 'The provider rejected the request.');
    assert.deepEqual([error.status, error.retryAfterSeconds], [400, null]);
    assert.equal(refusal(from, to, 500, body, true).message, 'The provider failed (HTTP 500).');
    assert.equal(refusal(from, to, 429, body, true).retryAfterSeconds, 9);
  }
});

test('a refusal is an error of the caller’s format, with the provider’s words', () => {
  for (const [from, to] of PAIRS) {
    const error = refusal(from, to, 400, bodyOf(to, 'The tide is too low.', 'invalid_request_error'));
    assert.equal(error.status, 400, `${from} ${to}`);
    const written = callerDialects[from].writeError(error, 'req_1').toString();
    assert.ok(written.includes('The tide is too low.'), `${from} ${to}: ${written}`);
  }
});

test('the error for the owner of a rejected credential names what its policy allows', () => {
  const call = { dialect: callerDialects['openai-chat'], requestId: 'req_1' } as unknown as Call;
  const words = (isOnly: boolean, fallback: boolean) => {
    const answer = { status: 401, headers: {}, body: Buffer.from(bodyOf('openai-chat', 'no such key')) };
    const own = { name: 'ours', isOnly, fallback };
    return readRefusal(call, providerDialects['openai-chat'], { isIn: () => false }, answer, own).message;
  };
  for (const policy of [words(true, false), words(false, false), words(false, true)])
    assert.match(policy, /your own credential "ours"\. Replace its secret/);
  assert.doesNotMatch(words(true, false), /fallback/);
  assert.match(words(false, false), /a fallback/);
  assert.doesNotMatch(words(false, true), /fallback/);
});

function refusal(from: CallerDialectName, to: ProviderDialectName, status: number, body: string, echoes = false) {
  const call = { dialect: callerDialects[from], requestId: 'req_1' } as unknown as Call;
  const headers = { 'retry-after': '9' };
  return readRefusal(call, providerDialects[to], { isIn: () => echoes }, { status, headers, body: Buffer.from(body) });
}
