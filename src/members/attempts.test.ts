/** Goal: guessing gets slower and slower, and blocks nobody else. Method: a clock moved by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { Attempts } from './attempts.ts';

test('five failures are free, then each wait is twice the one before, up to 15 minutes', () => {
  const { clock, wait } = open();
  assert.deepEqual([wait(), wait(), wait(), wait(), wait()], [0, 0, 0, 0, 0]);
  const waits: number[] = [];
  for (let failure = 0; failure < 12; failure += 1) {
    const seconds = wait();
    waits.push(seconds);
    clock.advance(seconds * 1000);
    assert.equal(wait(), 0);
  }
  assert.deepEqual(waits, [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
});

test('guesses from another address do not block the owner', () => {
  const { wait } = open();
  for (let failure = 0; failure < 6; failure += 1) wait('ada@example.com', '10.9.9.9');
  assert.ok(wait('ada@example.com', '10.9.9.9') > 0);
  assert.equal(wait('ada@example.com', '10.0.0.1'), 0);
});

test('a success resets the failures: the next ones are free again', () => {
  const { attempts, wait } = open();
  for (let failure = 0; failure < 4; failure += 1) wait();
  attempts.begin('password', 'ada@example.com', { address: '10.0.0.1', device: null }).succeeded();
  assert.deepEqual([wait(), wait(), wait(), wait(), wait()], [0, 0, 0, 0, 0]);
  assert.equal(wait(), 2);
});

test('failures are forgotten after an hour without an attempt', () => {
  const { clock, wait } = open();
  for (let failure = 0; failure < 5; failure += 1) wait();
  clock.advance(3_600_000);
  assert.deepEqual([wait(), wait(), wait(), wait(), wait()], [0, 0, 0, 0, 0]);
});

test('an address that tries many people has a rate limit, which successes do not use up', () => {
  const { attempts, clock, wait } = open();
  for (let person = 0; person < 100; person += 1)
    attempts.begin('password', `good${person}@example.com`, { address: '10.0.0.1', device: null }).succeeded();
  for (let person = 0; person < 30; person += 1) assert.equal(wait(`${person}@example.com`), 0);
  assert.equal(wait('next@example.com'), 10);
  clock.advance(10_000);
  assert.equal(wait('next@example.com'), 0);
});

test('a browser in which the person signed in before counts separately from others at the same address', () => {
  const { attempts, wait } = open();
  for (let person = 0; person < 100; person += 1) wait(`${person}@example.com`);
  for (let failure = 0; failure < 100; failure += 1) wait('ada@example.com');
  assert.ok(wait('ada@example.com') > 0);
  const own = { address: '10.0.0.1', device: 'd1' };
  for (let failure = 0; failure < 5; failure += 1) attempts.begin('password', 'ada@example.com', own);
  assert.equal(
    refusal(() => attempts.begin('password', 'ada@example.com', own)),
    2,
    'failures of the browser itself count',
  );
});

test('six-digit codes of one person have a rate limit over all addresses', () => {
  const { attempts, clock } = open();
  for (let tries = 0; tries < 20; tries += 1) attempts.beginSixDigits('ada@example.com');
  assert.equal(
    refusal(() => attempts.beginSixDigits('ada@example.com')),
    900,
  );
  assert.equal(
    refusal(() => attempts.beginSixDigits('bob@example.com')),
    0,
  );
  clock.advance(900_000);
  attempts.beginSixDigits('ada@example.com').succeeded();
  assert.equal(
    refusal(() => attempts.beginSixDigits('ada@example.com')),
    0,
    'a success does not count',
  );
});

test('a mailbox gets three emails, then one every 15 minutes, whoever requests them', () => {
  const { attempts, clock } = open();
  assert.deepEqual(
    Array.from({ length: 4 }, () => attempts.mayMail('password', 'ada@example.com')),
    [true, true, true, false],
  );
  assert.equal(attempts.mayMail('sign-up', 'ada@example.com'), true, 'a separate limit');
  clock.advance(900_000);
  assert.deepEqual(
    [attempts.mayMail('password', 'ada@example.com'), attempts.mayMail('password', 'ada@example.com')],
    [true, false],
  );
});

test('an address may request ten emails, then one per minute', () => {
  const { attempts } = open();
  for (let asks = 0; asks < 10; asks += 1) attempts.beginMail('10.0.0.1');
  assert.equal(
    refusal(() => attempts.beginMail('10.0.0.1')),
    60,
  );
  assert.equal(
    refusal(() => attempts.beginMail('10.0.0.2')),
    0,
  );
});

test('at most ten thousand people are remembered', () => {
  const { attempts, wait } = open();
  for (let index = 0; index < 10_050; index += 1)
    wait(`${index}@example.com`, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  assert.equal(attempts.size, 10_000);
});

function open() {
  const clock = new ManualClock();
  const attempts = new Attempts(clock);
  const wait = (person = 'ada@example.com', address = '10.0.0.1') =>
    refusal(() => attempts.begin('password', person, { address, device: null }));
  return { clock, attempts, wait };
}

/** The seconds to wait after a refusal, or 0. */
function refusal(attempt: () => unknown): number {
  try {
    attempt();
    return 0;
  } catch (error) {
    assert.ok(error instanceof GatewayError && error.code === 'rate_limit_exceeded');
    return error.retryAfterSeconds ?? -1;
  }
}
