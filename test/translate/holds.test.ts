/**
 * Goal: a translated call holds money for what the provider is sent, not for what the caller sent. Method: a request that
 * grows in translation, the hold that the bank was asked for, and the body that a strict provider received.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Bound } from '../../src/billing/bound.ts';
import { CLAUDE, openTranslateBench, type TranslateBench } from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

/** For the bench's models, in pico-USD: the most expensive line of a prompt token. */
const INPUT_PRICE = 2_500_000n;

test('the hold covers a token for every byte of a body that a translation made longer', async () => {
  const { bank } = bench.app.gateway;
  const bounds: (Bound | null)[] = [];
  const hold = bank.hold.bind(bank);
  bank.hold = (asked) => {
    bounds.push(asked.bound);
    return hold(asked);
  };
  const functions = Array.from({ length: 200 }, (_, index) => ({ name: `f${index}` }));
  const body = { model: CLAUDE, messages: [{ role: 'user', content: 'say hi' }], functions };
  const response = await bench.post('/api/v1/chat/completions', body);
  assert.equal(response.status, 200, await response.text());
  const sent = BigInt(JSON.stringify(bench.strictAnthropic.last().body).length);
  assert.ok(sent > BigInt(3 * JSON.stringify(body).length), `${sent} bytes`);
  const [bound] = bounds;
  assert.ok(bound && bound.fixed >= sent * INPUT_PRICE, `${bound?.fixed} for ${sent} bytes`);
});
