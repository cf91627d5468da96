/** Goal: notices in a stream of Valkey keep the promises of every board. Method: the contract, on a real server. */
import { randomBytes } from 'node:crypto';
import { after, before } from 'node:test';
import { Redis } from 'ioredis';
import { openRedis, type UsedRedis } from '../../../test/support/redis-server.ts';
import { Secret } from '../../core/secret.ts';
import { boardContract } from '../../nodes/notices/board-contract.ts';
import { Valkey } from './valkey.ts';
import { ValkeyNotices } from './valkey-notices.ts';

let server: UsedRedis;
before(async () => {
  server = await openRedis();
});
after(() => server.close());

boardContract(async () => {
  const name = randomBytes(4).toString('hex');
  const open = async () => {
    const valkey = await Valkey.open({ url: new Secret(server.url), name });
    await valkey.connected();
    return valkey;
  };
  const [first, second] = [await open(), await open()];
  return {
    boards: [new ValkeyNotices(first), new ValkeyNotices(second)],
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
