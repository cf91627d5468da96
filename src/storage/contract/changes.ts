/** The contract of every storage for transactions and the feed of changes. */
import assert from 'node:assert/strict';
import type { Storage } from '../storage.ts';
import { newKey } from './sample-rows.ts';
import type { Promising } from './storage-under-test.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

export function changePromises(promise: Promising): void {
  promise('a transaction over several stores is written completely or not at all', async ({ storage }) => {
    const { transactions, accounts, users } = storage;
    const make = async () => {
      const { id } = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
      await accounts.createProject({ accountId: id, name: 'A', createdAt: NOW });
      await users.createUser(ADA);
    };
    const failing = transactions.run(async () => {
      await make();
      assert.equal((await accounts.accounts()).length, 1, 'it reads its own writes');
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual(
      [await accounts.accounts(), await accounts.projects(), await users.userByEmail(ADA.email)],
      [[], [], null],
    );
    await transactions.run(make);
    assert.equal((await accounts.projects()).length, 1);
    assert.notEqual(await users.userByEmail(ADA.email), null);
    return undefined;
  });

  promise(
    'a transaction is not committed if a part of it failed, even if the error was caught',
    async ({ storage }) => {
      const { transactions, accounts } = storage;
      const caught = transactions.run(async () => {
        await accounts.createAccount({ name: 'Acme', createdAt: NOW });
        await transactions.run(() => Promise.reject(new Error('no'))).catch(() => undefined);
      });
      await assert.rejects(caught, /part failed/);
      assert.deepEqual(await accounts.accounts(), []);
      return undefined;
    },
  );

  promise('transactions run one after the other: each sees the result of the previous one', async ({ storage }) => {
    const { accounts } = storage;
    const { id } = await accounts.createAccount({ name: '', createdAt: NOW });
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((letter) =>
        accounts.changeAccount(id, async ({ name }) => {
          await accounts.account(id);
          return { name: name + letter };
        }),
      ),
    );
    assert.equal((await accounts.account(id))?.name, 'abcd');
    return undefined;
  });

  promise('a change is delivered once, at its commit, in order, with the committed row', async ({ storage }) => {
    const { transactions, feed, accounts } = storage;
    const heard = listen(storage);
    const { id } = await transactions.run(async () => {
      const account = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
      const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt: NOW });
      await accounts.createKey(newKey(1, { projectId: project.id }));
      assert.deepEqual(heard, [], 'nothing is delivered before the commit');
      return account;
    });
    assert.deepEqual(heard, ['account 1 Acme', 'project 2 A', 'key 3 Key 1']);
    let hadHeard = 0;
    const changing = accounts.changeAccount(id, { name: 'Acme 2' }).then(() => {
      hadHeard = heard.length;
    });
    await changing;
    assert.equal(hadHeard, 4, 'it is delivered before the promise of the change resolves');
    assert.equal(heard.at(-1), 'account 4 Acme 2');
    await accounts.changeAccount(id, {});
    assert.equal(heard.length, 4, 'an update without changes is not delivered');
    assert.equal(await feed.last(), 4);
    return undefined;
  });

  promise('a change that was rolled back is never delivered, and its number is reused', async ({ storage }) => {
    const { transactions, feed, accounts } = storage;
    const heard = listen(storage);
    const undone = transactions.run(async () => {
      await accounts.createAccount({ name: 'Acme', createdAt: NOW });
      throw new Error('no');
    });
    await assert.rejects(undone, /^Error: no$/);
    assert.deepEqual([heard, await feed.last(), await feed.since(0, 10)], [[], 0, []]);
    await accounts.createAccount({ name: 'Other', createdAt: NOW });
    assert.deepEqual(heard, ['account 1 Other']);
    return undefined;
  });

  promise('missed changes can be read from a number on, even after reopening', async (subject) => {
    const { accounts } = subject.storage;
    const { id } = await accounts.createAccount({ name: 'Acme', createdAt: NOW });
    for (const name of ['B', 'C', 'D']) await accounts.changeAccount(id, { name });
    const again = await subject.reopen();
    const { feed } = again.storage;
    const numbers = async (seq: number, limit = 10) => (await feed.since(seq, limit))?.map((each) => each.seq) ?? null;
    assert.deepEqual(await numbers(0), [1, 2, 3, 4]);
    assert.deepEqual(await numbers(1, 2), [2, 3]);
    assert.deepEqual(await numbers(4), []);
    const at = again.clock.now();
    assert.deepEqual(await feed.since(3, 10), [{ seq: 4, at, topic: 'account', id: String(id) }]);
    await feed.forgetBefore(at);
    assert.deepEqual(await numbers(0), [1, 2, 3, 4]);
    await feed.forgetBefore(at + 1);
    assert.equal(await numbers(0), null, 'deleted changes are not skipped silently');
    assert.deepEqual(await numbers(4), []);
    assert.equal(await feed.last(), 4);
    return again;
  });
}

const ADA = {
  email: 'ada@example.com',
  name: 'Ada',
  passwordHash: null,
  isOperator: false,
  createdAt: NOW,
  emailConfirmedAt: null,
};

function listen({ feed }: Storage): string[] {
  const heard: string[] = [];
  for (const topic of ['account', 'project', 'key'] as const)
    feed.subscribe(topic, ({ seq, name }) => heard.push(`${topic} ${seq} ${name}`));
  return heard;
}
