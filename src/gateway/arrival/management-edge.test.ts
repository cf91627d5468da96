/**
 * Goal: a management key is checked like every key: whether it is valid, and from where it is used. Method: real keys in
 * memory, requests as Node passes them.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { BadKeyLimiter } from '../../accounts/bad-key-limiter.ts';
import { KeyRegistry } from '../../accounts/key-registry.ts';
import { openMirror } from '../../accounts/open-mirror.ts';
import { newSecret } from '../../accounts/secret/key-secret.ts';
import { Pepper } from '../../accounts/secret/pepper.ts';
import type { ManagementEdge } from '../../api/management/door/parts.ts';
import { ManualClock } from '../../core/clock.ts';
import { Secret } from '../../core/secret.ts';
import { openAccountsInMemory } from '../../storage/sqlite/engine/kysely-under-test.ts';
import { type ManagementEdgePorts, managementEdge } from './management-edge.ts';
import { Tarpit } from './tarpit.ts';

async function open() {
  const clock = new ManualClock();
  const { store, transactions, feed } = await openAccountsInMemory(clock);
  const account = await store.createAccount({ name: 'A', createdAt: 0 });
  const { id: projectId } = await store.createProject({ accountId: account.id, name: 'P', createdAt: 0 });
  const pepper = new Pepper(new Secret('5a'.repeat(32)));
  const mirror = await openMirror({ store, feed }, pepper, clock.now());
  const registry = new KeyRegistry({ store, transactions, mirror, pepper, clock });
  const options = { projectId, name: null, kind: 'management', createdBy: null, expiresAt: null, limits: {} } as const;
  const near = await registry.create({ ...options, permissions: {} });
  const far = await registry.create({ ...options, permissions: { ips: ['192.0.2.0/24'] } });
  const gateway = {
    clock,
    keys: mirror,
    keyNews: null,
    scopes: mirror.scopes,
    badKeyLimiter: new BadKeyLimiter({ burst: 2, perSecond: 1 }, clock),
    tarpit: new Tarpit(clock),
    running: { draining: false },
    clientAddress: () => '203.0.113.7',
    limits: { headersMax: 100 },
  } as unknown as ManagementEdgePorts;
  const edge: ManagementEdge = managementEdge(gateway);
  const headers: [string, string][] = [];
  const reply = { raw: { socket: null }, header: (name: string, value: string) => headers.push([name, value]) };
  const identify = async (secret: string) => {
    const rawHeaders = ['Authorization', `Bearer ${secret}`];
    const raw = { rawHeaders, headers: {} } as unknown as IncomingMessage;
    return edge.keys.identify({ raw } as never, reply as never);
  };
  const check = (key: typeof near.key) => edge.keys.checkAddress(key, { raw: {} } as never);
  return { near, far, identify, check, headers };
}

test('a valid key is accepted, and an invalid one is 401', async () => {
  const { near, identify } = await open();
  assert.equal((await identify(near.secret.reveal())).id, near.key.id);
  await assert.rejects(identify('sk-tp-nonsense'), { code: 'invalid_api_key' });
});

test('guessing keys is slowed down as on other routes', async () => {
  const { identify, headers } = await open();
  const codes: unknown[] = [];
  for (let index = 0; index < 3; index += 1) {
    codes.push(await identify(newSecret().reveal()).catch((error: { code: string }) => error.code));
  }
  assert.deepEqual(codes, ['invalid_api_key', 'invalid_api_key', 'rate_limit_exceeded']);
  // There is no socket to wait on: the request is refused immediately, and its connection closed.
  assert.deepEqual(headers, [['connection', 'close']]);
});

test('a key used from another address is refused with that address', async () => {
  const { near, far, check } = await open();
  check(near.key);
  assert.throws(() => check(far.key), { code: 'permission_denied', message: /203\.0\.113\.7/ });
});
