/**
 * Goal: a provider's refusal is understood, and the gateway's own errors are written correctly. Method: a table of vendors' refusals;
 * secrets planted in messages.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { safeMessage } from '../../kit/errors/safe-message.ts';
import { readError } from './read-error.ts';
import { writeError, writeStreamError } from './write-error.ts';

const RELAYED = true;
const KEPT = false;

test('each vendor’s refusal is understood', () => {
  const rows: readonly (readonly [string, number, unknown, string, boolean])[] = [
    [
      'OpenAI, a parameter',
      400,
      {
        error: {
          message: "Unsupported parameter: 'max_tokens'",
          type: 'invalid_request_error',
          param: 'max_tokens',
          code: 'unsupported_parameter',
        },
      },
      'bad_request',
      RELAYED,
    ],
    [
      'OpenAI, too long',
      400,
      {
        error: {
          message: 'maximum context length is 8192 tokens',
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
        },
      },
      'context_length_exceeded',
      RELAYED,
    ],
    [
      'OpenAI, no such model',
      404,
      { error: { message: 'The model `x` does not exist or you do not have access to it.', code: 'model_not_found' } },
      'model_not_found',
      KEPT,
    ],
    [
      'OpenAI, a bad key',
      401,
      { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } },
      'upstream_credential_rejected',
      KEPT,
    ],
    [
      'OpenAI, no money',
      429,
      { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } },
      'upstream_credential_rejected',
      KEPT,
    ],
    [
      'OpenAI, a rate',
      429,
      { error: { message: 'Rate limit reached', type: 'tokens', code: 'rate_limit_exceeded' } },
      'upstream_rate_limited',
      KEPT,
    ],
    [
      'OpenAI, overloaded',
      503,
      { error: { message: 'busy', code: 'server_is_overloaded' } },
      'upstream_overloaded',
      KEPT,
    ],
    ['OpenRouter, a bad field', 400, { error: { code: 400, message: 'x is not supported' } }, 'bad_request', RELAYED],
    [
      'OpenRouter, a bad field, with the id of the operator’s account',
      400,
      { error: { code: 400, message: 'x is not supported' }, user_id: 'user_1' },
      'bad_request',
      KEPT,
    ],
    [
      'Groq, a request of more tokens than a minute has, with the id of the operator’s organisation',
      413,
      { error: { message: 'Request too large for model `x` in organization `org_01jk2m3n4p` on tokens per minute' } },
      'request_too_large',
      KEPT,
    ],
    [
      'OpenRouter, moderated',
      403,
      { error: { code: 403, message: 'flagged', metadata: { reasons: ['violence'], flagged_input: '…' } } },
      'permission_denied',
      RELAYED,
    ],
    [
      'OpenRouter, no permission',
      403,
      { error: { code: 403, message: 'Key disabled' } },
      'upstream_credential_rejected',
      KEPT,
    ],
    [
      'OpenRouter, no endpoint for it',
      404,
      { error: { code: 404, message: 'No endpoints found that support image input' } },
      'not_found',
      RELAYED,
    ],
    [
      'OpenRouter, no money',
      402,
      { error: { code: 402, message: 'Insufficient credits' } },
      'upstream_credential_rejected',
      KEPT,
    ],
    ['vLLM', 400, { object: 'error', message: 'too long', type: 'BadRequestError', code: 400 }, 'bad_request', RELAYED],
    [
      'Mistral, a model',
      400,
      { object: 'error', message: 'Invalid model: x', type: 'invalid_model', code: '1500' },
      'model_not_found',
      KEPT,
    ],
    ['Mistral, a field', 422, { detail: [{ loc: ['body', 'n'], msg: 'must be positive' }] }, 'bad_request', RELAYED],
    [
      'Groq, a failed tool',
      400,
      { error: { message: 'Failed to call a function', code: 'tool_use_failed', failed_generation: '…' } },
      'bad_request',
      RELAYED,
    ],
    ['Groq, capacity', 498, {}, 'upstream_overloaded', KEPT],
    [
      'Google, a bad key',
      400,
      [
        {
          error: {
            code: 400,
            message: 'API key not valid. Please pass a valid API key.',
            status: 'INVALID_ARGUMENT',
            details: [{ reason: 'API_KEY_INVALID' }],
          },
        },
      ],
      'upstream_credential_rejected',
      KEPT,
    ],
    [
      'Google, a bad field',
      400,
      [{ error: { code: 400, message: 'Invalid value', status: 'INVALID_ARGUMENT' } }],
      'bad_request',
      RELAYED,
    ],
    [
      'xAI',
      400,
      { code: 'invalid-argument', error: 'Incorrect API key provided: xa***yz' },
      'upstream_credential_rejected',
      KEPT,
    ],
    [
      'a compatible side without money',
      400,
      { error: { message: 'Your credit balance is too low', type: 'invalid_request_error' } },
      'upstream_credential_rejected',
      KEPT,
    ],
    [
      'Azure, no deployment',
      404,
      { error: { code: 'DeploymentNotFound', message: 'The API deployment does not exist' } },
      'model_not_found',
      KEPT,
    ],
    ['Ollama', 400, { error: 'does not support tools' }, 'bad_request', RELAYED],
    ['a body too large', 413, { error: { message: 'Request too large' } }, 'request_too_large', RELAYED],
    ['a proxy, too large', 413, '<html>413</html>', 'request_too_large', KEPT],
    ['a wrong address', 404, '<html>nginx</html>', 'bad_gateway', KEPT],
    ['a wrong method', 405, { detail: 'Method Not Allowed' }, 'bad_gateway', KEPT],
    ['an empty 400', 400, '', 'bad_gateway', KEPT],
    ['a redirect', 302, '', 'bad_gateway', KEPT],
    ['Cloudflare’s time-out', 524, '<html>', 'upstream_timeout', KEPT],
    ['a broken server', 500, { error: { message: 'oops' } }, 'bad_gateway', KEPT],
  ];
  for (const [name, status, body, code, relayable] of rows) {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const refusal = readError(status, {}, bytes);
    assert.deepEqual([refusal.code, refusal.relayable, refusal.status], [code, relayable, status], name);
  }
});

test('the delay is read wherever it is', () => {
  const google = [{ error: { message: 'quota', details: [{ reason: 'X' }, { retryDelay: '34.4s' }] } }];
  const rows: readonly (readonly [Record<string, string | string[]>, unknown, number | null])[] = [
    [{}, {}, null],
    [{ 'retry-after': '12' }, {}, 12],
    [{ 'retry-after': ['3', '9'] }, {}, 3],
    [{ 'retry-after': '0.2' }, {}, 1],
    [{ 'retry-after': '-5' }, {}, 0],
    [{ 'retry-after': '999999999' }, {}, 86_400],
    [{ 'retry-after': 'soon' }, {}, null],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, {}, 2],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:30 GMT' }, {}, null],
    [{}, google, 35],
  ];
  for (const [headers, body, seconds] of rows) {
    assert.equal(readError(429, headers, Buffer.from(JSON.stringify(body))).retryAfterSeconds, seconds);
  }
  assert.equal(readError(401, { 'retry-after': '12' }, Buffer.from('{}')).retryAfterSeconds, null);
});

test('a message keeps its sense and loses what looks like a secret', () => {
  const secrets = [
    'sk-proj-Ab12Cd34Ef56Gh78',
    'sk-ant-api03-xxxxx_1-yyyy',
    'sk-ab***wxyz',
    'gsk_9f8e7d6c5b4a',
    'xai-0a1b2c3d4e5f',
    'AIzaSyD-1234567890abcdefghijklmno_pqrs',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'org-A1b2C3d4E5f6G7h8',
    '0123456789abcdef0123456789abcdef',
    'q7Rt2Yu8Io3Pa6Sd1Fg5',
  ];
  for (const secret of secrets) {
    const message = safeMessage(`Incorrect API key provided: ${secret}. See https://x.example/?key=${secret}`);
    assert.ok(!message.includes(secret), message);
    assert.ok(message.startsWith('Incorrect API key provided: [redacted]'), message);
  }
  assert.ok(!safeMessage('Authorization: Bearer abc.def').includes('abc.def'));
  const harmless = 'The model `meta-llama/llama-4-maverick-17b-128e-instruct-fp8` takes at most 1048576 tokens';
  assert.equal(safeMessage(harmless), harmless);
  assert.equal(safeMessage('one\r\nlevel=error forged\u0000\u202e'), 'one level=error forged');
  assert.equal(safeMessage('é '.repeat(5000)).length <= 200, true);
  assert.ok(safeMessage(`${'a'.repeat(199)}👋`).isWellFormed());
});

test('the message of OpenRouter’s provider is read if OpenRouter’s own is generic', () => {
  const quoted = (raw: unknown) =>
    readError(
      429,
      {},
      Buffer.from(JSON.stringify({ error: { message: 'Provider returned error', metadata: { raw } } })),
    );
  assert.equal(quoted('x/y is rate-limited. Add your own key.').quotable, 'x/y is rate-limited.');
  assert.equal(quoted('{"error":{"message":"Queue is full","code":429}}').quotable, 'Queue is full');
  assert.equal(quoted('[{"error":{"message":"Queue is full"}}]').quotable, 'Queue is full');
  for (const raw of ['<html>', '{"x":1}', '', 7, null]) assert.equal(quoted(raw).quotable, 'Provider returned error');
  const long = 'prompt is too long: 210000 tokens > 200000 maximum';
  const body = { error: { code: 400, message: 'Provider returned error', metadata: { raw: long } } };
  assert.equal(readError(400, {}, Buffer.from(JSON.stringify(body))).code, 'context_length_exceeded');
});

test('the message of a page is its text', () => {
  const page =
    '<html><head><style>b{}</style><title>502 Bad Gateway</title></head><body>\n<h1>nginx</h1></body></html>';
  assert.equal(readError(502, {}, Buffer.from(page)).message, '502 Bad Gateway nginx');
});

test('an error of the gateway has the shape OpenAI’s and OpenRouter’s clients read', () => {
  const error = new GatewayError('model_not_found', {
    param: 'model',
    facts: { nearest: ['a/b'], error_type: 'forged' },
  });
  const body = JSON.parse(writeError(error, 'req_1').toString());
  assert.deepEqual(body, {
    error: {
      message: error.message,
      type: 'not_found_error',
      param: 'model',
      code: 'model_not_found',
      status: 404,
      metadata: {
        nearest: ['a/b'],
        error_type: 'model_not_found',
        request_id: 'req_1',
        docs_url: body.error.metadata.docs_url,
      },
    },
  });
  assert.match(body.error.metadata.docs_url, /#model_not_found$/);
});

test('an error in a stream is a chunk whose choice ended with it, then the error alone, both with the status as code', () => {
  const bytes = writeStreamError(new GatewayError('upstream_timeout'), 'req_1');
  const [chunk, alone, ...more] = new SseSplitter().push(bytes).map(({ data }) => JSON.parse(String(data)));
  assert.deepEqual(more, []);
  assert.deepEqual(chunk.choices, [{ index: 0, delta: {}, finish_reason: 'error' }]);
  assert.deepEqual(alone, { error: chunk.error });
  assert.deepEqual(
    [chunk.error.code, chunk.error.type, chunk.error.metadata.error_type],
    [504, 'timeout_error', 'upstream_timeout'],
  );
});
