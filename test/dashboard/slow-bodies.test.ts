/**
 * Goal: a right that is lost while a request's body is arriving is lost for that request too. Method: the real program; the body
 * of a creation is cut in two, and the right is taken away between the halves.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { RawConnection, statusOf } from '../support/raw-connection.ts';
import { ask, type Json } from './ask.ts';
import { type Newcomer, newMember } from './newcomers.ts';
import { good, openTown, type Town } from './two-accounts.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
let town: Town;
before(async () => {
  town = await openTown({ trustProxy: 1 }, { clock });
});
after(() => town.close());

const within = (path: string) => `${path}?account=${town.b.id}`;
const change = async (method: string, path: string, body?: object): Promise<Json> =>
  good(await town.control(method, path, body)).json;

interface Cut {
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** The status of a request whose body is cut in two, with `between` run in the middle. */
async function cutInTwo({ method = 'POST', path, headers, body }: Cut, between: () => Promise<unknown>) {
  const json = JSON.stringify(body);
  const fields = { host: new URL(town.url).host, 'content-type': 'application/json', connection: 'close', ...headers };
  const lines = Object.entries({ ...fields, 'content-length': json.length }).map((pair) => pair.join(': '));
  const caller = await RawConnection.open(town.url);
  await caller.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${json.slice(0, 5)}`);
  // The first half has been read when this is answered.
  await ask(town.url, { path: '/health/live' });
  await between();
  await caller.write(json.slice(5));
  const answer = await caller.answer();
  caller.close();
  return statusOf(answer);
}

/** How many keys these requests have created. */
const keyCount = async (): Promise<number> =>
  (await change('GET', `${within('/keys')}&search=made+too+late&include_revoked=true`)).total_count;

async function isRefused(cut: Cut, status: number, between: () => Promise<unknown>): Promise<void> {
  const keys = await keyCount();
  assert.equal(await cutInTwo(cut, between), status);
  assert.equal(await keyCount(), keys, 'no key is made');
}

interface MadeKey {
  readonly id: number;
  readonly secret: string;
}

describe('a management key', () => {
  const makeKey = async (body: object = {}): Promise<MadeKey> => {
    const made = await change('POST', within('/keys'), { kind: 'management', ...body });
    return { id: made.data.id, secret: made.key };
  };
  const creation = ({ secret }: MadeKey): Cut => ({
    path: '/api/v1/keys',
    headers: { authorization: `Bearer ${secret}`, 'x-forwarded-for': '10.1.1.1' },
    body: { name: 'made too late' },
  });

  test('that keeps its rights creates a key', async () => {
    assert.equal(await cutInTwo(creation(await makeKey()), async () => undefined), 201);
  });

  const losses: Readonly<Record<string, readonly [status: number, lose: (key: MadeKey) => Promise<unknown>]>> = {
    'is revoked': [401, ({ id }) => change('DELETE', within(`/keys/${id}`))],
    'is disabled': [401, ({ id }) => change('PATCH', within(`/keys/${id}`), { disabled: true })],
    'may be used from elsewhere only': [
      403,
      ({ id }) => change('PATCH', within(`/keys/${id}`), { permissions: { ips: ['192.0.2.0/24'] } }),
    ],
    'was rotated without grace': [401, ({ id }) => change('POST', within(`/keys/${id}/rotate`), { grace_ms: 0 })],
  };
  for (const [loss, [status, lose]] of Object.entries(losses))
    test(`that ${loss} while the body is arriving creates none`, async () => {
      const key = await makeKey();
      await isRefused(creation(key), status, () => lose(key));
    });

  test('that expires while the body is arriving creates none', async () => {
    const key = await makeKey({ expires_at: new Date(clock.now() + 3000).toISOString() });
    await isRefused(creation(key), 401, async () => clock.advance(4000));
  });

  test('whose project is archived while the body is arriving creates none', async () => {
    const { data } = await change('POST', within('/projects'), { name: 'to be archived' });
    const key = await makeKey({ project: data.id });
    await isRefused(creation(key), 401, () => change('PATCH', within(`/projects/${data.id}`), { archived: true }));
  });

  test('whose project is restricted to other addresses while the body is arriving creates none', async () => {
    const { data } = await change('POST', within('/projects'), { name: 'to be narrowed' });
    const key = await makeKey({ project: data.id });
    const narrowed = { permissions: { ips: ['192.0.2.0/24'] } };
    await isRefused(creation(key), 403, () => change('PATCH', within(`/projects/${data.id}`), narrowed));
  });
});

describe('a person', () => {
  const creation = ({ browser }: Newcomer, path = '/keys', body: object = { name: 'made too late' }): Cut => ({
    path: `/api/dashboard${path}`,
    headers: { ...(browser.head() as Record<string, string>), 'sec-fetch-site': 'same-origin' },
    body,
  });

  test('that keeps its rights creates a key', async () => {
    assert.equal(await cutInTwo(creation(await newMember(town, 'developer')), async () => undefined), 201);
  });

  test('that is signed out while the body is arriving creates none', async () => {
    const person = await newMember(town, 'admin');
    await isRefused(creation(person), 401, async () => good(await person.browser.ask('DELETE', '/session')));
  });

  test('whose password is changed elsewhere while the body is arriving creates none', async () => {
    const person = await newMember(town, 'admin');
    const cut = creation(person);
    const other = await person.signIn('10.8.0.1');
    const passwords = { current_password: 'a horse in the rain', new_password: 'a donkey in the fog' };
    await isRefused(cut, 401, async () => good(await other.ask('POST', '/profile/password', passwords)));
  });

  test('that gets a lower role while the body is arriving changes nothing', async () => {
    const person = await newMember(town, 'admin');
    const lower = () => change('PATCH', within(`/members/${person.id}`), { role: 'viewer' });
    await isRefused(creation(person), 401, lower);
    const invitations = async () => (await change('GET', within('/invitations'))).data.length;
    const next = await newMember(town, 'admin');
    const open = await invitations();
    const invite = creation(next, '/invitations', { role: 'admin' });
    const removed = () => change('DELETE', within(`/members/${next.id}`));
    assert.equal(await cutInTwo(invite, removed), 401);
    assert.equal(await invitations(), open);
  });

  test('of a person disabled while the body is arriving creates none', async () => {
    const person = await newMember(town, 'admin');
    await isRefused(creation(person), 401, () => change('PATCH', `/people/${person.id}`, { disabled: true }));
  });

  test('of an operator demoted while the body is arriving creates no account', async () => {
    const person = await newMember(town, 'viewer');
    await change('PATCH', `/people/${person.id}`, { operator: true });
    const accounts = async () => (await change('GET', '/accounts')).data.length;
    const before = await accounts();
    const cut = creation(person, '/accounts', { name: 'made too late' });
    assert.equal(await cutInTwo(cut, () => change('PATCH', `/people/${person.id}`, { operator: false })), 401);
    assert.equal(await accounts(), before);
  });
});
