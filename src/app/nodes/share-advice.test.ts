/**
 * Goal: nodes learn from each other what rests and where conversations go on, and none can make another one rest everything. Method: two nodes'
 * parts with a board in memory, and notices that are nonsense.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderRegistry } from '../../catalog/provider-registry.ts';
import { ManualClock } from '../../core/clock.ts';
import { accountId, projectId } from '../../core/ids.ts';
import { Notices } from '../../nodes/notices/notices.ts';
import type { NoticeBoard, PostedNotice } from '../../nodes/notices/ports.ts';
import { Breakers } from '../../routing/breaker/breakers.ts';
import { Sticky } from '../../routing/sticky.ts';
import { shareAdvice } from './share-advice.ts';

const AT = { provider: 'acme', upstreamModel: 'large', own: null, mark: null };

class MemoryBoard implements NoticeBoard {
  readonly name = 'memory';
  readonly periodMs = 250;
  readonly posted: PostedNotice[] = [];
  readonly #read = new Map<string, number>();

  async exchange(sender: string, bodies: readonly string[]) {
    const from = this.#read.get(sender) ?? 0;
    const news = this.posted.slice(from).filter((notice) => notice.sender !== sender);
    this.posted.push(...bodies.map((body) => ({ sender, body })));
    this.#read.set(sender, this.posted.length);
    return news;
  }
}

function open() {
  const clock = new ManualClock();
  const board = new MemoryBoard();
  const nodes = ['one', 'two'].map((sender) => {
    // Each node has objects of its own for the same providers.
    const all = ['acme', 'best', 'cloud', 'dot'].map((name) => ({
      name,
      credentialCount: 2,
      credentialMarks: [`${name} 1`, `${name} 2`],
    }));
    const providers = { current: { providers: new Map(all.map((each) => [each.name, each])) } } as unknown as Pick<
      ProviderRegistry,
      'current'
    >;
    const alerts: unknown[] = [];
    const breakers = new Breakers(clock, (change) => alerts.push(change));
    const sticky = new Sticky({ monotonic: () => clock.monotonic(), secret: Buffer.alloc(32, 1) });
    const notices = new Notices({ boards: [board], clock, sender, onChange: () => undefined });
    shareAdvice({ notices, breakers, sticky, providers, clock });
    const at = (name: string, credential = 0) => ({
      provider: all.find((each) => each.name === name) ?? assert.fail(),
      model: 'm',
      credential,
      askedAt: clock.monotonic(),
    });
    return { breakers, sticky, notices, alerts, at };
  });
  const exchange = async () => {
    for (let round = 0; round < 2; round += 1) for (const { notices } of nodes) await notices.exchange();
  };
  const [first, second] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  return { clock, board, first, second, exchange };
}

type Opened = ReturnType<typeof open>;
const rests = ({ breakers, at }: Opened['first'], name: string) =>
  typeof breakers.readiness(at(name).provider, 'm') === 'object';

test('a provider that fails at one node rests at the others, until a call finds out there', async () => {
  const { clock, first, second, exchange } = open();
  for (let failure = 0; failure < 5; failure += 1) first.breakers.failed(first.at('acme'), null, null);
  assert.ok(rests(first, 'acme'));
  await exchange();
  assert.ok(rests(second, 'acme'));
  assert.ok(!rests(second, 'best'));
  clock.advance(5_000);
  assert.equal(second.breakers.readiness(second.at('acme').provider, 'm'), 'probing');
  second.breakers.begin(second.at('acme').provider, 'm', false);
  second.breakers.good(second.at('acme'), 1);
  assert.equal(second.breakers.readiness(second.at('acme').provider, 'm'), 'ready');
});

test('a provider that answers here is asked, whatever another node says', async () => {
  const { first, second, exchange } = open();
  second.breakers.good(second.at('acme'), 1);
  for (let failure = 0; failure < 5; failure += 1) first.breakers.failed(first.at('acme'), null, null);
  await exchange();
  assert.ok(!rests(second, 'acme'));
});

test('a rejected credential rests at the others, which use the other one and alert nobody', async () => {
  const { first, second, exchange } = open();
  first.breakers.rejected(first.at('acme', 1), 401, 1);
  await exchange();
  const { provider } = second.at('acme');
  for (let call = 0; call < 4; call += 1) assert.equal(second.breakers.begin(provider, 'm', false), 0);
  assert.deepEqual([first.alerts.length, second.alerts.length], [1, 0]);
});

test('a node with nonsense rests half of the providers at most, and for half a minute', async () => {
  const { clock, board, second, exchange } = open();
  const body = (value: unknown) => ({ sender: 'evil', body: JSON.stringify(['rest', value]) });
  for (const provider of ['acme', 'best', 'cloud', 'dot', 'unknown'])
    board.posted.push(body({ provider, model: 'm', mark: null, forMs: 1e9 }));
  const nonsense = [
    null,
    7,
    [],
    {},
    { provider: 'dot', forMs: -1 },
    { provider: 'dot', model: 7, mark: null, forMs: 1 },
  ];
  for (const value of nonsense) board.posted.push(body(value));
  board.posted.push(
    { sender: 'evil', body: '{' },
    { sender: 'evil', body: '["rest"' },
    body({ provider: '__proto__' }),
  );
  await exchange();
  const resting = ['acme', 'best', 'cloud', 'dot'].filter((name) => rests(second, name));
  assert.deepEqual(resting, ['acme', 'best']);
  clock.advance(30_000);
  assert.deepEqual(
    ['acme', 'best'].filter((name) => rests(second, name)),
    [],
  );
});

test('a conversation goes on at the provider where another node has served it, and moves with it', async () => {
  const { first, second, exchange } = open();
  const [account, project] = [accountId(1), projectId(2)];
  first.sticky.keep(account, project, 'chat 1', AT);
  await exchange();
  assert.deepEqual(second.sticky.find(project, 'chat 1'), AT);
  assert.equal(second.sticky.find(projectId(3), 'chat 1'), null);
  const elsewhere = { ...AT, provider: 'best' };
  second.sticky.keep(account, project, 'chat 1', elsewhere);
  await exchange();
  assert.deepEqual(first.sticky.find(project, 'chat 1'), elsewhere);
});

test('an account with many conversations leaves the others their places in a round, and turns in one place are not posted', async () => {
  const { board, first, exchange } = open();
  for (let chat = 0; chat < 1_000; chat += 1) first.sticky.keep(accountId(1), projectId(1), `chat ${chat}`, AT);
  first.sticky.keep(accountId(2), projectId(2), 'mine', AT);
  await exchange();
  assert.ok(board.posted.length <= 200);
  assert.equal(board.posted.filter(({ body }) => body.includes('"account":2')).length, 1);
  const before = board.posted.length;
  first.sticky.keep(accountId(2), projectId(2), 'mine', AT);
  await exchange();
  assert.equal(board.posted.length, before);
});
