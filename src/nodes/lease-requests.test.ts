/** Goal: a bank that answers late still lends and takes back, once, and calls do not wait for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '../core/clock.ts';
import { nanoUsd } from '../core/money.ts';
import { ANSWER_WITHIN_MS, LeaseRequests } from './lease-requests.ts';
import { LentPurse } from './lent-purse.ts';
import type { LeaseAnswer } from './ports.ts';

const DAY = 20_000;

function open() {
  const clock = new ManualClock();
  const answers: PromiseWithResolvers<LeaseAnswer>[] = [];
  const problems: unknown[] = [];
  const answeredAfter: number[] = [];
  let overs = 0;
  const requests = new LeaseRequests({
    bank: {
      lease() {
        const answer = Promise.withResolvers<LeaseAnswer>();
        answers.push(answer);
        return answer.promise;
      },
      giveBack: async (_place, returned) => returned.map(() => true),
    },
    clock,
    onProblem: (cause) => problems.push(cause),
    onAnswered: (afterMs) => answeredAfter.push(afterMs),
    onOver: () => {
      overs += 1;
    },
  });
  requests.place = { slot: 1, epoch: 1 };
  const purse = new LentPurse({ kind: 'balance', id: 7 }, null, 0);
  const ask = () => requests.ask([{ purse, shortfall: nanoUsd(5n), wish: nanoUsd(9n) }], false);
  const answer = async (index: number, granted: bigint) => {
    const share = { granted: nanoUsd(granted), free: nanoUsd(1n), elsewhere: nanoUsd(0n), window: null };
    answers[index]?.resolve({ isOver: false, shares: [share], day: DAY });
    await nextTurn();
  };
  const late = async (asked: Promise<boolean>) => {
    clock.advance(ANSWER_WITHIN_MS);
    return asked;
  };
  return { requests, purse, clock, problems, answeredAfter, ask, answer, answers, late, overs: () => overs };
}

test('what a slow bank has lent is used, although nobody waited for it', async () => {
  const { purse, ask, answer, late } = open();
  assert.equal(await late(ask()), false);
  assert.equal(purse.isUnsure, true);
  await answer(0, 9n);
  assert.equal(purse.atHand, 9n);
  assert.equal(purse.isUnsure, false);
});

test('a late answer does not count for a purse that was asked for again', async () => {
  const { purse, ask, answer, late } = open();
  await late(ask());
  const again = ask();
  await answer(1, 12n);
  assert.equal(await again, true);
  await answer(0, 9n);
  assert.equal(purse.atHand, 12n);
});

test('a late answer does not count once the purse was given back', async () => {
  const { requests, purse, ask, answer, late } = open();
  await late(ask());
  await requests.giveBack([purse]);
  await answer(0, 9n);
  assert.equal(purse.atHand, 0n);
});

test('a late answer does not count under another epoch', async () => {
  const { requests, purse, ask, answer, late } = open();
  await late(ask());
  requests.place = { slot: 1, epoch: 2 };
  await answer(0, 9n);
  assert.equal(purse.atHand, 0n);
});

test('a bank that is away is reported once, and again only after it has answered', async () => {
  const { problems, answeredAfter, clock, ask, answer, answers, late } = open();
  await late(ask());
  clock.advance(700);
  const second = ask();
  answers[1]?.reject(new Error('refused'));
  assert.equal(await second, false);
  assert.equal(problems.length, 1);
  const third = ask();
  await answer(2, 5n);
  assert.equal(await third, true);
  assert.deepEqual(answeredAfter, [700]);
  await late(ask());
  assert.equal(problems.length, 2);
});
