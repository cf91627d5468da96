/** Goal: faults within a settlement are reported, and valid settlements of every kind pass. Method: figures by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceVersionId } from '../core/ids.ts';
import { nanoUsd, picoUsd } from '../core/money.ts';
import { feeRate, LIST_RATE, markupRate, NO_CHARGE } from '../core/rates/rate.ts';
import { NO_USAGE } from '../core/usage.ts';
import { faultsOf } from './ledger-rules.ts';
import type { SettledFigures } from './maintenance-ports.ts';
import type { Prices } from './ports.ts';

const PRICES: Prices = {
  input: picoUsd(1_000_000n),
  output: picoUsd(5_000_000n),
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  inputAudio: null,
  outputAudio: null,
  cacheReadAudio: null,
  inputImage: null,
  outputImage: null,
  reasoning: null,
  image: null,
  request: picoUsd(1n),
  webSearch: null,
  fileSearch: null,
  codeInterpreter: null,
  units: [],
  tiers: [],
};

/** 10 input and 2 output tokens: 20,000 nano-USD, plus 1 pico-USD for the request, rounded up. */
function figures(changes: Partial<SettledFigures> = {}): SettledFigures {
  return {
    usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 2 },
    usageSource: 'reported',
    priceVersion: priceVersionId(1),
    rate: LIST_RATE,
    ownCredential: false,
    cost: nanoUsd(20_001n),
    hold: nanoUsd(30_000n),
    charge: nanoUsd(20_001n),
    fault: nanoUsd(0n),
    variance: nanoUsd(0n),
    nodeLoss: nanoUsd(0n),
    saved: nanoUsd(0n),
    ending: 'complete',
    ...changes,
  };
}

const none = { charge: nanoUsd(0n), fault: nanoUsd(0n), variance: nanoUsd(0n), nodeLoss: nanoUsd(0n) };

test('valid settlements have no faults', () => {
  const right: [string, SettledFigures, Prices | null][] = [
    ['charged', figures(), PRICES],
    ['above the hold', figures({ hold: nanoUsd(20_000n), charge: nanoUsd(20_000n), variance: nanoUsd(1n) }), PRICES],
    ['a provider that failed', figures({ ...none, fault: nanoUsd(20_001n), ending: 'upstream_failed' }), PRICES],
    ['without a price', figures({ ...none, priceVersion: null, cost: null }), null],
    ['nothing consumed', figures({ ...none, usage: NO_USAGE, usageSource: 'none', cost: nanoUsd(0n) }), PRICES],
    ['billing off', figures({ hold: null }), PRICES],
    ['settled too late', figures({ charge: nanoUsd(20_000n), nodeLoss: nanoUsd(1n) }), PRICES],
    [
      'settled too late, above the hold',
      figures({ hold: nanoUsd(20_000n), charge: nanoUsd(0n), variance: nanoUsd(1n), nodeLoss: nanoUsd(20_000n) }),
      PRICES,
    ],
    [
      'an own credential with a fee, settled too late',
      figures({ rate: feeRate(5), ownCredential: true, charge: nanoUsd(1_000n), nodeLoss: nanoUsd(1n) }),
      PRICES,
    ],
    ['from before balances were kept', figures({ ...none, hold: null, ending: 'upstream_failed' }), PRICES],
    ['with a markup', figures({ rate: markupRate(10), charge: nanoUsd(22_002n) }), PRICES],
    [
      'with a markup, above the hold',
      figures({ rate: markupRate(10), hold: nanoUsd(22_000n), charge: nanoUsd(22_000n), variance: nanoUsd(2n) }),
      PRICES,
    ],
    [
      'with a markup, of a provider that failed',
      figures({ ...none, rate: markupRate(10), fault: nanoUsd(20_001n), ending: 'upstream_failed' }),
      PRICES,
    ],
    ['after an attempt that failed', figures({ fault: nanoUsd(7n) }), PRICES],
    [
      'after one that failed, of a provider that failed',
      figures({ ...none, fault: nanoUsd(20_008n), ending: 'upstream_failed' }),
      PRICES,
    ],
    [
      'after one that failed, without a price',
      figures({ ...none, priceVersion: null, cost: null, fault: nanoUsd(7n) }),
      null,
    ],
    ['an own credential', figures({ ...none, rate: NO_CHARGE, ownCredential: true, hold: nanoUsd(0n) }), PRICES],
    [
      'an own credential with a fee',
      figures({ rate: feeRate(5), ownCredential: true, charge: nanoUsd(1_001n) }),
      PRICES,
    ],
    ['an own credential that failed', figures({ ...none, ownCredential: true, ending: 'upstream_failed' }), PRICES],
    [
      'an own credential, above the hold',
      figures({ ownCredential: true, hold: nanoUsd(20_000n), charge: nanoUsd(20_000n) }),
      PRICES,
    ],
    [
      "an own credential, after an attempt of the operator's that failed",
      figures({ ownCredential: true, fault: nanoUsd(7n) }),
      PRICES,
    ],
    [
      "an own credential that failed, after an attempt of the operator's",
      figures({ ...none, ownCredential: true, fault: nanoUsd(7n), ending: 'upstream_failed' }),
      PRICES,
    ],
  ];
  for (const [what, row, prices] of right) assert.deepEqual(faultsOf(row, prices), [], what);
});

test('each fault is reported', () => {
  const wrong: [SettledFigures, Prices | null, RegExp][] = [
    [figures({ cost: nanoUsd(20_000n), charge: nanoUsd(20_000n) }), PRICES, /tokens and prices give 0\.000020001/],
    [figures({ hold: nanoUsd(20_000n) }), PRICES, /above the hold 0\.00002/],
    [
      figures({ charge: nanoUsd(20_000n) }),
      PRICES,
      /shares add up to 0\.00002, and the cost at the rate is 0\.000020001/,
    ],
    [figures({ ending: 'refused_upstream' }), PRICES, /the ending refused_upstream costs nothing/],
    [figures({ charge: nanoUsd(-1n), fault: nanoUsd(20_002n) }), PRICES, /is negative/],
    [figures({ charge: nanoUsd(20_002n), variance: nanoUsd(-1n) }), PRICES, /the operator bears is negative/],
    [figures({ charge: nanoUsd(20_002n), nodeLoss: nanoUsd(-1n) }), PRICES, /the operator bears is negative/],
    [figures({ nodeLoss: nanoUsd(1n) }), PRICES, /shares add up to 0\.000020002/],
    [
      figures({ hold: nanoUsd(20_000n), charge: nanoUsd(19_999n), nodeLoss: nanoUsd(2n) }),
      PRICES,
      /the charge is 0\.000019999, and cost, rate and hold give 0\.00002$/,
    ],
    [figures({ priceVersion: null }), null, /tokens and prices give unknown/],
    [figures({ cost: null }), PRICES, /the cost is unknown/],
    [figures({ usageSource: 'none', usage: NO_USAGE }), PRICES, /tokens and prices give 0/],
    [figures({ ...none }), PRICES, /add up to 0/],
    [figures({ rate: markupRate(10) }), PRICES, /add up to 0\.000020001, and the cost at the rate is 0\.000022002/],
    [figures({ rate: NO_CHARGE, ownCredential: true }), PRICES, /the cost at the rate is 0$/],
    [
      figures({ charge: nanoUsd(20_000n), variance: nanoUsd(1n) }),
      PRICES,
      /the charge is 0\.00002, and cost, rate and hold give 0\.000020001/,
    ],
    [figures({ variance: nanoUsd(1n) }), PRICES, /shares add up to 0\.000020002/],
    [
      figures({ ownCredential: true, hold: nanoUsd(20_000n), charge: nanoUsd(20_000n), variance: nanoUsd(1n) }),
      PRICES,
      /shares add up to 0\.000020001, and the cost at the rate is 0\.00002$/,
    ],
    [
      figures({ ownCredential: true, hold: nanoUsd(20_000n), charge: nanoUsd(19_999n) }),
      PRICES,
      /add up to 0\.000019999/,
    ],
    [figures({ charge: nanoUsd(20_000n), fault: nanoUsd(1n) }), PRICES, /cost, rate and hold give 0\.000020001/],
  ];
  for (const [row, prices, expected] of wrong) assert.match(faultsOf(row, prices).join('; '), expected);
});
