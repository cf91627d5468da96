/** Goal: an address that floods the gateway with bad keys gets 429, and no other address is affected. Method: a clock moved by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { UnknownKey } from './authenticate.ts';
import { BadKeyLimiter } from './bad-key-limiter.ts';

const failure = new UnknownKey();

test('a burst gets 401, then 429 with the seconds to wait, then 401 at the rate', () => {
  const { clock, tries } = open();
  assert.deepEqual(tries('10.0.0.1', 22), [...Array(20).fill(401), 429, 429]);
  clock.advance(999);
  assert.deepEqual(tries('10.0.0.1', 1), [429]);
  clock.advance(1);
  assert.deepEqual(tries('10.0.0.1', 2), [401, 429]);
  clock.advance(5000);
  assert.deepEqual(tries('10.0.0.1', 6), [401, 401, 401, 401, 401, 429]);
});

test('the wait in the answer is long enough, and at most one second too long', () => {
  const clock = new ManualClock();
  const limiter = new BadKeyLimiter({ burst: 1, perSecond: 0.1 }, clock);
  assert.equal(limiter.answer(failure, '10.0.0.1'), failure);
  clock.advance(500);
  const refused = limiter.answer(failure, '10.0.0.1');
  assert.deepEqual([refused.code, refused.retryAfterSeconds], ['rate_limit_exceeded', 10]);
  clock.advance(10_000);
  assert.equal(limiter.answer(failure, '10.0.0.1'), failure);
});

test('after a long pause the full burst is available again, and no more', () => {
  const { clock, tries } = open();
  tries('10.0.0.1', 20);
  clock.advance(3_600_000);
  assert.deepEqual(tries('10.0.0.1', 21), [...Array(20).fill(401), 429]);
});

test('setting the wall clock back refuses no address', () => {
  const { clock, tries } = open();
  tries('10.0.0.1', 20);
  clock.stepWall(-86_400_000);
  clock.advance(1000);
  assert.deepEqual(tries('10.0.0.1', 2), [401, 429]);
});

const neighbours: readonly [string, string, string, boolean][] = [
  ['two IPv4 addresses', '10.0.0.1', '10.0.0.2', false],
  ['two hosts in one IPv6 /64', '2001:db8::1', '2001:db8::ffff:1', true],
  ['one host in two spellings', '2001:DB8:0:0:0:0:0:1', '2001:db8::1', true],
  ['two /64 in one /48', '2001:db8:1:1::1', '2001:db8:1:2::1', false],
  ['an address with a link-local zone', 'fe80::1%eth0', 'fe80::2', true],
  ['an IPv4 address written as IPv6', '::ffff:10.0.0.1', '10.0.0.1', true],
  ['the same in hexadecimal', '::ffff:a00:1', '10.0.0.1', true],
  ['two IPv4 addresses written as IPv6', '::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
  ['loopback of both families', '127.0.0.1', '::1', false],
];

for (const [what, first, second, areOne] of neighbours) {
  test(`${what} count as ${areOne ? 'one address' : 'two addresses'}`, () => {
    const { tries } = open();
    tries(first, 20);
    assert.deepEqual(tries(second, 1), [areOne ? 429 : 401]);
  });
}

test('callers with an unknown address count as one', () => {
  const { tries } = open();
  assert.deepEqual([...tries(null, 20), ...tries(null, 1)], [...Array(20).fill(401), 429]);
});

test('at most ten thousand addresses are remembered: those that failed most recently', () => {
  const { limiter, tries } = open();
  tries('10.9.9.9', 20);
  for (let index = 0; index < 9_999; index += 1) tries(`10.0.${index >> 8}.${index & 255}`, 1);
  assert.equal(limiter.size, 10_000);
  assert.deepEqual(tries('10.9.9.9', 1), [429]);
  tries('10.1.0.0', 1);
  assert.equal(limiter.size, 10_000);
  assert.deepEqual(tries('10.9.9.9', 1), [401], 'it had not been counted for longest');
});

function open() {
  const clock = new ManualClock();
  const limiter = new BadKeyLimiter({ burst: 20, perSecond: 1 }, clock);
  const tries = (address: string | null, times: number) =>
    Array.from({ length: times }, () => limiter.answer(failure, address).status);
  return { clock, limiter, tries };
}
