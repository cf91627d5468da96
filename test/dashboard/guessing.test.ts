/**
 * Goal: a guesser is stopped without locking anybody else out, what works once works once, and nobody learns who has an
 * account here. Method: the real program with a trusted proxy in front, called again and again, and by many at once.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { ask, codeOf, type Reply } from './ask.ts';
import { codeAt } from './authenticator.ts';
import { hashes } from './hashes.ts';
import { browserAt, newMember } from './newcomers.ts';
import { good, openTown, PASSWORD, type Town, tokenIn } from './two-accounts.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
let town: Town;
before(async () => {
  const smtp = { url: 'smtp://127.0.0.1:9', from: 'turnpike@example.com' };
  town = await openTown({ trustProxy: 1, dashboard: { signUp: 'open' }, smtp }, { clock });
});
after(() => town.close());

const at = (address: string) => browserAt(town, address);

describe('guessing', () => {
  const wrong = (count: number) => `wrong password number ${count}`;

  test('ends in 429 for its address, and the owner gets in from another one', async () => {
    const { email } = town.b.people.admin;
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      // What the guesser writes before the proxy's part is not trusted.
      const reply = await at(`10.3.9.${count}, 10.3.0.1`).signIn(email, wrong(count));
      statuses.push(reply.status);
      if (reply.status === 429) assert.ok(Number(reply.headers['retry-after']) > 0);
    }
    assert.deepEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401]);
    assert.equal(statuses.at(-1), 429);
    assert.equal((await at('10.3.0.1').signIn(email, PASSWORD)).status, 429);
    good(await at('10.3.0.2').signIn(email, PASSWORD));
    clock.advance(3_600_000);
    good(await at('10.3.0.1').signIn(email, PASSWORD));
  });

  test('across many people from one address ends, too', async () => {
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

  test('of codes ends in 429 from everywhere, and a recovery code still works', { timeout: 20_000 }, async () => {
    const person = await newMember(town, 'developer');
    const { secret } = good(await person.browser.ask('POST', '/profile/totp', { password: PASSWORD })).json.data;
    const code = () => codeAt(secret, clock.now());
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
      assert.equal((await browser.ask('GET', '/profile')).status, 401, 'a half-finished sign-in is not one');
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
      'a recovery code works once',
    );
    // A code is not accepted twice, even within its time step.
    clock.advance(3_600_000);
    const first = await half('10.3.4.3');
    const taken = code();
    good(await first.ask('POST', '/session/totp', { code: taken }));
    const second = await half('10.3.4.4');
    assert.equal((await second.ask('POST', '/session/totp', { code: taken })).status, 401);
  });

  test('of a password with a stolen session ends, too', async () => {
    const { browser } = await newMember(town, 'viewer');
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      const body = { current_password: wrong(count), new_password: 'another horse in the sun' };
      statuses.push((await browser.ask('POST', '/profile/password', body)).status);
    }
    assert.deepEqual([...new Set(statuses)], [400, 429]);
  });
});

describe('what works once', () => {
  const good200 = (reply: readonly Reply[]) => reply.filter(({ status }) => status === 200).length;

  test('admits one of many concurrent requests: an invitation', async () => {
    const { link } = good(await town.control('POST', `/invitations?account=${town.b.id}`, { role: 'viewer' })).json;
    const reply = await Promise.all(
      [1, 2, 3, 4, 5].map((each) =>
        at(`10.6.0.${each}`).ask('POST', '/invitations/accept', {
          token: tokenIn(link),
          email: `racer-${each}@example.com`,
          name: 'Racer',
          password: PASSWORD,
        }),
      ),
    );
    assert.equal(good200(reply), 1);
    const members = good(await town.b.people.owner.browser.ask('GET', '/members')).json.data;
    const racers = members.filter(({ user }: { user: { name: string } }) => user.name === 'Racer');
    assert.equal(racers.length, 1);
  });

  test('admits one of many concurrent requests: a password reset link', async () => {
    const { email } = await newMember(town, 'viewer');
    const { json } = good(
      await ask(town.socket, { method: 'POST', path: '/control/api/admin/reset', body: { email } }),
    );
    const body = { token: tokenIn(json.data.url), password: 'another horse in the sun' };
    const reply = await Promise.all(
      [1, 2, 3, 4].map((each) => at(`10.6.1.${each}`).ask('POST', '/password/reset', body)),
    );
    assert.equal(good200(reply), 1);
  });

  test('admits one of many concurrent requests: a recovery code, and a code of the authenticator', async () => {
    const person = await newMember(town, 'viewer');
    const { secret } = good(await person.browser.ask('POST', '/profile/totp', { password: PASSWORD })).json.data;
    const code = () => codeAt(secret, clock.now());
    const confirmed = good(await person.browser.ask('POST', '/profile/totp/confirm', { code: code() }));
    const [recovery] = confirmed.json.data.recovery_codes;
    clock.stepWall(60_000);
    for (const [index, once] of [recovery, code()].entries()) {
      const browsers = await Promise.all([1, 2, 3].map((each) => person.signIn(`10.6.${index + 2}.${each}`)));
      assert.equal(
        good200(await Promise.all(browsers.map((each) => each.ask('POST', '/session/totp', { code: once })))),
        1,
      );
    }
  });

  test('works for its purpose, and for nothing else', async () => {
    const { email } = await newMember(town, 'viewer');
    const { json } = good(
      await ask(town.socket, { method: 'POST', path: '/control/api/admin/reset', body: { email } }),
    );
    const reset = tokenIn(json.data.url);
    const { link } = good(await town.control('POST', `/invitations?account=${town.b.id}`, { role: 'viewer' })).json;
    const invitation = tokenIn(link);
    const person = { email: 'new@example.com', name: 'New', password: PASSWORD };
    const tries = [
      ['/setup', { token: reset, ...person }],
      ['/setup', { token: invitation, ...person }],
      ['/invitations/accept', { token: reset, ...person }],
      ['/password/reset', { token: invitation, password: PASSWORD }],
      ['/sign-up/confirm', { token: reset }],
      ['/sign-up/confirm', { token: invitation }],
    ] as const;
    for (const [path, body] of tries) assert.equal((await at('10.6.5.1').ask('POST', path, body)).status, 404, path);
  });
});

describe('whether an address has an account', () => {
  const bare = ({ status, text, headers }: Reply) => ({
    status,
    text: text.replaceAll(/req_\w+/g, 'req_…'),
    names: Object.keys(headers).toSorted(),
  });
  const compare = async (path: string, body: (email: string) => object, howMany: number) => {
    const { email } = await newMember(town, 'viewer');
    const answers = [];
    for (const [index, each] of [email, 'nobody-at-all@example.com'].entries()) {
      const before = hashes.count;
      const reply = await at(`10.4.${path.length}.${index}`).ask('POST', path, body(each));
      answers.push({ ...bare(reply), hashes: hashes.count - before });
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.equal(answers[0]?.hashes, howMany);
  };

  test('is not revealed by signing in: one answer, one hash', () =>
    compare('/session', (email) => ({ email, password: 'not the right one' }), 1));
  test('is not revealed by a forgotten password', () => compare('/password/forgotten', (email) => ({ email }), 0));
  test('is not revealed by signing up', () =>
    compare('/sign-up', (email) => ({ email, name: 'Somebody', password: PASSWORD }), 1));

  test('is not revealed by an open invitation, which the first address uses up', async () => {
    const { link } = good(await town.control('POST', `/invitations?account=${town.b.id}`, { role: 'viewer' })).json;
    const statuses: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      const body = { token: tokenIn(link), email: town.b.people.owner.email, name: 'Somebody', password: PASSWORD };
      statuses.push((await at('10.4.200.1').ask('POST', '/invitations/accept', body)).status);
    }
    assert.deepEqual([...new Set(statuses)], [200, 404, 429]);
  });
});

test('a half-finished sign-in opens nothing, and says so', async () => {
  const reply = await at('10.5.0.1').ask('POST', '/session/totp', { code: '123456' });
  assert.equal(codeOf(reply), 'invalid_sign_in');
});

function wrongCode(right: string): string {
  return String((Number(right) + 500_000) % 1_000_000).padStart(6, '0');
}
