/** Goal: the narrowest rate wins, and what was pinned stays. Method: every combination of the levels. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountRates } from '../core/rates/account-rates.ts';
import { feeRate, LIST_RATE, markupRate, NO_CHARGE } from '../core/rates/rate.ts';
import { LIST_RATES, RateBook } from './rates.ts';

test('account and model before account before model before installation, in every combination', () => {
  const levels = [markupRate(1), markupRate(2), markupRate(3), markupRate(4)] as const;
  const [installation, model, account, both] = levels;
  for (let mask = 0; mask < 16; mask += 1) {
    const has = (level: number) => (mask & (1 << level)) !== 0;
    const book = new RateBook({
      ...LIST_RATES,
      markup: has(0) ? installation : LIST_RATE,
      models: new Map([['acme/other', markupRate(90)], ...(has(1) ? ([['acme/large', model]] as const) : [])]),
    });
    const rates: AccountRates = {
      ...(has(2) && { markup: account }),
      models: { 'acme/another': markupRate(91), ...(has(3) && { 'acme/large': both }) },
    };
    const expected = [3, 2, 1, 0].find(has);
    const found = book.of({ rates }).rateOf('acme/large', false);
    assert.equal(found, expected === undefined ? LIST_RATE : levels[expected], `levels ${mask.toString(2)}`);
  }
});

test('an own credential has its fee, whatever the markups, and none by default', () => {
  const markups = { markup: markupRate(50), models: new Map([['acme/large', markupRate(60)]]) };
  const account = { markup: markupRate(70), models: { 'acme/large': markupRate(80) } };
  const feeless = new RateBook({ ...markups, ownCredential: NO_CHARGE });
  assert.equal(feeless.of({ rates: account }).rateOf('acme/large', true), NO_CHARGE);
  const book = new RateBook({ ...markups, ownCredential: feeRate(5) });
  assert.equal(book.of({ rates: account }).rateOf('acme/large', true), feeRate(5));
  assert.equal(book.of({ rates: { ...account, ownCredential: feeRate(2) } }).rateOf('acme/large', true), feeRate(2));
  assert.equal(book.of({ rates: { ownCredential: NO_CHARGE } }).rateOf('acme/large', true), NO_CHARGE);
});

test('the names that every object has are no models', () => {
  const rates = { models: { 'acme/large': markupRate(80) } };
  for (const name of ['__proto__', 'constructor', 'toString'])
    assert.equal(new RateBook(LIST_RATES).of({ rates }).rateOf(name, false), LIST_RATE);
});

test('the rates of one account are made once', () => {
  const book = new RateBook(LIST_RATES);
  const rates = { markup: markupRate(1) };
  assert.equal(book.of({ rates }), book.of({ rates }));
});

test('rates that are replaced count from then on, and what was pinned stays', () => {
  const book = new RateBook({ ...LIST_RATES, markup: markupRate(10) });
  const plain = {};
  const own = { models: { 'acme/large': markupRate(80) } };
  const [earlier, ofOwn] = [book.of({ rates: plain }), book.of({ rates: own })];
  book.replace({
    markup: markupRate(20),
    models: new Map([['acme/small', markupRate(30)]]),
    ownCredential: feeRate(5),
  });
  for (const [model, isOwn, was, is] of [
    ['acme/large', false, markupRate(10), markupRate(20)],
    ['acme/small', false, markupRate(10), markupRate(30)],
    ['acme/large', true, NO_CHARGE, feeRate(5)],
  ] as const) {
    assert.equal(earlier.rateOf(model, isOwn), was);
    assert.equal(book.of({ rates: plain }).rateOf(model, isOwn), is);
  }
  assert.equal(ofOwn.rateOf('acme/small', false), markupRate(10));
  assert.equal(book.of({ rates: own }).rateOf('acme/large', false), markupRate(80));
  assert.equal(book.of({ rates: own }).rateOf('acme/small', false), markupRate(30));
});
