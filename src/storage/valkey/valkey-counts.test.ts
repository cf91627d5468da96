/**
 * Goal: counts exchanged through Valkey keep the promises of every exchange. Method: the contract, with two connections to a server, the one
 * of `TEST_VALKEY_URL` if there is one.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Redis } from 'ioredis';
import { openRedis, type UsedRedis } from '../../../test/support/redis-server.ts';
import { Secret } from '../../core/secret.ts';
import { exchangeContract } from '../../limits/sharing/exchange-contract.ts';
import { Valkey } from './valkey.ts';
import { ValkeyCounts } from './valkey-counts.ts';

const own = {
  scope: 'key',
  id: 1,
  requests: 1,
  requestsBefore: 0,
  tokens: 0,
  tokensBefore: 0,
  running: 0,
  share: 0,
  used: 0,
  asked: 0,
  at: 0,
} as const;

let server: UsedRedis;
before(async () => {
  server = await openRedis();
});
after(() => server.close());

async function connect(name: string): Promise<Valkey> {
  const valkey = await Valkey.open({ url: new Secret(server.url), name });
  await valkey.connected();
  return valkey;
}

exchangeContract(async () => {
  const name = randomBytes(4).toString('hex');
  const [first, second] = [await connect(name), await connect(name)];
  return {
    exchanges: [new ValkeyCounts(first), new ValkeyCounts(second)],
    async flush() {
      const client = new Redis(server.url);
      for (const key of await client.keys(`${first.prefix}*`)) await client.del(key);
      client.disconnect();
    },
    async close() {
      first.close();
      second.close();
    },
  };
});

test('keys expire: nothing is left of an installation that is gone', async () => {
  const valkey = await connect(randomBytes(4).toString('hex'));
  const batch = { counter: 'aa', minute: 1, day: 1, heardAt: 0, announced: [own] };
  await new ValkeyCounts(valkey).exchange({ ...batch, counts: [{ ...own, today: 1 }] });
  const client = new Redis(server.url);
  const keys = await client.keys(`${valkey.prefix}*`);
  assert.equal(keys.length, 2);
  for (const key of keys) assert.ok((await client.pttl(key)) > 0, `${key} expires`);
  client.disconnect();
  valkey.close();
});

test('what is no count is deleted, and refuses nobody', async () => {
  const valkey = await connect(randomBytes(4).toString('hex'));
  const client = new Redis(server.url);
  await client.hset(`${valkey.prefix}k1`, 'evil', 'a lot', 'worse', '-1 2 3 4');
  const batch = { counter: 'aa', minute: 1, day: 1, heardAt: 0, announced: [], counts: [{ ...own, today: 1 }] };
  assert.deepEqual((await new ValkeyCounts(valkey).exchange(batch)).others, [[]]);
  assert.deepEqual(await client.hkeys(`${valkey.prefix}k1`), ['aa']);
  client.disconnect();
  valkey.close();
});

test('a server that is not there rejects at once, and its password is in no error', async () => {
  const valkey = await Valkey.open({ url: new Secret('redis://:secret-word@127.0.0.1:1'), name: 'x' });
  const batch = { counter: 'aa', minute: 1, day: 1, heardAt: 0, announced: [], counts: [] };
  await assert.rejects(new ValkeyCounts(valkey).exchange(batch), (error: Error) => {
    assert.ok(!`${error.stack}`.includes('secret-word'));
    return true;
  });
  valkey.close();
});
