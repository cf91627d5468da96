/** Goal: a key made elsewhere is known before it is refused, and guessing costs the database at most ten questions a second. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '../../core/clock.ts';
import { NewKeys } from './new-keys.ts';

function open(answer: () => Promise<boolean>) {
  const clock = new ManualClock();
  let asked = 0;
  const cutOff = { is: false };
  const news = new NewKeys({
    clock,
    session: {
      get isCutOff() {
        return cutOff.is;
      },
      catchUp() {
        asked += 1;
        return answer();
      },
    },
  });
  return { clock, news, cutOff, asked: () => asked };
}

test('requests that come together share one question', async () => {
  const { news, asked } = open(async () => true);
  await Promise.all(Array.from({ length: 1_000 }, () => news.await()));
  assert.equal(asked(), 1);
});

test('a request that comes after a question was asked is not answered by it', async () => {
  const answers: ((isKnown: boolean) => void)[] = [];
  const { news, asked, clock } = open(() => new Promise((resolve) => answers.push(resolve)));
  const first = news.await();
  await nextTurn();
  let isAnswered = false;
  const second = news.await().then(() => {
    isAnswered = true;
  });
  answers[0]?.(true);
  await first;
  await nextTurn();
  assert.equal(isAnswered, false);
  clock.advance(100);
  await nextTurn();
  answers[1]?.(true);
  await second;
  assert.equal(asked(), 2);
});

test('there are at most ten questions a second, however many come', async () => {
  const { news, asked, clock } = open(async () => true);
  const waiting: Promise<void>[] = [];
  for (let passed = 0; passed < 1_000; passed += 1) {
    waiting.push(news.await());
    await nextTurn();
    clock.advance(1);
    await nextTurn();
  }
  clock.advance(100);
  await Promise.all(waiting);
  assert.ok(asked() <= 11, `${asked()} questions`);
});

test('a database that does not answer, or says that it could not be followed, is 503', async () => {
  const unavailable = { code: 'auth_unavailable', retryAfterSeconds: 1 };
  await assert.rejects(open(async () => false).news.await(), unavailable);
  const { news, clock } = open(() => new Promise(() => undefined));
  const waiting = news.await();
  await nextTurn();
  clock.advance(2_000);
  await assert.rejects(waiting, unavailable);
});

test('while the database is away nobody waits for it', async () => {
  const { news, asked, cutOff } = open(async () => true);
  cutOff.is = true;
  await assert.rejects(news.await(), { code: 'auth_unavailable', retryAfterSeconds: 1 });
  assert.equal(asked(), 0);
  cutOff.is = false;
  await news.await();
});
