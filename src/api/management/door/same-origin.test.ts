/**
 * Goal: pages of other sites cannot change anything, and a session uses one cookie, never in clear text. Method: requests as browsers send
 * them, over https, on this machine and over a plain network.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DoorsOptions } from './mount-fixture.ts';
import { type Doors, openDoors, sessionToken } from './mount-fixture.ts';
import { readSessionCookie, writeSessionCookie } from './session-cookie.ts';

type Headers = Readonly<Record<string, string>>;

/** A change by a signed-in person, with headers that state its origin. */
async function change(doors: Doors, headers: Headers): Promise<number> {
  const answer = await doors.server.inject({
    method: 'POST',
    url: '/api/dashboard/projects',
    headers: { cookie: `turnpike-session=${sessionToken('owner')}`, host: 'localhost:8080', ...headers },
    payload: { name: 'p' },
  });
  return answer.statusCode;
}

test('a change needs the browser’s confirmation that our page requested it', async () => {
  const doors = openDoors();
  assert.equal(await change(doors, { 'sec-fetch-site': 'same-origin' }), 201);
  assert.equal(await change(doors, { origin: 'http://localhost:8080' }), 201);
  for (const site of ['cross-site', 'same-site', 'none', 'Same-Origin', ''])
    assert.equal(await change(doors, { 'sec-fetch-site': site, origin: 'http://localhost:8080' }), 403, site);
  for (const origin of ['http://localhost', 'https://localhost:8080', 'http://localhost:8080.evil.example', 'null', ''])
    assert.equal(await change(doors, { origin }), 403, origin);
  assert.equal(await change(doors, {}), 403);
  assert.equal(doors.asked.length, 2);
});

test('a form of another site is refused before its body is read', async () => {
  const doors = openDoors();
  const answer = await doors.server.inject({
    method: 'POST',
    url: '/api/dashboard/session',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    payload: 'email=a@b.c&password=x',
  });
  assert.equal(answer.statusCode, 403);
  assert.equal(answer.json().error.code, 'permission_denied');
});

test('reading needs no proof of origin: GET routes change nothing', async () => {
  const doors = openDoors();
  const headers = { cookie: `turnpike-session=${sessionToken('owner')}`, 'sec-fetch-site': 'cross-site' };
  assert.equal((await doors.server.inject({ url: '/api/dashboard/keys', headers })).statusCode, 200);
});

test('behind a proxy the public address counts as our own', async () => {
  const doors = openDoors({ publicUrl: 'https://models.example.com' });
  const cookie = `__Host-turnpike=${sessionToken('owner')}`;
  assert.equal(await change(doors, { cookie, origin: 'https://models.example.com' }), 201);
  assert.equal(await change(doors, { cookie, origin: 'https://evil.example.com' }), 403);
});

async function signIn(options: DoorsOptions, host: string) {
  const doors = openDoors({
    ...options,
    handlers: { signIn: ({ context }) => context.setSession(sessionToken('new')) },
  });
  const answer = await doors.server.inject({
    method: 'POST',
    url: '/api/dashboard/session',
    headers: { host, 'sec-fetch-site': 'same-origin' },
    payload: { email: 'a@example.com', password: 'x' },
  });
  return { status: answer.statusCode, cookie: answer.headers['set-cookie'] };
}

test('over https the cookie is limited to the host; on this machine it is a plain one', async () => {
  const flags = 'Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax';
  const secure = `__Host-turnpike=${sessionToken('new')}; ${flags}; Secure`;
  assert.equal((await signIn({ publicUrl: 'https://models.example.com' }, 'models.example.com')).cookie, secure);
  assert.equal((await signIn({ scheme: 'https' }, 'models.example.com')).cookie, secure);
  const plain = `turnpike-session=${sessionToken('new')}; ${flags}`;
  for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'turnpike.localhost'])
    assert.equal((await signIn({}, host)).cookie, plain, host);
});

test('over plain http there is no session, unless the operator configured that address', async () => {
  const refused = await signIn({}, '192.0.2.1:8080');
  assert.deepEqual(refused, { status: 403, cookie: undefined });
  assert.equal((await signIn({}, '127.0.0.1.evil.example')).status, 403);
  assert.equal((await signIn({ publicUrl: 'http://192.0.2.1:8080' }, '192.0.2.1:8080')).status, 200);
  const doors = openDoors();
  const cookie = `turnpike-session=${sessionToken('owner')}`;
  assert.equal(await change(doors, { cookie, host: '192.0.2.1:8080', 'sec-fetch-site': 'same-origin' }), 401);
});

test('a cookie with the plain name is ignored over https: another host may have set it', async () => {
  const doors = openDoors({ scheme: 'https' });
  const headers = { cookie: `turnpike-session=${sessionToken('owner')}`, 'sec-fetch-site': 'same-origin' };
  assert.equal(await change(doors, headers), 401);
});

test('a token sent by the caller never becomes valid: signing in creates a new one', async () => {
  const doors = openDoors({ handlers: { signIn: ({ context }) => context.setSession(sessionToken('new')) } });
  const planted = 'planted-by-somebody-else-00000000000000000';
  const answer = await doors.server.inject({
    method: 'POST',
    url: '/api/dashboard/session',
    headers: { cookie: `turnpike-session=${planted}`, 'sec-fetch-site': 'same-origin' },
    payload: { email: 'a@example.com', password: 'x' },
  });
  assert.doesNotMatch(String(answer.headers['set-cookie']), /planted/);
  assert.equal(doors.asked[0]?.context.actor.kind, 'nobody');
});

test('below a base path the cookie is limited to that path, with a name that requires https', async () => {
  const value = sessionToken('new');
  const flags = 'Path=/llm; Max-Age=2592000; HttpOnly; SameSite=Lax';
  const publicUrl = 'https://models.example.com/llm';
  assert.equal(
    (await signIn({ publicUrl }, 'models.example.com')).cookie,
    `__Secure-turnpike=${value}; ${flags}; Secure`,
  );
  const plain = await signIn({ publicUrl: 'http://127.0.0.1:8080/llm' }, '127.0.0.1:8080');
  assert.equal(plain.cookie, `turnpike-session=${value}; ${flags}`);
  const doors = openDoors({ publicUrl });
  const owner = sessionToken('owner');
  const origin = 'https://models.example.com';
  assert.equal(await change(doors, { cookie: `__Secure-turnpike=${owner}`, origin }), 201);
  assert.equal(
    await change(doors, { cookie: `__Host-turnpike=${owner}`, origin }),
    401,
    'it belongs to another installation',
  );
});

test('two contradicting cookies are both ignored', () => {
  const [one, two] = ['a'.repeat(43), 'b'.repeat(43)];
  const place = { isSecure: true, basePath: '' };
  assert.equal(readSessionCookie(`x=1; __Host-turnpike=${one}; y=2`, place), one);
  assert.equal(readSessionCookie(`__Host-turnpike=${one}; __Host-turnpike=${two}`, place), null);
  assert.equal(readSessionCookie(`__Host-turnpike=${one}; __Host-turnpike=${one}`, place), one);
  assert.equal(readSessionCookie('__Host-turnpike=<script>', place), null);
  assert.equal(readSessionCookie(undefined, place), null);
  assert.equal(writeSessionCookie(null, place), '__Host-turnpike=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure');
});
