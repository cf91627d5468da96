/**
 * Goal: nobody exceeds their rights, at any door. Method: a real server with the whole contract and stand-in handlers, with requests as
 * browsers and programs send them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { Need } from '../../contract/route.ts';
import { contractRoutes } from '../../contract/schemas.ts';
import {
  DISK_TROUBLE,
  type Doors,
  FAR_KEY,
  INFERENCE_KEY,
  MANAGEMENT_KEY,
  openDoors,
  sessionToken,
} from './mount-fixture.ts';
import { isSafe } from './same-origin.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

function cookieOf(name: string) {
  return { cookie: `turnpike-session=${sessionToken(name)}` };
}

async function ask(doors: Doors, method: string, url: string, more: Partial<InjectOptions> = {}) {
  const answer = await doors.server.inject({ method: method as 'GET', url, ...more });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body === '' ? null : tryJson(answer.body) };
}

function tryJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A request as from a page of the dashboard. */
function asUser(doors: Doors, name: string, method: string, path: string, payload?: object) {
  return ask(doors, method, `/api/dashboard${path}`, {
    headers: { ...cookieOf(name), ...SAME_ORIGIN },
    ...(payload && { payload }),
  });
}

function asKey(doors: Doors, secret: string, method: string, path: string, payload?: object) {
  return ask(doors, method, `/api/v1${path}`, {
    headers: { authorization: `Bearer ${secret}` },
    ...(payload && { payload }),
  });
}

test('a person reads through the dashboard, and answers are not cacheable', async () => {
  const doors = openDoors();
  const { status, headers, body } = await asUser(doors, 'viewer', 'GET', '/keys');
  assert.equal(status, 200);
  assert.deepEqual(body, { data: { name: 'listKeys' } });
  assert.match(String(headers['x-request-id']), /^req_/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  const [{ context }] = doors.asked as [Doors['asked'][number]];
  assert.equal(context.account.id, 1);
  assert.equal(context.role, 'viewer');
  assert.equal(context.actorId, 'user:4');
  assert.equal(context.ip, '203.0.113.7');
  assert.equal(context.sessionToken, sessionToken('viewer'));
});

test('without a session only public routes answer', async () => {
  const doors = openDoors();
  const anonymous = { headers: SAME_ORIGIN };
  const refused = await ask(doors, 'GET', '/api/dashboard/keys', anonymous);
  assert.equal(refused.status, 401);
  assert.equal(refused.body.error.code, 'not_signed_in');
  assert.match(String(refused.headers['x-request-id']), /^req_/);
  assert.equal((await ask(doors, 'GET', '/api/dashboard/session', anonymous)).status, 200);
  assert.equal(doors.asked[0]?.context.actor.kind, 'nobody');
});

test('a session that awaits its second factor grants nothing, except to the route that finishes it', async () => {
  const doors = openDoors();
  const found = doors.sessions.get(sessionToken('owner'));
  assert.ok(found);
  found.session = { ...found.session, state: 'awaits_totp' };
  assert.equal((await asUser(doors, 'owner', 'GET', '/profile')).status, 401);
  assert.equal((await asUser(doors, 'owner', 'POST', '/session/totp', { code: '123456' })).status, 200);
  assert.equal(doors.asked[0]?.context.actor.kind, 'nobody');
  assert.equal(doors.asked[0]?.context.sessionToken, sessionToken('owner'));
});

test('each role may use exactly the routes of the contract, and errors name the required role', async () => {
  const doors = openDoors();
  const rank: Readonly<Record<string, number>> = { viewer: 1, developer: 2, admin: 3, owner: 4, operator: 5 };
  for (const { name, route } of contractRoutes.filter((each) => each.route.doors.includes('dashboard'))) {
    const path = route.path.replaceAll(/:\w+/g, '1');
    for (const role of ['viewer', 'developer', 'admin', 'owner', 'operator']) {
      const { status, body } = await asUser(doors, role, route.method, path, isSafe(route.method) ? undefined : {});
      const may = needRank(route.needs) <= (rank[role] ?? 0);
      // A body without its required fields is refused after the role was checked.
      if (may) assert.ok([200, 201, 202, 400].includes(status), `${name} as ${role}: ${status}`);
      else {
        assert.equal(status, 403, `${name} as ${role}`);
        assert.equal(body.error.code, 'permission_denied');
        assert.match(body.error.message, new RegExp(route.needs));
      }
    }
  }
  function needRank(need: Need): number {
    return need === 'nobody' || need === 'user' ? 0 : (rank[need] ?? 9);
  }
});

test('an account of others is not found, for people and for keys', async () => {
  const doors = openDoors();
  for (const id of [2, 3, 99]) {
    const { status, body } = await asUser(doors, 'owner', 'GET', `/keys?account=${id}`);
    assert.equal(status, 404);
    assert.equal(body.error.message, 'The account does not exist.');
    assert.equal((await asKey(doors, MANAGEMENT_KEY, 'GET', `/keys?account=${id}`)).status, 404);
  }
  assert.equal((await asKey(doors, MANAGEMENT_KEY, 'GET', '/keys?account=1')).status, 200);
  assert.equal((await asUser(doors, 'lonely', 'GET', '/keys')).status, 404);
  assert.equal(doors.asked.length, 1);
});

test('an operator is an owner in every account, by default the oldest', async () => {
  const doors = openDoors();
  await asUser(doors, 'operator', 'GET', '/keys');
  await asUser(doors, 'operator', 'GET', '/keys?account=2');
  await asUser(doors, 'operator', 'POST', '/balance/entries?account=2', { amount: '5', reference: 'r' });
  await ask(doors, 'GET', '/control/api/keys');
  await ask(doors, 'GET', '/control/api/keys?account=2');
  assert.deepEqual(
    doors.asked.map(({ context }) => [context.account.id, context.role, context.isOperator]),
    [1, 2, 2, 1, 2].map((id) => [id, 'owner', true]),
  );
});

test('a closed account can be read, and only operators change it', async () => {
  const doors = openDoors();
  assert.equal((await asUser(doors, 'leaver', 'GET', '/projects')).status, 200);
  const refused = await asUser(doors, 'leaver', 'POST', '/projects', { name: 'p' });
  assert.equal(refused.status, 409);
  assert.equal(refused.body.error.code, 'conflict');
  assert.equal((await asUser(doors, 'operator', 'POST', '/projects?account=3', { name: 'p' })).status, 201);
});

test('the default account is the person’s oldest open one', async () => {
  const doors = openDoors();
  doors.memberships.push({
    ...must(doors.memberships.find(({ role }) => role === 'owner')),
    accountId: 2 as never,
    joinedAt: 0,
  });
  await asUser(doors, 'owner', 'GET', '/keys');
  assert.equal(doors.asked[0]?.context.account.id, 2);
  doors.accounts[1] = { ...must(doors.accounts[1]), closedAt: 7 };
  await asUser(doors, 'owner', 'GET', '/keys');
  assert.equal(doors.asked[1]?.context.account.id, 1);
});

test('a management key is an admin of its own account', async () => {
  const doors = openDoors();
  assert.equal((await asKey(doors, MANAGEMENT_KEY, 'GET', '/keys')).status, 200);
  const [{ context }] = doors.asked as [Doors['asked'][number]];
  assert.deepEqual(
    [context.account.id, context.role, context.actorId, context.isOperator],
    [1, 'admin', 'key:9', false],
  );

  const inference = await asKey(doors, INFERENCE_KEY, 'GET', '/keys');
  assert.equal(inference.status, 403);
  assert.equal(inference.body.error.code, 403);
  assert.match(inference.body.error.message, /management key/);
  assert.equal((await asKey(doors, FAR_KEY, 'GET', '/keys')).status, 403);

  const none = await ask(doors, 'GET', '/api/v1/keys');
  assert.equal(none.status, 401);
  assert.equal(none.headers['www-authenticate'], 'Bearer realm="turnpike"');
  assert.equal(none.body.error.metadata.error_type, 'invalid_api_key');
});

test('no door accepts the credentials of another', async () => {
  const doors = openDoors();
  const withKey = { headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, ...SAME_ORIGIN } };
  assert.equal((await ask(doors, 'GET', '/api/dashboard/keys', withKey)).status, 401);
  const keyInCookie = { headers: { cookie: `turnpike-session=${MANAGEMENT_KEY}`, ...SAME_ORIGIN } };
  assert.equal((await ask(doors, 'GET', '/api/dashboard/keys', keyInCookie)).status, 401);
  assert.equal((await ask(doors, 'GET', '/api/v1/keys', { headers: cookieOf('owner') })).status, 401);
  for (const path of ['/accounts', '/profile', '/session', '/provider-kinds'])
    assert.equal((await asKey(doors, MANAGEMENT_KEY, 'GET', path)).status, 404, path);
  assert.equal(doors.asked.length, 0);
});

test('unknown fields are refused by name, in bodies and queries', async () => {
  const doors = openDoors();
  const inBody = await asKey(doors, MANAGEMENT_KEY, 'POST', '/keys', { name: 'k', budget: 5 });
  assert.equal(inBody.status, 400);
  assert.equal(inBody.body.error.metadata.error_type, 'field_not_allowed');
  assert.match(inBody.body.error.message, /budget/);
  const inQuery = await asUser(doors, 'viewer', 'GET', '/keys?projekt=1');
  assert.equal(inQuery.body.error.code, 'field_not_allowed');
  assert.equal(inQuery.body.error.param, 'projekt');
  const proto = await ask(doors, 'POST', '/api/v1/keys', {
    headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, 'content-type': 'application/json' },
    payload: '{"__proto__": {"name": "x"}}',
  });
  assert.equal(proto.status, 400);
  assert.equal((await asUser(doors, 'viewer', 'GET', '/keys?limit=1&limit=2')).status, 400);
  assert.equal(doors.asked.length, 0);
});

test('defaults are filled in, and the parsed input reaches the handler', async () => {
  const doors = openDoors();
  await asKey(doors, MANAGEMENT_KEY, 'DELETE', '/keys/12?now=true');
  assert.deepEqual(doors.asked[0]?.input, {
    params: { key: '12' },
    query: { now: 'true', with_made: 'false' },
    body: {},
  });
  const made = await asKey(doors, MANAGEMENT_KEY, 'POST', '/keys');
  assert.equal(made.status, 201);
  assert.deepEqual(doors.asked[1]?.input.body, { kind: 'inference', limits: {}, permissions: {} });
});

test('only JSON of a limited size is accepted', async () => {
  const doors = openDoors();
  const post = (contentType: string, payload: string, more = {}) =>
    ask(doors, 'POST', '/api/dashboard/projects', {
      headers: { ...cookieOf('admin'), ...SAME_ORIGIN, 'content-type': contentType, ...more },
      payload,
    });
  assert.equal((await post('application/json; charset=utf-8', '{"name":"p"}')).status, 201);
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
  ])
    assert.equal((await post(type, '{"name":"p"}')).status, 415, type);
  assert.equal((await post('application/json', '{"name":"p"}', { 'content-encoding': 'gzip' })).status, 415);
  assert.equal((await post('application/json', '{"name":')).body.error.code, 'invalid_json');
  assert.equal((await post('application/json', '"text"')).status, 400);
  assert.equal((await post('application/json', 'null')).status, 400);
  assert.equal((await post('application/json', JSON.stringify({ name: 'x'.repeat(300_000) }))).status, 413);
});

test('money is written as an exact number', async () => {
  const doors = openDoors({ handlers: { readBalance: () => ({ data: { balance: JSON.rawJSON('0.000000001') } }) } });
  const { payload } = await doors.server.inject({ url: '/control/api/balance' });
  assert.equal(payload, '{"data":{"balance":0.000000001}}');
});

test('an internal error is answered without its text, and logged', async () => {
  const doors = openDoors({
    handlers: {
      listKeys: () => {
        throw new Error('a secret in a stack');
      },
    },
  });
  const { status, body } = await asUser(doors, 'viewer', 'GET', '/keys');
  assert.equal(status, 500);
  assert.doesNotMatch(JSON.stringify(body), /secret in a stack/);
  assert.equal(doors.errors[0]?.code, 'internal_error');
});

test('a storage error is 503 at every door, and logged, never an unknown person or key', async () => {
  const inTrouble = () => {
    throw new Error(DISK_TROUBLE);
  };
  const doors = openDoors({ handlers: { listKeys: inTrouble } });
  doors.sessions.get = inTrouble;
  for (const { status, body, headers } of [
    await asUser(doors, 'viewer', 'GET', '/keys'),
    await asKey(doors, MANAGEMENT_KEY, 'GET', '/keys'),
    await ask(doors, 'GET', '/control/api/keys'),
  ]) {
    assert.deepEqual([status, headers['retry-after']], [503, '5']);
    assert.doesNotMatch(JSON.stringify(body), /disk is full/);
  }
  assert.deepEqual([...new Set(doors.errors.map(({ code }) => code))], ['internal_error']);
});

test('audit entries have actor, account, address and request id', async () => {
  const change = { action: 'key.create', subject: { kind: 'key', id: '1', name: 'k' }, before: null, after: null };
  const doors = openDoors({
    handlers: {
      createKey: async ({ context }) => context.audit(change),
      createProvider: async ({ context }) => context.audit({ ...change, accountId: null }),
    },
  });
  await asUser(doors, 'developer', 'POST', '/keys', {});
  await asKey(doors, MANAGEMENT_KEY, 'POST', '/keys', {});
  await ask(doors, 'POST', '/control/api/providers', { payload: { name: 'p', kind: 'openai' } });
  assert.deepEqual(
    doors.audited.map(({ actor, accountId, ip }) => [actor.kind, actor.id, actor.name, accountId, ip]),
    [
      ['user', 3, 'developer@example.com', 1, '203.0.113.7'],
      ['key', 9, MANAGEMENT_KEY, 1, '203.0.113.7'],
      ['operator', null, 'Command line', null, null],
    ],
  );
  for (const { requestId } of doors.audited) assert.match(requestId ?? '', /^req_/);
});

test('HEAD is GET without its body; another method is 405 with the allowed ones', async () => {
  const doors = openDoors();
  const head = await ask(doors, 'HEAD', '/api/dashboard/keys', { headers: cookieOf('viewer') });
  assert.deepEqual([head.status, head.body], [200, null]);
  for (const method of ['PUT', 'OPTIONS', 'DELETE']) {
    const { status, headers, body } = await asUser(doors, 'viewer', method, '/keys');
    assert.equal(status, 405);
    assert.equal(headers['allow'], 'GET, HEAD, POST');
    assert.equal(body.error.code, 'method_not_allowed');
  }
  const options = await ask(doors, 'OPTIONS', '/api/v1/keys', { headers: { origin: 'https://evil.example' } });
  assert.equal(options.headers['access-control-allow-origin'], undefined);
});

function must<Value>(value: Value | undefined): Value {
  assert.ok(value !== undefined);
  return value;
}

test('a right lost while a handler runs prevents the change at its end', async () => {
  const changed: string[] = [];
  const losses: Readonly<Record<string, (doors: Doors) => void>> = {
    'signed out': (doors) => void doors.sessions.delete(sessionToken('admin')),
    demoted: (doors) => void doors.memberships.splice(1, 1, { ...memberOf(doors), role: 'developer' }),
    removed: (doors) => void doors.memberships.splice(1, 1),
  };
  for (const [name, lose] of Object.entries(losses)) {
    const doors = openDoors({
      handlers: {
        createKey: async ({ context }) => {
          lose(doors);
          await context.checkStill();
          changed.push(name);
        },
      },
    });
    const { status } = await asUser(doors, 'admin', 'POST', '/keys', { name: 'k' });
    assert.equal(status, { 'signed out': 401, demoted: 403, removed: 404 }[name], name);
  }
  assert.deepEqual(changed, []);
  function memberOf({ memberships }: Doors) {
    const [, admin] = memberships;
    assert.ok(admin);
    return admin;
  }
});
