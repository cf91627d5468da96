/** Goal: a provider's refusal leads to the right error and reveals nothing about the operator. Method: a table of refusals. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { framesOf } from '../fixtures/read-fixture.ts';
import { readError } from './read-error.ts';
import { writeError, writeStreamError } from './write-error.ts';

const envelope = (type: string, message: string, details?: object) =>
  JSON.stringify({ type: 'error', error: { type, message, ...(details && { details }) }, request_id: 'req_up' });

describe('a refusal of the provider', () => {
  type Row = readonly [what: string, status: number, body: string, code: string, relayable: boolean];
  const rows: readonly Row[] = [
    ['a bad request', 400, envelope('invalid_request_error', 'max_tokens: too large'), 'bad_request', true],
    [
      'a rejected signature',
      400,
      envelope('invalid_request_error', 'messages.1: invalid `signature` in block'),
      'bad_request',
      true,
    ],
    [
      'words about a reserved header',
      400,
      envelope('invalid_request_error', 'x-anthropic-billing-header is reserved'),
      'bad_request',
      true,
    ],
    ['an unknown model', 404, envelope('not_found_error', 'model: claude-nope'), 'model_not_found', true],
    [
      'a request that is too large',
      413,
      envelope('request_too_large', 'Request exceeds the maximum size'),
      'request_too_large',
      true,
    ],
    ['an unprocessable request', 422, envelope('invalid_request_error', 'no'), 'bad_request', true],
    [
      'a rate limit',
      429,
      envelope('rate_limit_error', 'Number of request tokens exceeded'),
      'upstream_rate_limited',
      true,
    ],
    ['overload', 529, envelope('overloaded_error', 'Overloaded'), 'upstream_overloaded', true],
    ['overload under another status', 503, envelope('overloaded_error', 'Overloaded'), 'upstream_overloaded', false],
    [
      'a rejected credential',
      401,
      envelope('authentication_error', 'invalid x-api-key'),
      'upstream_credential_rejected',
      false,
    ],
    [
      'a forbidden credential',
      403,
      envelope('permission_error', 'not for this key'),
      'upstream_credential_rejected',
      false,
    ],
    ['money', 402, envelope('billing_error', 'pay'), 'upstream_credential_rejected', false],
    [
      'money as a 400',
      400,
      envelope('invalid_request_error', 'Your credit balance is too low to access the API.'),
      'upstream_credential_rejected',
      false,
    ],
    [
      'a spend limit as a 400',
      400,
      envelope('invalid_request_error', 'You have reached your specified API usage limits.'),
      'upstream_credential_rejected',
      false,
    ],
    [
      'a spend limit as a 429',
      429,
      envelope('rate_limit_error', 'limit', { error_code: 'enforced_spend_limit_reached' }),
      'upstream_credential_rejected',
      false,
    ],
    [
      'a rate limit that names the organisation',
      429,
      envelope(
        'rate_limit_error',
        'This would exceed the limit of your organization (4f1c1d2e-8a55-4a32-9a30-0123456789ab)',
      ),
      'upstream_rate_limited',
      false,
    ],
    [
      'a bad request that quotes a key',
      400,
      envelope('invalid_request_error', 'unexpected sk-ant-api03-abcdefgh'),
      'bad_request',
      false,
    ],
    ['an internal error', 500, envelope('api_error', 'Internal server error'), 'bad_gateway', false],
    ['a redirect', 302, '', 'bad_gateway', false],
    ['a page of a proxy', 502, '<html><body>nginx</body></html>', 'bad_gateway', false],
    ['a page of a proxy with the status of a bad request', 400, '<html>400</html>', 'bad_request', false],
    ['an address that does not exist', 404, '{"detail":"Not Found"}', 'bad_gateway', false],
    ['a method that is not allowed', 405, '{"detail":"Method Not Allowed"}', 'bad_gateway', false],
    ['a time-out', 504, envelope('timeout_error', 'slow'), 'upstream_timeout', false],
    [
      "OpenRouter's form",
      429,
      '{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"x"}},"user_id":"user_1"}',
      'upstream_rate_limited',
      false,
    ],
    [
      "OpenRouter's money",
      402,
      '{"error":{"message":"Insufficient credits","code":402}}',
      'upstream_credential_rejected',
      false,
    ],
    [
      "OpenAI's quota",
      429,
      '{"error":{"message":"quota","type":"insufficient_quota","code":"insufficient_quota"}}',
      'upstream_credential_rejected',
      false,
    ],
    [
      "vLLM's flat form",
      400,
      '{"object":"error","message":"bad","type":"BadRequestError","code":400}',
      'bad_request',
      false,
    ],
    ['a text as error', 500, '{"error":"boom"}', 'bad_gateway', false],
    ['nothing', 500, '', 'bad_gateway', false],
  ];

  for (const [what, status, body, code, relayable] of rows) {
    test(`${what} (${status}) is ${code}${relayable ? ' and may be relayed' : ''}`, () => {
      const error = readError(status, {}, Buffer.from(body));
      assert.equal(error.code, code);
      assert.equal(error.relayable, relayable);
      assert.equal(error.status, status);
      assert.ok(error.message.length > 0 && error.message.length <= 200);
    });
  }

  test('its message is found in every form', () => {
    for (const body of [
      envelope('x', 'boom'),
      '{"error":{"message":"boom"}}',
      '{"message":"boom"}',
      '{"error":"boom"}',
      '{"detail":"boom"}',
    ]) {
      assert.equal(readError(500, {}, Buffer.from(body)).message, 'boom');
    }
  });

  test('its message is short and contains nothing that looks like a key', () => {
    const secrets = ['sk-ant-api03-Zz9yyyyyyy', 'xai-abcdef123456', 'QWxhZGRpbjpvcGVuIHNlc2FtZTEyMzQ1Njc4'];
    const said = readError(
      400,
      {},
      Buffer.from(envelope('x', `Bearer abc123 ${secrets.join(' ')} ${'y '.repeat(300)}`)),
    );
    assert.ok(said.message.length <= 200);
    for (const secret of [...secrets, 'abc123']) assert.ok(!said.message.includes(secret), said.message);
  });

  test('its Retry-After is read as seconds or as a date against its own date', () => {
    const after = (headers: Record<string, string | string[]>) =>
      readError(429, headers, Buffer.alloc(0)).retryAfterSeconds;
    assert.equal(after({}), null);
    assert.equal(after({ 'retry-after': '17' }), 17);
    assert.equal(after({ 'retry-after': ['2.4', '9'] }), 3);
    assert.equal(after({ 'retry-after': '99999999' }), 86_400);
    assert.equal(after({ 'retry-after': 'soon' }), null);
    assert.equal(after({ 'retry-after': '-5' }), null);
    const date = 'Sat, 21 Nov 2026 08:00:00 GMT';
    assert.equal(after({ 'retry-after': 'Sat, 21 Nov 2026 08:00:30 GMT', date }), 30);
    assert.equal(after({ 'retry-after': 'Sat, 21 Nov 2026 08:00:30 GMT' }), null);
  });
});

describe('an error of the gateway', () => {
  const error = new GatewayError('insufficient_balance', {
    message: 'No "money".',
    facts: { limit: 3 },
    param: 'model',
  });

  test('is an Anthropic envelope with our code and its facts among the details', () => {
    assert.deepEqual(JSON.parse(writeError(error, 'req_1').toString()), {
      type: 'error',
      error: {
        type: 'billing_error',
        message: 'No "money".',
        details: {
          limit: 3,
          code: 'insufficient_balance',
          docs_url: '/docs/reference/errors#insufficient_balance',
          param: 'model',
        },
      },
      request_id: 'req_1',
    });
  });

  test('in a stream is one error event with the same envelope', () => {
    const [frame, ...rest] = framesOf(writeStreamError(error, 'req_1'));
    assert.equal(rest.length, 0);
    assert.equal(frame?.event, 'error');
    assert.deepEqual(JSON.parse(frame?.data?.toString() ?? ''), JSON.parse(writeError(error, 'req_1').toString()));
  });

  test('never contains the cause', () => {
    const hidden = new GatewayError('bad_gateway', { cause: new Error('10.1.2.3 refused sk-secret') });
    assert.ok(!writeError(hidden, 'req_1').includes('10.1.2.3'));
  });
});
