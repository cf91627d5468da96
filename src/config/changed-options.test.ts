/** Goal: what differs between two configurations is found, secrets included, and shared out by whether it needs a restart. Method: configurations by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedOptions, isSame, withLiveOptions } from './changed-options.ts';
import type { Config, ConfigRequest } from './config.ts';
import { loadConfig } from './load-config.ts';

function configOf(environment: ConfigRequest['environment']): Config {
  return loadConfig({ flags: {}, environment, cwd: '/nowhere' }).config;
}

test('nothing differs between two readings of the same', () => {
  const environment = { OPENAI_API_KEY: 'sk-1', TURNPIKE_METRICS_TOKEN: 'secret', SMTP_URL: 'smtp://u:p@mail:25' };
  assert.deepEqual(changedOptions(configOf(environment), configOf(environment)), { live: [], needRestart: [] });
});

test('each option that differs is named once, by whether it takes effect', () => {
  const before = configOf({ OPENAI_API_KEY: 'sk-1' });
  const after = configOf({
    OPENAI_API_KEY: 'sk-2',
    PORT: '9000',
    TURNPIKE_LIMITS_IN_FLIGHT_MAX: '5',
    TURNPIKE_LIMITS_MEMORY_BYTES: '2000000',
    TURNPIKE_METRICS_TOKEN: 'secret',
    TURNPIKE_TIMEOUTS_IDLE_MS: '7000',
  });
  assert.deepEqual(changedOptions(before, after), {
    live: ['limits.inFlightMax', 'timeouts.idleMs', 'providers'],
    needRestart: ['port', 'limits.memoryBytes', 'metrics.token'],
  });
  const live = withLiveOptions(before, after);
  assert.equal(live.port, before.port);
  assert.equal(live.limits.inFlightMax, 5);
  assert.equal(live.limits.memoryBytes, null);
  assert.equal(live.timeouts.idleMs, 7000);
  assert.deepEqual(changedOptions(live, after).live, []);
});

test('markups and the fee take effect, the mode of billing does not', () => {
  const before = configOf({ TURNPIKE_BILLING_MARKUP: '10' });
  const after = configOf({
    TURNPIKE_BILLING_MODE: 'off',
    TURNPIKE_BILLING_MARKUP: '20',
    TURNPIKE_BILLING_OWN_CREDENTIAL_FEE: '5',
  });
  assert.deepEqual(changedOptions(before, after), {
    live: ['billing.markup', 'billing.ownCredentialFee'],
    needRestart: ['billing.mode'],
  });
  assert.deepEqual(withLiveOptions(before, after).billing, { ...after.billing, mode: 'prepaid' });
});

test('lists differ by their values and their order', () => {
  assert.ok(isSame([{ a: 1, b: [2] }], [{ a: 1, b: [2] }]));
  assert.ok(!isSame([1, 2], [2, 1]));
  assert.ok(!isSame([1], [1, 2]));
  assert.ok(!isSame({}, []));
  assert.ok(!isSame({ a: undefined }, { a: null }));
});
