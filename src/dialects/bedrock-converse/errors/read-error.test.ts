/**
 * Goal: each refusal of Bedrock's becomes the right code, and nothing about the operator's account reaches a caller. Method: refusals by
 * status, by the name in the header and by the name in the body, and the same names inside a stream.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeException } from '../../../../test/support/event-stream.ts';
import type { ErrorCode } from '../../../core/errors.ts';
import { EventStreamSplitter } from '../../../wire/frames/event-stream-splitter.ts';
import { readError } from './read-error.ts';
import { readEventError } from './read-event-error.ts';

const AT = ':http://internal.amazon.com/coral/com.amazon.bedrock/';

const refusals: readonly (readonly [status: number, exception: string, message: string, code: ErrorCode])[] = [
  [400, 'ValidationException', 'messages.0.content is empty.', 'bad_request'],
  [400, 'ValidationException', 'Input is too long for requested model.', 'context_length_exceeded'],
  [400, 'ValidationException', 'prompt is too long: 210000 tokens > 200000 maximum', 'context_length_exceeded'],
  [400, 'ValidationException', 'The provided model identifier is invalid.', 'model_not_found'],
  [
    400,
    'ValidationException',
    'Invocation of model ID m with on-demand throughput isn’t supported.',
    'model_not_found',
  ],
  [400, 'ServiceQuotaExceededException', 'Your request exceeds the service quota.', 'upstream_rate_limited'],
  [400, 'UnrecognizedClientException', 'The security token is invalid.', 'upstream_credential_rejected'],
  [400, 'ExpiredTokenException', 'The security token is expired.', 'upstream_credential_rejected'],
  [400, 'IncompleteSignatureException', 'No Credential.', 'upstream_credential_rejected'],
  [403, 'AccessDeniedException', 'No access.', 'upstream_credential_rejected'],
  [403, '', 'Authentication failed.', 'upstream_credential_rejected'],
  [404, 'ResourceNotFoundException', 'The model has reached the end of its life.', 'model_not_found'],
  [404, '', '', 'bad_gateway'],
  [408, 'ModelTimeoutException', 'It took too long.', 'upstream_timeout'],
  [424, 'ModelErrorException', 'The model failed.', 'bad_gateway'],
  [429, 'ThrottlingException', 'Too many tokens.', 'upstream_rate_limited'],
  [429, 'ModelNotReadyException', 'The model is not ready.', 'upstream_overloaded'],
  [500, 'InternalServerException', 'Sorry.', 'bad_gateway'],
  [503, 'ServiceUnavailableException', 'Busy.', 'upstream_overloaded'],
];

for (const [status, exception, message, code] of refusals)
  test(`${status} ${exception} "${message}" is ${code}, wherever its name stands`, () => {
    const body = (more: object) => Buffer.from(JSON.stringify({ message, ...more }));
    const header = exception === '' ? {} : { 'x-amzn-errortype': exception + AT };
    assert.equal(readError(status, header, body({})).code, code);
    if (exception === '') return;
    assert.equal(readError(status, {}, body({ __type: `com.amazon.coral.service#${exception}` })).code, code);
    // Without the words, which may quote a caller.
    const { sureCode } = readError(status, header, body({}));
    assert.equal(sureCode, readError(status, header, Buffer.from('{}')).code);
  });

test('a caller reads what is wrong with its request, and not whose account it is', () => {
  const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcdefghijkl';
  const said = (message: string) =>
    readError(400, { 'x-amzn-errortype': 'ValidationException' }, Buffer.from(JSON.stringify({ message })));
  assert.equal(said('tools.0 is invalid').relayable, true);
  const named = said(`tools.0 is invalid for ${arn}`);
  assert.deepEqual([named.relayable, named.namesOperator], [false, true]);
  assert.ok(!named.message.includes('123456789012'), named.message);
  const denied = readError(
    403,
    { 'x-amzn-errortype': 'AccessDeniedException' },
    Buffer.from(JSON.stringify({ Message: `User: arn:aws:iam::123456789012:user/bob is not authorized on ${arn}` })),
  );
  assert.deepEqual([denied.relayable, denied.quotable.includes('bob')], [false, false]);
  assert.ok(!denied.message.includes('123456789012'), denied.message);
});

test('an exception inside a stream is read like the refusal of its name', () => {
  const coded = (name: string, message: string) => {
    const [frame] = new EventStreamSplitter().push(encodeException(name, message));
    assert.ok(frame !== undefined);
    return readEventError(frame)?.error;
  };
  for (const [name, message, code] of [
    ['validationException', 'Input is too long for requested model.', 'context_length_exceeded'],
    ['throttlingException', 'Slow down.', 'upstream_rate_limited'],
    ['serviceUnavailableException', 'Busy.', 'upstream_overloaded'],
    ['modelStreamErrorException', 'The model failed.', 'bad_gateway'],
    ['modelTimeoutException', 'Too long.', 'upstream_timeout'],
    ['internalServerException', 'Sorry.', 'bad_gateway'],
    ['newException', 'Odd.', 'bad_gateway'],
  ] as const)
    assert.equal(coded(name, message)?.code, code, name);
  const [damaged] = new EventStreamSplitter().push(Buffer.from('<html>Bad gateway</html>'));
  assert.ok(damaged !== undefined);
  assert.equal(readEventError(damaged)?.error.message, 'The provider sent a damaged event stream.');
});
