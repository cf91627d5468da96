/** Goal: guessing gets slower and slower, and blocks nobody else. Method: a clock moved by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { Attempts } from './attempts.ts';
import { MemoryAttempts } from './memory-attempts.ts';

test('five failures are free, then each wait is twice the one before, up to 15 minutes', async () => {
  const { clock, wait } = open();
  assert.deepEqual([await wait(), await wait(), await wait(), await wait(), await wait()], [0, 0, 0, 0, 0]);
  const waits: number[] = [];
  for (let failure = 0; failure < 12; failure += 1) {
    const seconds = await wait();
    waits.push(seconds);
    clock.advance(seconds * 1000);
    assert.equal(await wait(), 0);
  }
  assert.deepEqual(waits, [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
});

test('guesses from another address do not block the owner', async () => {
  const { wait } = open();
  for (let failure = 0; failure < 6; failure += 1) await wait('ada@example.com', '10.9.9.9');
  assert.ok((await wait('ada@example.com', '10.9.9.9')) > 0);
  assert.equal(await wait('ada@example.com', '10.0.0.1'), 0);
});

test('a success resets the failures: the next ones are free again', async () => {
  const { attempts, wait } = open();
  for (let failure = 0; failure < 4; failure += 1) await wait();
  await (await attempts.begin('password', 'ada@example.com', { address: '10.0.0.1', device: null })).succeeded();
  assert.deepEqual([await wait(), await wait(), await wait(), await wait(), await wait()], [0, 0, 0, 0, 0]);
  assert.equal(await wait(), 2);
});

test('failures are forgotten after an hour without an attempt', async () => {
  const { clock, wait } = open();
  for (let failure = 0; failure < 5; failure += 1) await wait();
  clock.advance(3_600_000);
  assert.deepEqual([await wait(), await wait(), await wait(), await wait(), await wait()], [0, 0, 0, 0, 0]);
});

test('an address that tries many people has a rate limit, which successes do not use up', async () => {
  const { attempts, clock, wait } = open();
  for (let person = 0; person < 100; person += 1)
    await (
      await attempts.begin('password', `good${person}@example.com`, { address: '10.0.0.1', device: null })
    ).succeeded();
  for (let person = 0; person < 30; person += 1) assert.equal(await wait(`${person}@example.com`), 0);
  assert.equal(await wait('next@example.com'), 10);
  clock.advance(10_000);
  assert.equal(await wait('next@example.com'), 0);
});

test('a browser in which the person signed in before counts separately from others at the same address', async () => {
  const { attempts, wait } = open();
  for (let person = 0; person < 100; person += 1) await wait(`${person}@example.com`);
  for (let failure = 0; failure < 100; failure += 1) await wait('ada@example.com');
  assert.ok((await wait('ada@example.com')) > 0);
  const own = { address: '10.0.0.1', device: 'd1' };
  for (let failure = 0; failure < 5; failure += 1) await attempts.begin('password', 'ada@example.com', own);
  assert.equal(
    await refusal(() => attempts.begin('password', 'ada@example.com', own)),
    2,
    'failures of the browser itself count',
  );
});

test('six-digit codes of one person have a rate limit over all addresses', async () => {
  const { attempts, clock } = open();
  for (let tries = 0; tries < 20; tries += 1) await attempts.beginSixDigits('ada@example.com');
  assert.equal(await refusal(() => attempts.beginSixDigits('ada@example.com')), 900);
  assert.equal(await refusal(() => attempts.beginSixDigits('bob@example.com')), 0);
  clock.advance(900_000);
  await (await attempts.beginSixDigits('ada@example.com')).succeeded();
  assert.equal(await refusal(() => attempts.beginSixDigits('ada@example.com')), 0, 'a success does not count');
});

test('a mailbox gets three emails, then one every 15 minutes, whoever requests them', async () => {
  const { attempts, clock } = open();
  const mayMail = () => attempts.mayMail('password', 'ada@example.com');
  assert.deepEqual([await mayMail(), await mayMail(), await mayMail(), await mayMail()], [true, true, true, false]);
  assert.equal(await attempts.mayMail('sign-up', 'ada@example.com'), true, 'a separate limit');
  clock.advance(900_000);
  assert.deepEqual([await mayMail(), await mayMail()], [true, false]);
});

test('an address may request ten emails, then one per minute', async () => {
  const { attempts } = open();
  for (let asks = 0; asks < 10; asks += 1) await attempts.beginMail('10.0.0.1');
  assert.equal(await refusal(() => attempts.beginMail('10.0.0.1')), 60);
  assert.equal(await refusal(() => attempts.beginMail('10.0.0.2')), 0);
});

test('at most ten thousand people are remembered', async () => {
  const { counts, wait } = open();
  for (let index = 0; index < 10_050; index += 1)
    await wait(`${index}@example.com`, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  assert.equal(counts.size, 10_000);
});

function open() {
  const clock = new ManualClock();
  const counts = new MemoryAttempts(clock);
  const attempts = new Attempts(counts);
  const wait = (person = 'ada@example.com', address = '10.0.0.1') =>
    refusal(() => attempts.begin('password', person, { address, device: null }));
  return { clock, attempts, counts, wait };
}

/** The seconds to wait after a refusal, or 0. */
async function refusal(attempt: () => Promise<unknown>): Promise<number> {
  try {
    await attempt();
    return 0;
  } catch (error) {
    assert.ok(error instanceof GatewayError && error.code === 'rate_limit_exceeded');
    return error.retryAfterSeconds ?? -1;
  }
}
