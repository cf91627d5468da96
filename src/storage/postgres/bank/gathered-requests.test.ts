/** Goal: requests share statements and nothing else. Method: a sender that answers when the test says so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatheredRequests, type PurseRequest } from './gathered-requests.ts';

test('what is asked while a statement is under way goes into the next one', async () => {
  const sender = new Sender();
  const gathered = new GatheredRequests<PurseRequest, string>(sender.send);
  const answers = [1, 2, 3].map((id) => gathered.ask(requestOf([id])));
  assert.deepEqual(sender.sent, [[[1]]]);
  await sender.answer();
  assert.deepEqual(sender.sent, [[[1]], [[2], [3]]]);
  await sender.answer();
  assert.deepEqual(await Promise.all(answers), ['1', '2', '3']);
  const last = gathered.ask(requestOf([4]));
  await sender.answer();
  assert.equal(await last, '4');
});

test('a purse is in a statement once, and requests keep their order', async () => {
  const sender = new Sender();
  const gathered = new GatheredRequests<PurseRequest, string>(sender.send);
  const answers = [[9], [1, 2], [3], [2], [4]].map((ids) => gathered.ask(requestOf(ids)));
  for (let statement = 0; statement < 3; statement += 1) await sender.answer();
  assert.deepEqual(sender.sent, [[[9]], [[1, 2], [3]], [[2], [4]]]);
  assert.equal((await Promise.all(answers)).length, 5);
});

test('a statement is of one place, and has a bounded number of purses', async () => {
  const sender = new Sender();
  const gathered = new GatheredRequests<PurseRequest, string>(sender.send);
  const many = Array.from({ length: 150 }, (_, index) => index + 10);
  const requests = [
    requestOf([1]),
    requestOf([2], 1),
    requestOf([3], 2),
    requestOf(many, 2),
    requestOf(
      many.map((id) => id + 500),
      2,
    ),
  ];
  const answers = requests.map((request) => gathered.ask(request));
  for (let statement = 0; statement < 4; statement += 1) await sender.answer();
  assert.deepEqual(
    sender.sent.map((requests) => requests.map((ids) => ids.length)),
    [[1], [1], [1, 150], [150]],
  );
  await Promise.all(answers);
});

test('a request that the database refuses for its content fails alone', async () => {
  const sender = new Sender();
  const gathered = new GatheredRequests<PurseRequest, string>(sender.send);
  const answers = [1, 2, 3, 4].map((id) => gathered.ask(requestOf([id])));
  const outcomes = Promise.allSettled(answers);
  await sender.answer();
  await sender.fail(new Error('out of range'));
  await sender.answer();
  await sender.fail(new Error('out of range'));
  await sender.answer();
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
});

test('without the database all requests of a statement fail, and later ones are sent', async () => {
  const sender = new Sender();
  const gathered = new GatheredRequests<PurseRequest, string>(sender.send);
  const outcomes = Promise.allSettled([1, 2, 3].map((id) => gathered.ask(requestOf([id]))));
  await sender.answer();
  await sender.fail(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  );
  const next = gathered.ask(requestOf([2]));
  await sender.answer();
  assert.equal(await next, '2');
});

class Sender {
  /** The ids of the purses of each request of each statement. */
  readonly sent: number[][][] = [];
  #pending: PromiseWithResolvers<readonly string[]> | null = null;

  readonly send = (requests: readonly PurseRequest[]): Promise<readonly string[]> => {
    assert.equal(this.#pending, null, 'one statement at a time');
    this.sent.push(requests.map(({ items }) => items.map(({ purse }) => purse.id)));
    this.#pending = Promise.withResolvers();
    return this.#pending.promise;
  };

  async answer(): Promise<void> {
    await this.#end((pending) => pending.resolve((this.sent.at(-1) ?? []).map((ids) => ids.join(' '))));
  }

  async fail(error: Error): Promise<void> {
    await this.#end((pending) => pending.reject(error));
  }

  async #end(how: (pending: PromiseWithResolvers<readonly string[]>) => void): Promise<void> {
    const pending = this.#pending;
    assert.ok(pending !== null, 'a statement is under way');
    this.#pending = null;
    how(pending);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function requestOf(ids: readonly number[], epoch = 1): PurseRequest {
  return { place: { slot: 1, epoch }, items: ids.map((id) => ({ purse: { kind: 'balance', id } })) };
}
