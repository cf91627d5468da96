/**
 * Goal: nobody gets in who should not, through a page of somebody else, a planted cookie or by guessing; who is out is
 * out at once; and nobody learns who is known here. Method: the real program behind a proxy that is trusted, with the
 * requests that a browser sends for an attacker's page, and its own.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { contractRoutes } from '../../src/api/contract-schemas.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { totpCode, totpStep } from '../../src/members/totp.ts';
import { chatBody } from '../support/open-gateway.ts';
import { type Asked, ask, begin, codeOf, type Told } from './ask.ts';
import { Browser } from './browser.ts';
import { hashes } from './hashes.ts';
import { bearer, good, openTown, PASSWORD, type Person, type Town, tokenIn, whoIs } from './two-accounts.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
let town: Town;
before(async () => {
  const smtp = { url: 'smtp://127.0.0.1:9', from: 'turnpike@example.com' };
  town = await openTown({ trustProxy: 1, dashboard: { signUp: 'open' }, smtp }, { clock });
});
after(() => town.close());

/** A browser that the proxy says is at this address. */
function at(address: string): Browser {
  return new Browser(town.url, { 'x-forwarded-for': address });
}

let people = 0;
/** Somebody new in account B, in a browser of theirs. */
async function newMember(role: string): Promise<Person & { readonly signIn: (address: string) => Promise<Browser> }> {
  people += 1;
  const { link } = good(await town.control('POST', `/invitations?account=${town.b.id}`, { role })).json;
  const browser = at(`10.9.0.${people}`);
  const email = `guest-${people}@example.com`;
  const person = { token: tokenIn(link), email, name: `Guest ${people}`, password: PASSWORD };
  good(await browser.ask('POST', '/invitations/accept', person));
  const signIn = async (address: string) => {
    const other = at(address);
    good(await other.signIn(email, PASSWORD));
    return other;
  };
  return { ...(await whoIs(browser)), browser, signIn };
}

describe('pages of others', () => {
  const evil = { origin: 'https://evil.example' };
  const foreign: Readonly<Record<string, Asked['headers'] & object>> = {
    'a page of another site': { 'sec-fetch-site': 'cross-site', ...evil },
    'a page of a neighbour': { 'sec-fetch-site': 'same-site', origin: 'http://neighbour.localhost' },
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

  test('no change on any route is made for them, whoever is signed in', { timeout: 30_000 }, async () => {
    const { browser } = town.b.people.owner;
    const before = counted();
    for (const { name, route } of contractRoutes) {
      if (route.method === 'GET' || !route.doors.includes('dashboard')) continue;
      const path = `/api/dashboard${route.path.replaceAll(/:\w+/g, '1')}`;
      const told = await Promise.all(
        Object.entries(foreign).map(async ([who, headers]) => {
          const origin = String(headers['origin'] ?? '')
            .replace('OWN', town.url)
            .replace('HTTPS', town.url.replace('http', 'https'));
          const sent = { ...headers, ...(origin === '' ? {} : { origin }), ...browser.head() };
          return { who, told: await ask(town.url, { method: route.method, path, headers: sent, body: {} }) };
        }),
      );
      for (const each of told) {
        assert.equal(each.told.status, 403, `${name}: ${each.who} ${each.told.text}`);
        assert.equal(each.told.headers['set-cookie'], undefined);
      }
    }
    assert.deepEqual(counted(), before);
  });

  test('what a form can send is not taken from our own page either', async () => {
    const { browser } = town.b.people.owner;
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      'text/json',
      'application/json-patch+json',
    ]) {
      const told = await ask(town.url, {
        method: 'POST',
        path: '/api/dashboard/projects',
        headers: { ...browser.head(), 'sec-fetch-site': 'same-origin', 'content-type': type },
        body: '{"name":"Planted"}',
      });
      assert.equal(told.status, 415, `${type} ${told.text}`);
    }
  });

  test('no other origin is told that it may read, and none may ask whether it may write', async () => {
    const { browser } = town.b.people.owner;
    const headers = { ...browser.head(), ...evil, 'access-control-request-method': 'DELETE' };
    for (const method of ['GET', 'OPTIONS', 'HEAD'])
      for (const path of ['/api/dashboard/keys', '/api/dashboard/session', '/api/v1/keys', '/openapi.json', '/']) {
        const told = await ask(town.url, { method, path, headers });
        assert.deepEqual(
          Object.keys(told.headers).filter((name) => name.startsWith('access-control')),
          [],
        );
      }
  });

  test('our own page is believed by either header', async () => {
    const { browser } = town.b.people.owner;
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: town.url }]) {
      const sent = { ...browser.head(), ...headers };
      const told = await ask(town.url, {
        method: 'PATCH',
        path: '/api/dashboard/profile',
        headers: sent,
        body: { name: 'Owner' },
      });
      assert.equal(told.status, 200, told.text);
    }
  });
});

describe('cookies', () => {
  const cookieOf = (told: Told) => String(told.headers['set-cookie']);

  test('over plain http on this machine: hidden from scripts, of this host, and no more than that', async () => {
    const cookie = cookieOf(await at('10.1.0.1').signIn(town.b.people.owner.email, PASSWORD));
    assert.match(cookie, /^turnpike-session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  });

  test('over https: under a name that only this host can set, and never in the clear', async () => {
    const secure = { 'x-forwarded-proto': 'https', host: 'gateway.example' };
    const browser = new Browser(town.url, { 'x-forwarded-for': '10.1.0.2', ...secure });
    const cookie = cookieOf(await browser.signIn(town.b.people.owner.email, PASSWORD));
    assert.match(cookie, /^__Host-turnpike=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
    assert.equal(await browser.isSignedIn(), true);
    // The same token under the plain name is worth nothing there, nor the other way round.
    const token = browser.cookie?.split('=')[1];
    browser.cookie = `turnpike-session=${token}`;
    assert.equal(await browser.isSignedIn(), false);
    const plain = at('10.1.0.2');
    plain.cookie = `__Host-turnpike=${token}`;
    assert.equal(await plain.isSignedIn(), false);
  });

  test('in the clear over a network there is no session: none is given, and none is taken', async () => {
    const browser = new Browser(town.url, { 'x-forwarded-for': '10.1.0.3', host: 'gateway.example' });
    const told = await browser.signIn(town.b.people.owner.email, PASSWORD);
    assert.equal(told.status, 403);
    assert.equal(told.headers['set-cookie'], undefined);
    browser.cookie = town.b.people.owner.browser.cookie;
    assert.equal(await browser.isSignedIn(), false);
    // A page that has its own name lead here is such a one.
    const rebound = new Browser(town.url, { host: 'evil.example', origin: 'http://evil.example' });
    rebound.cookie = town.b.people.owner.browser.cookie;
    assert.equal((await rebound.ask('GET', '/profile')).status, 401);
  });

  test('a cookie that was planted before is not the session after', async () => {
    const planted = `turnpike-session=${'p'.repeat(43)}`;
    const victim = at('10.1.0.4');
    victim.cookie = planted;
    good(await victim.signIn(town.b.people.owner.email, PASSWORD));
    assert.notEqual(victim.cookie, planted);
    const attacker = at('10.1.0.5');
    attacker.cookie = planted;
    assert.equal(await attacker.isSignedIn(), false);
  });

  test('a session that somebody planted ends with the sign-in, and never becomes the victim’s', async () => {
    const attacker = await newMember('viewer');
    const victim = at('10.1.0.6');
    victim.cookie = attacker.browser.cookie;
    good(await victim.signIn(town.b.people.owner.email, PASSWORD));
    assert.notEqual(victim.cookie, attacker.browser.cookie);
    assert.equal(await attacker.browser.isSignedIn(), false);
    assert.equal((await whoIs(victim)).email, town.b.people.owner.email);
  });

  test('two cookies that contradict each other are none, and the rest of the header is not looked at', async () => {
    const { cookie } = town.b.people.owner.browser;
    const asked = async (header: string) => {
      const told = await ask(town.url, { path: '/api/dashboard/session', headers: { cookie: header } });
      return told.json.data.user !== null;
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

describe('a session ends at once', () => {
  const ends: Readonly<Record<string, (person: Person, other: Browser) => Promise<unknown>>> = {
    'by signing out': async ({ browser }) => {
      // The cookie is kept, as by somebody who copied it.
      const kept = browser.cookie;
      good(await browser.ask('DELETE', '/session'));
      browser.cookie = kept;
    },
    'by a new password, given elsewhere': async (_, other) => {
      const body = { current_password: PASSWORD, new_password: 'another horse in the sun' };
      good(await other.ask('POST', '/profile/password', body));
    },
    'by a link to a new password': async ({ email }) => {
      const { json } = good(await ask(town.socket, { method: 'POST', path: '/control/admin/reset', body: { email } }));
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
    'by its age': async () => clock.stepWall(13 * 3_600_000),
  };
  for (const [how, end] of Object.entries(ends)) {
    test(`${how}, and so does what it follows live`, { timeout: 20_000 }, async () => {
      const person = await newMember('developer');
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
      const told = await person.browser.ask('GET', '/profile');
      assert.equal(told.status, 401, told.text);
      assert.equal((await person.browser.ask('PATCH', '/profile', { name: 'Still here' })).status, 401);
      const recorded = town.bench.nextRecord();
      const headersOfKey = bearer(town.b.keys.active.secret) as Record<string, string>;
      await (await town.bench.post('/api/v1/chat/completions', chatBody(false), headersOfKey)).text();
      await recorded;
      clock.advance(1_000);
      await ended;
      assert.equal(seen.includes('event: call'), false, seen);
      if (how === 'by its age') await Promise.all(ownersAgain());
    });
  }

  /** The hands of the clock went round for everybody. */
  function ownersAgain(): Promise<unknown>[] {
    return [town.a.people.owner, town.b.people.owner].map(({ browser, email }) => browser.signIn(email, PASSWORD));
  }
});

describe('guessing', () => {
  const wrong = (count: number) => `wrong password number ${count}`;

  test('ends in 429 where it comes from, and the owner gets in from elsewhere', async () => {
    const { email } = town.b.people.admin;
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      // What the guesser writes in front of what the proxy writes is nobody's word.
      const told = await at(`10.3.9.${count}, 10.3.0.1`).signIn(email, wrong(count));
      statuses.push(told.status);
      if (told.status === 429) assert.ok(Number(told.headers['retry-after']) > 0);
    }
    assert.deepEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401]);
    assert.equal(statuses.at(-1), 429);
    assert.equal((await at('10.3.0.1').signIn(email, PASSWORD)).status, 429);
    good(await at('10.3.0.2').signIn(email, PASSWORD));
    clock.advance(3_600_000);
    good(await at('10.3.0.1').signIn(email, PASSWORD));
  });

  test('over many people from one address ends, too', async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 40; count += 1)
      statuses.add((await at('10.3.1.1').signIn(`somebody-${count}@example.com`, PASSWORD)).status);
    assert.deepEqual([...statuses], [401, 429]);
    good(await at('10.3.1.2').signIn(town.b.people.admin.email, PASSWORD));
  });

  test('of links ends in 429, and a good link still opens elsewhere', async () => {
    const statuses: number[] = [];
    for (const path of ['/links', '/invitations/accept', '/sign-up/confirm']) {
      for (let count = 0; count < 12; count += 1) {
        const token = `${count}`.padStart(43, 'x');
        statuses.push((await at('10.3.2.1').ask('POST', path, { token })).status);
      }
    }
    assert.deepEqual([...new Set(statuses)], [404, 429]);
    good(await at('10.3.2.2').ask('POST', '/links', { token: town.b.invitation.token }));
  });

  test('of codes ends in 429 from everywhere, and a recovery code is the way in', { timeout: 20_000 }, async () => {
    const person = await newMember('developer');
    const { secret } = good(await person.browser.ask('POST', '/profile/totp', { password: PASSWORD })).json.data;
    const key = fromBase32(secret);
    const code = () => totpCode(key, totpStep(clock.now()));
    const confirmed = good(await person.browser.ask('POST', '/profile/totp/confirm', { code: code() }));
    const [recovery] = confirmed.json.data.recovery_codes;
    const half = async (address: string) => {
      const browser = at(address);
      assert.equal(good(await browser.signIn(person.email, PASSWORD)).json.data.status, 'totp_required');
      return browser;
    };
    const statuses: number[] = [];
    for (let address = 0; address < 6; address += 1) {
      const browser = await half(`10.3.3.${address}`);
      for (let count = 0; count < 4; count += 1)
        statuses.push((await browser.ask('POST', '/session/totp', { code: wrongCode(code()) })).status);
      assert.equal((await browser.ask('GET', '/profile')).status, 401, 'half a sign-in is none');
      assert.equal((await browser.ask('GET', '/keys')).status, 401);
    }
    assert.deepEqual(new Set(statuses), new Set([401, 429]));
    const owner = await half('10.3.4.1');
    assert.equal((await owner.ask('POST', '/session/totp', { code: code() })).status, 429);
    good(await owner.ask('POST', '/session/totp', { code: recovery }));
    assert.equal(await owner.isSignedIn(), true);
    const again = await half('10.3.4.2');
    assert.equal(
      (await again.ask('POST', '/session/totp', { code: recovery })).status,
      401,
      'a recovery code is good once',
    );
    // A code that was taken is not taken again, within its time.
    clock.advance(3_600_000);
    const first = await half('10.3.4.3');
    const taken = code();
    good(await first.ask('POST', '/session/totp', { code: taken }));
    const second = await half('10.3.4.4');
    assert.equal((await second.ask('POST', '/session/totp', { code: taken })).status, 401);
  });

  test('of a password by a stolen session ends, too', async () => {
    const { browser } = await newMember('viewer');
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      const body = { current_password: wrong(count), new_password: 'another horse in the sun' };
      statuses.push((await browser.ask('POST', '/profile/password', body)).status);
    }
    assert.deepEqual([...new Set(statuses)], [400, 429]);
  });
});

describe('who is known here', () => {
  const bare = ({ status, text, headers }: Told) => ({
    status,
    text: text.replaceAll(/req_\w+/g, 'req_…'),
    names: Object.keys(headers).toSorted(),
  });
  const compare = async (path: string, body: (email: string) => object, howMany: number) => {
    const { email } = await newMember('viewer');
    const answers = [];
    for (const [index, each] of [email, 'nobody-at-all@example.com'].entries()) {
      const before = hashes.count;
      const told = await at(`10.4.${path.length}.${index}`).ask('POST', path, body(each));
      answers.push({ ...bare(told), hashes: hashes.count - before });
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.equal(answers[0]?.hashes, howMany);
  };

  test('is not told by signing in: one answer, one hash', () =>
    compare('/session', (email) => ({ email, password: 'not the right one' }), 1));
  test('is not told by a forgotten password', () => compare('/password/forgotten', (email) => ({ email }), 0));
  test('is not told by signing up', () =>
    compare('/sign-up', (email) => ({ email, name: 'Somebody', password: PASSWORD }), 1));

  test('is not told without end by an invitation for anybody', async () => {
    const { link } = good(await town.control('POST', `/invitations?account=${town.b.id}`, { role: 'viewer' })).json;
    const statuses: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      const body = { token: tokenIn(link), email: town.b.people.owner.email, name: 'Somebody', password: PASSWORD };
      statuses.push((await at('10.4.200.1').ask('POST', '/invitations/accept', body)).status);
    }
    assert.deepEqual([...new Set(statuses)], [409, 429]);
  });
});

test('a half-finished sign-in opens nothing, and says so', async () => {
  const told = await at('10.5.0.1').ask('POST', '/session/totp', { code: '123456' });
  assert.equal(codeOf(told), 'invalid_sign_in');
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

function wrongCode(right: string): string {
  return String((Number(right) + 500_000) % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
