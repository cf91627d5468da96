/** Goal: each change of health of a provider or model is reported once, in bounded memory. Method: a clock that the test moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import type { FailureReason } from './call-health.ts';
import { WINDOW_MS } from './outcome-window.ts';
import { type HealthChange, ProviderHealth } from './provider-health.ts';

const REFUSED: FailureReason = {
  code: 'upstream_credential_rejected',
  status: 401,
  connectionError: null,
  neverAsked: false,
};
const LIMIT: FailureReason = { code: 'upstream_rate_limited', status: 429, connectionError: null, neverAsked: false };
const MISSING: FailureReason = { code: 'model_not_found', status: 404, connectionError: null, neverAsked: false };
const BROKEN: FailureReason = { code: 'bad_gateway', status: 500, connectionError: null, neverAsked: false };
const AWAY: FailureReason = {
  code: 'upstream_unreachable',
  status: null,
  connectionError: 'ECONNREFUSED',
  neverAsked: true,
};
const ACME = { name: 'acme' };
const LARGE = 'acme/large';
const SMALL = 'acme/small';

function open() {
  const clock = new ManualClock();
  const changes: HealthChange[] = [];
  const health = new ProviderHealth(clock, (change) => changes.push(change));
  health.watch([ACME]);
  /** In order, each as `model: before → state`. */
  const reported = () =>
    changes.splice(0).map(({ provider, model, before, state }) => `${model ?? provider}: ${before} → ${state}`);
  const fail = (model: string, times: number) => {
    for (let time = 0; time < times; time += 1) health.failed(ACME, model, REFUSED);
  };
  const stateOf = (model?: string) => (model === undefined ? health.of(ACME) : health.ofModel(ACME, model))?.state;
  return { clock, health, reported, fail, stateOf, changes };
}

test('a provider that rejects every call is failing, then dead, and each change is reported once', () => {
  const { health, reported, fail, stateOf, changes } = open();
  fail(LARGE, 1);
  assert.equal(stateOf(), 'unknown');
  fail(LARGE, 1);
  assert.deepEqual(changes.at(-1)?.reason, REFUSED);
  assert.deepEqual(reported(), ['acme: unknown → failing']);
  fail(LARGE, 98);
  assert.deepEqual(reported(), ['acme: failing → dead']);
  const figures = health.of(ACME);
  assert.deepEqual(figures?.recent, { good: 0, failed: 100, limited: 0 });
  assert.deepEqual([figures?.failedInARow, figures?.lastGoodAt, figures?.firstByteP50Ms], [100, null, null]);
});

test('a dead provider stays dead while nobody calls it, and recovers through calls', () => {
  const { clock, health, reported, fail, stateOf } = open();
  fail(LARGE, 5);
  clock.advance(10 * WINDOW_MS);
  assert.equal(stateOf(), 'dead');
  reported();
  health.good(ACME, LARGE, 12);
  assert.deepEqual(reported(), ['acme: dead → good']);
  assert.equal(stateOf(LARGE), 'good');
  assert.equal(health.of(ACME)?.firstByteP50Ms, 12);
});

test('a successful connection test does not end failures of calls that were sent', () => {
  for (const reason of [REFUSED, BROKEN]) {
    const { health, reported, stateOf } = open();
    health.good(ACME, LARGE, 5);
    for (let time = 0; time < 5; time += 1) health.failed(ACME, LARGE, reason);
    reported();
    health.reached(ACME);
    assert.deepEqual([reported(), stateOf(), stateOf(LARGE)], [[], 'dead', 'dead']);
    assert.equal(health.of(ACME)?.failedInARow, 5);
  }
});

test('a successful connection test ends failures that were all failures to connect; the state is then unknown', () => {
  const { health, reported, fail, stateOf } = open();
  health.good(ACME, LARGE, 5);
  for (let time = 0; time < 5; time += 1) health.failed(ACME, LARGE, AWAY);
  reported();
  health.reached(ACME);
  assert.deepEqual(reported(), ['acme: dead → unknown']);
  assert.deepEqual([stateOf(), stateOf(LARGE)], ['unknown', 'unknown']);
  assert.deepEqual(health.of(ACME)?.lastFailure?.reason, AWAY, 'the last failure is still shown');
  fail(LARGE, 3);
  assert.deepEqual(reported(), ['acme: unknown → failing']);
});

test('a single failure of another kind outweighs a successful connection test, until it is old', () => {
  const { clock, health, stateOf } = open();
  health.failed(ACME, LARGE, BROKEN);
  health.good(ACME, LARGE, 5);
  for (let time = 0; time < 5; time += 1) health.failed(ACME, LARGE, AWAY);
  health.reached(ACME);
  assert.equal(stateOf(), 'dead', 'it is one of those that count');
  clock.advance(WINDOW_MS);
  health.reached(ACME);
  assert.equal(stateOf(), 'unknown');
  health.failed(ACME, LARGE, BROKEN);
  health.failed(ACME, LARGE, AWAY);
  clock.advance(2 * WINDOW_MS);
  health.reached(ACME);
  assert.equal(stateOf(), 'failing', 'it is one of the last in a row');
});

test('a connection test does not end a rate limit', () => {
  const { health, stateOf } = open();
  for (let time = 0; time < 5; time += 1) health.limited(ACME, LARGE, LIMIT);
  health.reached(ACME);
  assert.equal(stateOf(), 'limited');
});

test('the last failure reported is one of those that cause the state', () => {
  const { clock, health, changes } = open();
  for (let time = 0; time < 5; time += 1) health.failed(ACME, LARGE, REFUSED);
  clock.advance(1);
  health.limited(ACME, LARGE, LIMIT);
  assert.deepEqual(health.of(ACME)?.lastFailure?.reason, REFUSED);
  for (let time = 0; time < 200; time += 1) health.good(ACME, LARGE, 5);
  assert.deepEqual(health.of(ACME)?.lastFailure?.reason, LIMIT);
  for (let time = 0; time < 60; time += 1) health.limited(ACME, LARGE, LIMIT);
  health.failed(ACME, LARGE, REFUSED);
  assert.deepEqual([health.of(ACME)?.state, health.of(ACME)?.lastFailure?.reason], ['limited', LIMIT]);
  assert.deepEqual(changes.at(-1)?.reason, LIMIT);
});

test('a model that fails at a good provider is reported separately, and again when it recovers', () => {
  const { clock, health, reported, fail, stateOf } = open();
  for (let time = 0; time < 100; time += 1) health.good(ACME, SMALL, 5);
  fail(LARGE, 2);
  assert.deepEqual(reported(), ['acme/large: unknown → failing']);
  for (let time = 0; time < 5; time += 1) health.modelFailed(ACME, LARGE, MISSING);
  assert.deepEqual(reported(), ['acme/large: failing → dead']);
  assert.equal(stateOf(), 'good', 'a missing model does not count against the provider');
  clock.advance(2 * WINDOW_MS);
  health.good(ACME, LARGE, 5);
  assert.deepEqual(reported(), ['acme/large: dead → good']);
});

test('a model that still fails when its provider has recovered is reported then', () => {
  const { clock, health, reported, fail } = open();
  fail(LARGE, 5);
  assert.deepEqual(reported(), ['acme: unknown → failing', 'acme: failing → dead']);
  clock.advance(2 * WINDOW_MS);
  for (let time = 0; time < 20; time += 1) health.good(ACME, SMALL, 5);
  assert.deepEqual(reported(), ['acme: dead → good']);
  fail(LARGE, 1);
  assert.deepEqual(reported(), ['acme/large: unknown → dead']);
});

test('a rate limit is not a failure, and passes with time', () => {
  const { clock, health, reported, stateOf } = open();
  for (let time = 0; time < 50; time += 1) health.limited(ACME, LARGE, LIMIT);
  assert.deepEqual(reported(), ['acme: unknown → limited']);
  assert.deepEqual(health.of(ACME)?.recent, { good: 0, failed: 0, limited: 50 });
  clock.advance(2 * WINDOW_MS);
  assert.equal(stateOf(), 'unknown');
  health.good(ACME, LARGE, 5);
  assert.deepEqual(reported(), ['acme: limited → good']);
});

test('outcomes under earlier settings are ignored, and what was known of them is forgotten', () => {
  const { health, fail, stateOf, reported } = open();
  fail(LARGE, 5);
  reported();
  const changed = { name: 'acme' };
  health.watch([changed]);
  fail(LARGE, 1);
  health.good(ACME, LARGE, 1);
  health.limited(ACME, LARGE, LIMIT);
  health.modelFailed(ACME, LARGE, MISSING);
  health.reached(ACME);
  assert.equal(stateOf(), undefined);
  assert.equal(health.of(changed)?.state, 'unknown');
  assert.deepEqual([health.modelsOf(changed), health.modelsOf(ACME), reported()], [[], [], []]);
});

test('other providers keep their health when one is added', () => {
  const { health, fail, stateOf } = open();
  fail(LARGE, 5);
  health.watch([ACME, { name: 'other' }]);
  assert.equal(stateOf(), 'dead');
  assert.deepEqual(
    health.modelsOf(ACME).map(({ model, figures }) => [model, figures.state]),
    [[LARGE, 'dead']],
  );
});

test('times are converted to wall time, even after the clock was set', () => {
  const { clock, health, fail } = open();
  clock.advance(60_000);
  fail(LARGE, 1);
  clock.stepWall(3_600_000);
  clock.advance(1_000);
  assert.equal(health.wallTime(health.of(ACME)?.lastFailure?.at ?? 0), clock.now() - 1_000);
});
