/** Goal: amounts convert between text and integers exactly. Method: a table, then random values make the round trip. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AssertionFailed } from './assert.ts';
import { formatPrice, formatUsd, nanoUsd, parsePrice, parseUsd, picoUsd, roundUpToNano, usdLiteral } from './money.ts';

const usd: readonly [string, bigint][] = [
  ['0', 0n],
  ['5', 5_000_000_000n],
  ['1.2345', 1_234_500_000n],
  ['0.000000001', 1n],
  ['-0.25', -250_000_000n],
  ['9000000000', 9_000_000_000_000_000_000n],
];

for (const [text, nano] of usd) {
  test(`${text} USD is ${nano} nano-USD, both ways`, () => {
    assert.equal(formatUsd(nanoUsd(nano)), text);
    assert.equal(parseUsd(text), nano);
  });
}

test('a price of $2.50 per million tokens is 2,500,000 pico-USD per token', () => {
  assert.equal(parsePrice('0.0000025'), 2_500_000n);
  assert.equal(formatPrice(picoUsd(2_500_000n)), '0.0000025');
});

test('every amount survives being written and read', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (value) => {
      assert.equal(parseUsd(formatUsd(nanoUsd(value))), value);
      assert.equal(parsePrice(formatPrice(picoUsd(value))), value);
    }),
  );
});

test('a cost is rounded up to the next nano-USD, once', () => {
  assert.deepEqual(
    [0n, 1n, 999n, 1000n, 1001n].map((pico) => roundUpToNano(picoUsd(pico))),
    [0n, 1n, 1n, 1n, 2n],
  );
  assert.throws(() => roundUpToNano(picoUsd(-1n)), AssertionFailed);
});

test('anything but a plain decimal, or one with too many places, is refused rather than rounded', () => {
  for (const text of ['', ' 1', '1e3', '.5', '1.', '0x1', '1,5', 'NaN', '0.0000000001', '--1'])
    assert.throws(() => parseUsd(text), RangeError, text);
  assert.throws(() => parsePrice('0.0000000000001'), RangeError);
});

test('JSON contains the exact decimal literal, even where a double could not represent it', () => {
  assert.equal(
    JSON.stringify({ balance: usdLiteral(nanoUsd(9_007_199_254_740_993_123_456_789n)) }),
    '{"balance":9007199254740993.123456789}',
  );
  assert.equal(JSON.stringify({ balance: usdLiteral(null) }), '{"balance":null}');
});
