/** Goal: assumed limits are marked as assumed. Method: targets with and without known limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Target } from '../catalog/model.ts';
import { FREE, readKnownPrices } from '../catalog/prices.ts';
import { limitsInEffect } from './limits-in-effect.ts';

const PAID = readKnownPrices({ input: 1, output: 5 });

function target(changes: Partial<Target>): Target {
  return {
    provider: 'lab',
    upstreamModel: 'm',
    dialects: ['openai-chat'],
    contextWindow: null,
    outputCap: null,
    prices: PAID,
    priceVersion: null,
    ...changes,
  };
}

test('an unknown model has an assumed window, and an assumed cap if answers cost something', () => {
  const assumed = { contextWindow: 200_000, isWindowAssumed: true };
  assert.deepEqual(limitsInEffect(target({})), { ...assumed, outputCap: 8192, isCapAssumed: true });
  assert.deepEqual(limitsInEffect(target({ prices: FREE })), { ...assumed, outputCap: null, isCapAssumed: false });
});

test('known limits are not assumed', () => {
  assert.deepEqual(limitsInEffect(target({ contextWindow: 32_000, outputCap: 4_000 })), {
    contextWindow: 32_000,
    isWindowAssumed: false,
    outputCap: 4_000,
    isCapAssumed: false,
  });
});
