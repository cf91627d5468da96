/** Goal: a unit has one name and one price. Method: tables of names, and a property over price lists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { picoUsd } from '../money.ts';
import { isUnitName, unitClass, unitLineOf, unitPrices } from './units.ts';

test('a name is a kind, with at most three parts after it', () => {
  for (const name of ['image', 'character', 'image/1024x1024', 'image/1024x1024/high', 'image/a/b/c', 'second/hd-1.0'])
    assert.ok(isUnitName(name), name);
  for (const name of [
    ...['', 'token', 'Image', 'image/', 'image//high', '/image', 'image/High', 'image/a b', 'image/auto'],
    ...['image/a/b/c/d', `image/${'x'.repeat(33)}`, '__proto__', 'image/../x'],
  ])
    assert.ok(!isUnitName(name), name);
});

test('a field is a part of a name if it can be one, otherwise it is open', () => {
  assert.deepEqual(['1024x1024', 'HD', 'auto', '', 'a/b', 'ä', 'x'.repeat(99)].map(unitClass), [
    ...['1024x1024', 'hd'],
    ...['auto', 'auto', 'auto', 'auto', 'auto'],
  ]);
});

const UNITS = unitPrices([
  ['image', picoUsd(4n)],
  ['image/1024x1024', picoUsd(5n)],
  ['image/1024x1024/high', picoUsd(19n)],
  ['image/512x512/high', picoUsd(9n)],
  ['character', picoUsd(1n)],
]);

test('the most specific price counts, and of what is open the dearest', () => {
  const priceOf = (name: string) => UNITS[unitLineOf(UNITS, name) - 1]?.price ?? null;
  for (const [name, price] of [
    ['image/1024x1024/high', 19n],
    ['image/1024x1024/low', 5n],
    ['image/2048x2048/high', 4n],
    ['image/512x512', 4n],
    ['image', 4n],
    ['character', 1n],
    ['second', null],
    ['image/auto/auto', 19n],
    ['image/auto/high', 19n],
    ['image/512x512/auto', 9n],
    ['image/2048x2048/auto', 4n],
    ['image/auto/low', 5n],
  ] as const)
    assert.equal(priceOf(name), price, name);
  assert.equal(unitLineOf([], 'image'), 0);
});

test('no class that an open name may have costs more than the open name', () => {
  const part = fc.constantFrom('a', 'b', 'auto');
  const definite = fc.constantFrom('a', 'b', 'c');
  const name = fc.constantFrom('image', ...['a', 'b'].flatMap((x) => [`image/${x}`, `image/${x}/a`, `image/${x}/b`]));
  const units = fc.uniqueArray(fc.tuple(name, fc.bigInt(0n, 9n)), { selector: ([each]) => each });
  fc.assert(
    fc.property(units, part, part, definite, definite, (listed, size, quality, otherSize, otherQuality) => {
      const prices = unitPrices(listed.map(([each, price]) => [each, picoUsd(price)]));
      const priceOf = (asked: string) => prices[unitLineOf(prices, asked) - 1]?.price ?? 0n;
      const made = [size === 'auto' ? otherSize : size, quality === 'auto' ? otherQuality : quality];
      const isOpen = size === 'auto' || quality === 'auto';
      const open = priceOf(`image/${size}/${quality}`);
      const charged = priceOf(`image/${made.join('/')}`);
      assert.ok(isOpen ? charged <= open : charged === open);
    }),
  );
});
