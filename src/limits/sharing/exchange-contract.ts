/** What every exchange of counts promises. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CountBatch, CountExchange, OwnCounts, StoredCounts } from '../ports.ts';

const MINUTE = 29_924_489;
const DAY = 20_780;
const COUNTS = { requests: 0, requestsBefore: 0, tokens: 0, tokensBefore: 0, today: 0, running: 0 };
const NOTHING = { ...COUNTS, share: 0, used: 0, asked: 0, at: 0 };

/** `open` returns an exchange that nobody has used, twice connected to the same; `flush` makes it forget everything. */
export function exchangeContract(open: () => Promise<Exchanges>): void {
  test('what a counter says of its share is answered as it was said', async () => {
    const { exchanges, close } = await open();
    const [first, second] = exchanges;
    const said = { share: 720_720, used: 1_000_000, asked: 12, at: Date.UTC(2026, 10, 24) };
    await first.exchange(batch('aa', [count(1, said)]));
    assert.deepEqual(plain(await second.exchange(batch('bb', [count(1)]))), [
      [{ ...NOTHING, ...said, minute: MINUTE, day: DAY }],
    ]);
    await close();
  });

  test('of two that write at the same time, one at least reads what the other one wrote', async () => {
    const { exchanges, close } = await open();
    const [first, second] = exchanges;
    for (let round = 1; round <= 20; round += 1) {
      const answers = await Promise.all([
        first.exchange(batch('aa', [count(1, { requests: round })])),
        second.exchange(batch('bb', [count(1, { requests: round })])),
      ]);
      assert.ok(
        answers.some(({ others }) => others[0]?.[0]?.requests === round),
        `round ${round}`,
      );
    }
    await close();
  });

  test('every counter gets what the others sent last, and not what it sent itself', async () => {
    const { exchanges, close } = await open();
    const [first, second] = exchanges;
    await first.exchange(batch('aa', [count(1, { requests: 5, tokens: 70, running: 2 })]));
    await first.exchange(batch('aa', [count(1, { requests: 6, requestsBefore: 3, tokens: 80, running: 1 })]));
    await second.exchange(batch('bb', [count(1, { requests: 1, tokensBefore: 4 })]));
    assert.deepEqual(plain(await second.exchange(batch('bb', [count(1)]))), [
      [{ ...NOTHING, requests: 6, requestsBefore: 3, tokens: 80, running: 1, minute: MINUTE, day: DAY }],
    ]);
    assert.deepEqual(plain(await first.exchange(batch('aa', [count(1)]))), [
      [{ ...NOTHING, minute: MINUTE, day: DAY }],
    ]);
    await close();
  });

  test('scopes are counted apart, and answered in the order of the batch', async () => {
    const { exchanges, close } = await open();
    const [first, second] = exchanges;
    const counts = Array.from({ length: 1_000 }, (_, id) => count(id + 1, { requests: id }));
    await first.exchange(batch('aa', [...counts, { ...count(1), scope: 'project', requests: 7 }]));
    const asked = [...counts].reverse().map(({ id }) => count(id));
    const { others } = await second.exchange(batch('bb', [...asked, { ...count(1), scope: 'project' }, count(5_000)]));
    const seen = others.map((stored) => stored.map(({ requests }) => requests));
    assert.deepEqual(seen, [...counts.map(({ requests }) => [requests]).reverse(), [7], []]);
    await close();
  });

  test('what was announced is heard by all, until they have heard it', async () => {
    const { exchanges, close } = await open();
    const [first, second] = exchanges;
    const refs = [
      { scope: 'key', id: 3 },
      { scope: 'account', id: 3 },
    ] as const;
    await first.exchange({ ...batch('aa', []), announced: refs });
    const answer = await second.exchange(batch('bb', []));
    assert.deepEqual(new Set(answer.announced.map(named)), new Set(refs.map(named)));
    const later = { ...batch('bb', []), heardAt: answer.nowMs + 5_000 };
    // After a failover the clock may be behind: then all of it is sent again.
    assert.ok((await second.exchange(later)).announced.length <= refs.length);
    await close();
  });

  test('counts of the day stay for the day, those of a minute until they no longer count', async () => {
    const { exchanges, close } = await open();
    const [first, second] = exchanges;
    await first.exchange(batch('aa', [count(1, { requests: 5, today: 9 }), count(2, { requests: 5 })]));
    const later = { minute: MINUTE + 2, day: DAY };
    const { others } = await second.exchange({ ...batch('bb', [count(1), count(2)]), ...later });
    assert.deepEqual(
      others.map((stored) => stored.map(({ today }) => today)),
      [[9], []],
    );
    const nextDay = { minute: MINUTE + 2, day: DAY + 1 };
    const tomorrow = await second.exchange({ ...batch('bb', [count(1)]), ...nextDay });
    assert.deepEqual(tomorrow.others, [[]]);
    await close();
  });

  test('after it has lost everything, it is complete once each counter has sent again', async () => {
    const { exchanges, flush, close } = await open();
    const [first, second] = exchanges;
    await first.exchange(batch('aa', [count(1, { requests: 5 })]));
    await flush();
    assert.deepEqual((await second.exchange(batch('bb', [count(1)]))).others, [[]]);
    await first.exchange(batch('aa', [count(1, { requests: 6 })]));
    const { others } = await second.exchange(batch('bb', [count(1)]));
    assert.equal(others[0]?.[0]?.requests, 6);
    await close();
  });
}

export interface Exchanges {
  readonly exchanges: readonly [CountExchange, CountExchange];
  flush(): Promise<void>;
  close(): Promise<void>;
}

function count(id: number, counts: Partial<OwnCounts> = {}): OwnCounts {
  return { scope: 'key', id, ...NOTHING, ...counts };
}

function batch(counter: string, counts: readonly OwnCounts[]): CountBatch {
  return { counter, minute: MINUTE, day: DAY, counts, announced: [], heardAt: 0 };
}

function plain({ others }: { readonly others: readonly (readonly StoredCounts[])[] }) {
  return others.map((stored) => stored.map(({ sentAt: _at, ...counts }) => counts));
}

function named({ scope, id }: { readonly scope: string; readonly id: number }): string {
  return `${scope} ${id}`;
}
