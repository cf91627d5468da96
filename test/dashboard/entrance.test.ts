/**
 * Goal: nobody gets in through another site's page or a planted cookie, and a session that ends, ends
 * immediately. Method: the real program with a trusted proxy in front, with the requests that a browser sends for an
 * attacker's page, and for its own.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { contractRoutes } from '../../src/api/contract/schemas.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { chatBody } from '../support/open-gateway.ts';
import { type Asked, ask, begin, type Reply } from './ask.ts';
import { Browser } from './browser.ts';
import { browserAt, newMember } from './newcomers.ts';
import { bearer, good, openTown, PASSWORD, type Person, type Town, tokenIn, whoIs } from './two-accounts.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
let town: Town;
before(async () => {
  town = await openTown({ trustProxy: 1 }, { clock });
});
after(() => town.close());

const at = (address: string) => browserAt(town, address);

describe('pages of other sites', () => {
  const evil = { origin: 'https://evil.example' };
  const foreign: Readonly<Record<string, Asked['headers'] & object>> = {
    'a page of another site': { 'sec-fetch-site': 'cross-site', ...evil },
    'a page of a sibling site': { 'sec-fetch-site': 'same-site', origin: 'http://neighbour.localhost' },
    'an address typed in': { 'sec-fetch-site': 'none' },
    'an old browser, at another site': evil,
    'a sandboxed frame': { origin: 'null' },
    'a sandboxed frame in a browser of today': { 'sec-fetch-site': 'cross-site', origin: 'null' },
    'another site that says it is ours': { 'sec-fetch-site': 'cross-site', origin: 'OWN' },
    'no browser at all': {},
    'another port of this machine': { origin: 'http://127.0.0.1:1' },
    'an origin that begins like ours': { origin: 'OWN.evil.example' },
    'ours by another scheme': { origin: 'HTTPS' },
    'two words for one': { 'sec-fetch-site': 'same-origin, cross-site', origin: 'OWN' },
  };

  test('cannot change anything on any route, whoever is signed in', { timeout: 30_000 }, async () => {
    const { browser } = town.b.people.owner;
    const before = counted();
    for (const { name, route } of contractRoutes) {
      if (route.method === 'GET' || !route.doors.includes('dashboard')) continue;
      const path = `/api/dashboard${route.path.replaceAll(/:\w+/g, '1')}`;
      const reply = await Promise.all(
        Object.entries(foreign).map(async ([who, headers]) => {
          const origin = String(headers['origin'] ?? '')
            .replace('OWN', town.url)
            .replace('HTTPS', town.url.replace('http', 'https'));
          const sent = { ...headers, ...(origin === '' ? {} : { origin }), ...browser.head() };
          return { who, reply: await ask(town.url, { method: route.method, path, headers: sent, body: {} }) };
        }),
      );
      for (const each of reply) {
        assert.equal(each.reply.status, 403, `${name}: ${each.who} ${each.reply.text}`);
        assert.equal(each.reply.headers['set-cookie'], undefined);
      }
    }
    assert.deepEqual(counted(), before);
  });

  test('content that a form can send is not accepted from our own page either', async () => {
    const { browser } = town.b.people.owner;
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      'text/json',
      'application/json-patch+json',
    ]) {
      const reply = await ask(town.url, {
        method: 'POST',
        path: '/api/dashboard/projects',
        headers: { ...browser.head(), 'sec-fetch-site': 'same-origin', 'content-type': type },
        body: '{"name":"Planted"}',
      });
      assert.equal(reply.status, 415, `${type} ${reply.text}`);
    }
  });

  test('no other origin may read answers, and no preflight allows it to write', async () => {
    const { browser } = town.b.people.owner;
    const headers = { ...browser.head(), ...evil, 'access-control-request-method': 'DELETE' };
    for (const method of ['GET', 'OPTIONS', 'HEAD'])
      for (const path of ['/api/dashboard/keys', '/api/dashboard/session', '/api/v1/keys', '/openapi.json', '/']) {
        const reply = await ask(town.url, { method, path, headers });
        assert.deepEqual(
          Object.keys(reply.headers).filter((name) => name.startsWith('access-control')),
          [],
        );
      }
  });

  test('our own page is recognised by either header', async () => {
    const { browser } = town.b.people.owner;
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: town.url }]) {
      const sent = { ...browser.head(), ...headers };
      const reply = await ask(town.url, {
        method: 'PATCH',
        path: '/api/dashboard/profile',
        headers: sent,
        body: { name: 'Owner' },
      });
      assert.equal(reply.status, 200, reply.text);
    }
  });
});

describe('cookies', () => {
  /** The session's cookie, and the one that identifies the browser. */
  const cookiesOf = ({ headers }: Reply) => headers['set-cookie'] ?? [];

  test('over plain http on this machine: hidden from scripts, for this host only', async () => {
    const [session = '', device = '', ...more] = cookiesOf(
      await at('10.1.0.1').signIn(town.b.people.owner.email, PASSWORD),
    );
    assert.match(session, /^turnpike-session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    assert.match(device, /^turnpike-device=[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    assert.deepEqual(more, []);
  });

  test('over https: under a name that only this host can set, and only over https', async () => {
    const secure = { 'x-forwarded-proto': 'https', host: 'gateway.example' };
    const browser = new Browser(town.url, { 'x-forwarded-for': '10.1.0.2', ...secure });
    const [session = '', device = ''] = cookiesOf(await browser.signIn(town.b.people.owner.email, PASSWORD));
    assert.match(session, /^__Host-turnpike=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
    assert.match(device, /^__Host-turnpike-device=[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
    assert.equal(await browser.isSignedIn(), true);
    // The same token is worth nothing there under the plain name, nor the other way round.
    const token = browser.cookie?.split('=')[1];
    browser.cookie = `turnpike-session=${token}`;
    assert.equal(await browser.isSignedIn(), false);
    const plain = at('10.1.0.2');
    plain.cookie = `__Host-turnpike=${token}`;
    assert.equal(await plain.isSignedIn(), false);
  });

  test('over plain http on a network there are no sessions: none is created, and none is accepted', async () => {
    const browser = new Browser(town.url, { 'x-forwarded-for': '10.1.0.3', host: 'gateway.example' });
    const reply = await browser.signIn(town.b.people.owner.email, PASSWORD);
    assert.equal(reply.status, 403);
    assert.equal(reply.headers['set-cookie'], undefined);
    browser.cookie = town.b.people.owner.browser.cookie;
    assert.equal(await browser.isSignedIn(), false);
    // A request from a page of the same host name is one.
    const rebound = new Browser(town.url, { host: 'evil.example', origin: 'http://evil.example' });
    rebound.cookie = town.b.people.owner.browser.cookie;
    assert.equal((await rebound.ask('GET', '/profile')).status, 401);
  });

  test('a cookie planted before the sign-in is not the session after it', async () => {
    const planted = `turnpike-session=${'p'.repeat(43)}`;
    const victim = at('10.1.0.4');
    victim.cookie = planted;
    good(await victim.signIn(town.b.people.owner.email, PASSWORD));
    assert.notEqual(victim.cookie, planted);
    const attacker = at('10.1.0.5');
    attacker.cookie = planted;
    assert.equal(await attacker.isSignedIn(), false);
  });

  test('an attacker’s planted session ends with the sign-in, and never becomes the victim’s', async () => {
    const attacker = await newMember(town, 'viewer');
    const victim = at('10.1.0.6');
    victim.cookie = attacker.browser.cookie;
    good(await victim.signIn(town.b.people.owner.email, PASSWORD));
    assert.notEqual(victim.cookie, attacker.browser.cookie);
    assert.equal(await attacker.browser.isSignedIn(), false);
    assert.equal((await whoIs(victim)).email, town.b.people.owner.email);
  });

  test('two contradictory cookies count as none, and the rest of the header is ignored', async () => {
    const { cookie } = town.b.people.owner.browser;
    const asked = async (header: string) => {
      const reply = await ask(town.url, { path: '/api/dashboard/session', headers: { cookie: header } });
      return reply.json.data.user !== null;
    };
    assert.equal(await asked(`${cookie}`), true);
    assert.equal(await asked(`a=b; ${cookie}; c=d`), true);
    assert.equal(await asked(`turnpike-session=${'x'.repeat(43)}; ${cookie}`), false);
    for (const odd of [
      `x${cookie}`,
      `${cookie}x`,
      `turnpike-session="${cookie?.split('=')[1]}"`,
      `Turnpike-Session=${cookie?.split('=')[1]}`,
      'turnpike-session=',
      `turnpike-session=${'y'.repeat(9000)}`,
    ])
      assert.equal(await asked(odd), false, odd.slice(0, 60));
  });
});

describe('a session ends immediately', () => {
  const ends: Readonly<Record<string, (person: Person, other: Browser) => Promise<unknown>>> = {
    'by signing out': async ({ browser }) => {
      // The cookie is kept, as by an attacker who copied it.
      const kept = browser.cookie;
      good(await browser.ask('DELETE', '/session'));
      browser.cookie = kept;
    },
    'by a new password, set elsewhere': async (_, other) => {
      const body = { current_password: PASSWORD, new_password: 'another horse in the sun' };
      good(await other.ask('POST', '/profile/password', body));
    },
    'by a password reset link': async ({ email }) => {
      const { json } = good(
        await ask(town.socket, { method: 'POST', path: '/control/api/admin/reset', body: { email } }),
      );
      const body = { token: tokenIn(json.data.url), password: 'another horse in the sun' };
      good(await at('10.2.0.1').ask('POST', '/password/reset', body));
    },
    'by ending it elsewhere': async (_, other) => {
      const { data } = good(await other.ask('GET', '/profile/sessions')).json;
      const theirs = data.find((each: { is_current: boolean }) => !each.is_current);
      good(await other.ask('DELETE', `/profile/sessions/${theirs.id}`));
    },
    'by ending all others': async (_, other) => good(await other.ask('DELETE', '/profile/sessions')),
    'by a lesser role': ({ id }) => town.b.people.owner.browser.ask('PATCH', `/members/${id}`, { role: 'viewer' }),
    'by being removed': ({ id }) => town.b.people.owner.browser.ask('DELETE', `/members/${id}`),
    'by being disabled': async ({ id }) => {
      const database = new DatabaseSync(join(town.bench.dataFolder, 'turnpike.db'), { timeout: 5_000 });
      database.exec(`UPDATE users SET disabled_at = 1 WHERE id = ${id}`);
      database.close();
    },
    'by reaching its maximum age': async () => clock.stepWall(13 * 3_600_000),
  };
  for (const [how, end] of Object.entries(ends)) {
    test(`${how}, and so do its live streams`, { timeout: 20_000 }, async () => {
      const person = await newMember(town, 'developer');
      const other = await person.signIn('10.2.0.2');
      const headers = { ...person.browser.head(), 'sec-fetch-site': 'same-origin' };
      const tail = await begin(town.url, { path: '/api/dashboard/calls/live', headers });
      assert.equal(tail.statusCode, 200);
      let seen = '';
      const ended = new Promise<void>((resolve) =>
        tail
          .setEncoding('utf8')
          .on('data', (text) => (seen += text))
          .once('close', resolve),
      );
      await end(person, other);
      const reply = await person.browser.ask('GET', '/profile');
      assert.equal(reply.status, 401, reply.text);
      assert.equal((await person.browser.ask('PATCH', '/profile', { name: 'Still here' })).status, 401);
      const recorded = town.bench.nextRecord();
      const headersOfKey = bearer(town.b.keys.active.secret) as Record<string, string>;
      await (await town.bench.post('/api/v1/chat/completions', chatBody(false), headersOfKey)).text();
      await recorded;
      clock.advance(1_000);
      await ended;
      assert.equal(seen.includes('event: call'), false, seen);
      if (how === 'by reaching its maximum age') await Promise.all(ownersAgain());
    });
  }

  /** The clock moved on for everybody. */
  function ownersAgain(): Promise<unknown>[] {
    return [town.a.people.owner, town.b.people.owner].map(({ browser, email }) => browser.signIn(email, PASSWORD));
  }
});

function counted(): Readonly<Record<string, unknown>> {
  const database = new DatabaseSync(join(town.bench.dataFolder, 'turnpike.db'), { readOnly: true });
  const tables = [
    'users',
    'sessions',
    'links',
    'memberships',
    'keys',
    'projects',
    'accounts',
    'audit',
    'entries',
    'providers',
  ];
  const counts = tables.map((table) => [table, database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']]);
  database.close();
  return Object.fromEntries(counts);
}
