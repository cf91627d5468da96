/**
 * Goal: an attempt says of its provider what it shows, to operators and for choosing, and nothing if the caller left, the request was at
 * fault, or a slow caller made it long. Method: one ended attempt each; what it reports.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { NO_USAGE } from '../../core/usage.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { Call } from '../call.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import { noteHealth } from './note-health.ts';

/** What operators see, and what choosing knows: each with the arguments that matter. */
/** `isRequests`: whether a refused credential says something of the request only. */
function notedOf(
  ended: Partial<Call>,
  failed: Partial<FailedAttempt> | null = null,
  own = false,
  isRequests = false,
): string[] {
  const noted: string[] = [];
  const shown = (what: string) => () => void noted.push(what);
  const known =
    (what: string) =>
    (_at: object, ...said: unknown[]) =>
      void noted.push([what, ...said].join(' '));
  const health = {
    good: shown('good'),
    streamed: (_provider: object, _model: string, firstTokenMs: number, speed: number) =>
      void noted.push(`first token ${firstTokenMs} ms, ${speed} tokens/s`),
    failed: shown('failed'),
    limited: shown('limited'),
    modelFailed: shown('model failed'),
  };
  const breakers = {
    good: known('may: good'),
    failed: known('may: failed'),
    limited: known('may: limited'),
    rejected(_at: object, ...said: unknown[]) {
      noted.push(['may: rejected', ...said].join(' '));
      return !isRequests;
    },
    showedNothing: known('may: nothing'),
  };
  const call = {
    providers: new Map([['lab', {}]]),
    key: { accountId: 7 },
    attempts: [{ status: 200 }],
    answerFault: null,
    refusalCode: null,
    outlasted: false,
    connectionError: null,
    sent: true,
    askedAt: 1_000,
    firstTokenAt: 0,
    settlement: null,
    ...ended,
  };
  const candidate = {
    model: { id: 'lab/m' },
    target: { provider: 'lab' },
    own: own ? { service: {} } : null,
  } as unknown as Candidate;
  noteHealth(
    { health, breakers, noteOwn: (_own: object, standing: string) => void noted.push(`owner: ${standing}`) } as never,
    call as never,
    { candidate, credential: 0, reason: 'first', onNewConnection: false },
    failed as FailedAttempt | null,
  );
  return noted;
}

function refused(code: GatewayError['code'], status: number, retryAfterSeconds: number | null = null): string[] {
  const error = new GatewayError(code, retryAfterSeconds === null ? {} : { retryAfterSeconds });
  return notedOf({ attempts: [{ status }] as never, refusalCode: code }, { error });
}

test('a provider that falls silent has failed; one whose call was ended for its duration has not', () => {
  assert.deepEqual(notedOf({ ending: 'upstream_timeout' }), ['may: failed 7  false', 'failed']);
  assert.deepEqual(notedOf({ ending: 'upstream_timeout', outlasted: true }), ['may: nothing']);
  assert.deepEqual(notedOf({ ending: 'complete' }), ['may: good 7', 'good']);
});

test('a caller that leaves shows nothing', () => {
  for (const ending of ['caller_left', 'caller_slow', 'drained', 'gateway_failed'] as const)
    assert.deepEqual(notedOf({ ending: ending as Call['ending'] }), ['may: nothing'], ending);
});

test('a request that was refused for itself shows nothing, a model that is missing only itself', () => {
  for (const [code, status] of [
    ['bad_request', 400],
    ['context_length_exceeded', 400],
    ['permission_denied', 403],
    ['request_too_large', 413],
  ] as const)
    assert.deepEqual(refused(code, status), ['may: nothing'], code);
  assert.deepEqual(refused('model_not_found', 404), ['may: nothing', 'model failed']);
});

test('a limit is no failure, and its Retry-After is heard; so is that of an overload', () => {
  assert.deepEqual(refused('upstream_rate_limited', 429, 7), ['may: limited 7000', 'limited']);
  assert.deepEqual(refused('upstream_rate_limited', 429), ['may: limited ', 'limited']);
  assert.deepEqual(refused('upstream_overloaded', 503, 30), ['may: failed 7 30000 false', 'failed']);
  assert.deepEqual(notedOf({ ending: 'upstream_failed', answerFault: 'upstream_rate_limited' }), [
    'may: limited ',
    'limited',
  ]);
});

test('a refused credential is not reported as a failure of the provider', () => {
  for (const status of [401, 402, 403])
    assert.deepEqual(refused('upstream_credential_rejected', status), [`may: rejected ${status} 7`, 'failed']);
});

test('a refusal that says nothing of the credential is not shown as a failure', () => {
  const error = new GatewayError('upstream_credential_rejected');
  const ended = { attempts: [{ status: 403 }] as never, refusalCode: error.code };
  assert.deepEqual(notedOf(ended, { error }, false, true), ['may: rejected 403 7']);
});

test('a connection that was never made is nobody’s request’s doing', () => {
  const error = new GatewayError('upstream_unreachable');
  assert.deepEqual(notedOf({ sent: false, connectionError: 'ECONNREFUSED' }, { error }), [
    'may: failed   false',
    'failed',
  ]);
  assert.deepEqual(notedOf({ sent: true, connectionError: 'ECONNRESET' }, { error }), [
    'may: failed 7  false',
    'failed',
  ]);
});

test('what a caller’s own credential shows is not the operator’s health', () => {
  assert.deepEqual(notedOf({ ending: 'complete' }, null, true), ['may: good 7', 'owner: good']);
  const error = new GatewayError('upstream_credential_rejected');
  const ended = { attempts: [{ status: 401 }] as never, refusalCode: error.code };
  assert.deepEqual(notedOf(ended, { error }, true), ['owner: rejected', 'may: rejected 401 7']);
});

test('a stream shows the time to its first token, and its tokens per second', () => {
  const ended = (outputTokens: number, reasoningTokens: number) => ({
    ending: 'complete' as const,
    askedAt: 1_000,
    firstByteAt: 1_100,
    firstTokenAt: 1_500,
    lastTokenAt: 3_500,
    settlement: { usage: { ...NO_USAGE, outputTokens, reasoningTokens } } as never,
  });
  assert.deepEqual(notedOf(ended(100, 0)), ['may: good 7', 'good', 'first token 500 ms, 50 tokens/s']);
  assert.deepEqual(notedOf(ended(100, 60)), ['may: good 7', 'good', 'first token 500 ms, 40 tokens/s']);
  assert.deepEqual(notedOf(ended(1, 0)), ['may: good 7', 'good']);
});
