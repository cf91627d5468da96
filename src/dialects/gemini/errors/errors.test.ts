/** Goal: the caller learns what concerns its request, and nothing about the operator. Method: Google's refusals, one by one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readError } from './read-error.ts';

const info = (reason: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason });
const status = (code: number, word: string, message: string, ...details: object[]) => ({
  error: { code, message, status: word, ...(details.length > 0 && { details }) },
});
const OVERFLOW = 'The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).';

const ROWS: readonly (readonly [object, string, boolean])[] = [
  [status(400, 'INVALID_ARGUMENT', OVERFLOW), 'context_length_exceeded', true],
  [status(400, 'INVALID_ARGUMENT', 'Please use a valid role: user, model.'), 'bad_request', true],
  [
    status(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', info('API_KEY_INVALID')),
    'upstream_credential_rejected',
    false,
  ],
  [
    status(400, 'INVALID_ARGUMENT', 'API Key expired. Please renew the API key.'),
    'upstream_credential_rejected',
    false,
  ],
  [
    status(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
    'upstream_credential_rejected',
    false,
  ],
  [status(400, 'FAILED_PRECONDITION', 'Please enable billing on your project.'), 'upstream_credential_rejected', false],
  [
    status(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
    'upstream_credential_rejected',
    false,
  ],
  [
    status(403, 'PERMISSION_DENIED', 'Generative Language API has not been used', info('SERVICE_DISABLED')),
    'upstream_credential_rejected',
    false,
  ],
  [status(404, 'NOT_FOUND', 'models/x is not found for API version v1beta'), 'model_not_found', false],
  [status(404, 'NOT_FOUND', 'File files/x not found'), 'not_found', true],
  [status(400, 'INVALID_ARGUMENT', 'No access to projects/481516 here'), 'bad_request', false],
  [status(413, 'INVALID_ARGUMENT', 'Request payload size exceeds the limit'), 'request_too_large', true],
  [status(500, 'INTERNAL', 'An internal error has occurred.'), 'bad_gateway', false],
  [status(503, 'UNAVAILABLE', 'The model is overloaded.'), 'upstream_overloaded', false],
  [status(504, 'DEADLINE_EXCEEDED', 'The request timed out.'), 'upstream_timeout', false],
];

test('each refusal has its code, alone or as the only item of an array', () => {
  for (const [body, code, relayable] of ROWS)
    for (const sent of [body, [body]]) {
      const { error } = body as { error: { code: number } };
      const read = readError(error.code, {}, Buffer.from(JSON.stringify(sent)));
      assert.deepEqual([read.code, read.relayable], [code, relayable], JSON.stringify(sent));
    }
});

test('a delay in the body counts if no header says one', () => {
  const body = Buffer.from(JSON.stringify(status(429, 'RESOURCE_EXHAUSTED', 'Slow down', { retryDelay: '34.4s' })));
  const secondsOf = (headers: Record<string, string>) => readError(429, headers, body).retryAfterSeconds;
  assert.deepEqual([secondsOf({}), secondsOf({ 'retry-after': '7' })], [35, 7]);
  const odd = Buffer.from(JSON.stringify(status(429, 'RESOURCE_EXHAUSTED', 'Slow down', { retryDelay: '-1s' })));
  assert.equal(readError(429, {}, odd).retryAfterSeconds, null);
});
