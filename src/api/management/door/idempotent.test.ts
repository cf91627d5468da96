/** Goal: a retried creation is made once, and nobody gets another caller's answer. Method: creations at doors, with a store in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Doors, type FakeHandler, MANAGEMENT_KEY, openDoors, sessionToken } from './mount-fixture.ts';

function openCounting(handler?: FakeHandler) {
  let made = 0;
  const createKey: FakeHandler = (asked) => {
    made += 1;
    return handler?.(asked) ?? { data: { id: made }, key: `secret-${made}` };
  };
  return { doors: openDoors({ handlers: { createKey } }), made: () => made };
}

async function create(doors: Doors, key: string, payload: object = { name: 'k' }, user: string | null = null) {
  const answer = await doors.server.inject({
    method: 'POST',
    url: user === null ? '/api/v1/keys' : '/api/dashboard/keys',
    headers: {
      'idempotency-key': key,
      ...(user === null
        ? { authorization: `Bearer ${MANAGEMENT_KEY}` }
        : { cookie: `turnpike-session=${sessionToken(user)}`, 'sec-fetch-site': 'same-origin' }),
    },
    payload,
  });
  return { status: answer.statusCode, body: answer.body, replayed: answer.headers['idempotent-replayed'] };
}

test('a retried request gets the same answer for a day', async () => {
  const { doors, made } = openCounting();
  const first = await create(doors, 'a');
  assert.deepEqual(first, { status: 201, body: '{"data":{"id":1},"key":"secret-1"}', replayed: undefined });
  doors.clock.advance(86_399_000);
  assert.deepEqual(await create(doors, 'a'), { ...first, replayed: 'true' });
  doors.clock.advance(2_000);
  assert.match((await create(doors, 'a')).body, /secret-2/);
  assert.equal(made(), 2);
});

test('another request with the same key is refused', async () => {
  const { doors, made } = openCounting();
  await create(doors, 'a');
  const other = await create(doors, 'a', { name: 'other' });
  assert.equal(other.status, 422);
  assert.match(other.body, /idempotency_mismatch/);
  assert.equal(made(), 1);
});

test('each caller has separate idempotency keys', async () => {
  const { doors, made } = openCounting();
  await create(doors, 'a');
  await create(doors, 'a', { name: 'k' }, 'developer');
  const admin = await create(doors, 'a', { name: 'k' }, 'admin');
  assert.equal(admin.replayed, undefined);
  assert.equal(made(), 3);
});

test('while the first request runs, the second gets 409', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const { doors, made } = openCounting(() => promise);
  const first = create(doors, 'a');
  while (made() === 0) await new Promise(setImmediate);
  const second = await create(doors, 'a');
  assert.equal(second.status, 409);
  assert.match(second.body, /idempotency_in_flight/);
  resolve({ data: {}, key: 's' });
  assert.equal((await first).status, 201);
  assert.equal((await create(doors, 'a')).replayed, 'true');
});

test('after a failure the key can be used again', async () => {
  let fails = true;
  const { doors, made } = openCounting(() => {
    if (fails) throw new Error('no');
    return { data: {}, key: 's' };
  });
  assert.equal((await create(doors, 'a')).status, 500);
  fails = false;
  assert.equal((await create(doors, 'a')).status, 201);
  assert.equal(made(), 2);
});

test('a creation is answered even if the answer cannot be stored; after a minute it may be repeated', async () => {
  const { doors, made } = openCounting();
  doors.creations.isBroken = true;
  assert.equal((await create(doors, 'a')).status, 201);
  assert.equal((await create(doors, 'a')).status, 409);
  doors.creations.isBroken = false;
  doors.clock.advance(60_001);
  assert.equal((await create(doors, 'a')).status, 201);
  assert.equal(made(), 2);
});

test('an invalid key is refused, and ignored on routes that take none', async () => {
  const { doors } = openCounting();
  assert.equal((await create(doors, 'with space')).status, 400);
  const headers = { authorization: `Bearer ${MANAGEMENT_KEY}`, 'idempotency-key': 'with space' };
  assert.equal((await doors.server.inject({ method: 'DELETE', url: '/api/v1/keys/1', headers })).statusCode, 200);
});
