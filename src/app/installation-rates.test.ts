/** Goal: the markups of the configuration reach the models that it names. Method: a model of the catalogue in both of its spellings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateBook } from '../billing/rates.ts';
import { markupRate } from '../core/rates/rate.ts';
import { installationRates } from './installation-rates.ts';

for (const spelling of ['anthropic/claude-opus-4-5', 'anthropic/claude-opus-4.5'])
  test(`a markup of ${spelling} is that of the model, which calls know by its id`, () => {
    const book = new RateBook(
      installationRates({ markup: 5, modelMarkups: [{ model: spelling, markup: 20 }], ownCredentialFee: 0 }),
    );
    const rates = book.of({ rates: {} });
    assert.equal(rates.rateOf('anthropic/claude-opus-4-5', false), markupRate(20));
    assert.equal(rates.rateOf('anthropic/claude-opus-4-1', false), markupRate(5));
  });
