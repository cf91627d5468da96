/**
 * Goal: operators can be demoted and people disabled; their sessions and keys end immediately, and one operator always
 * remains. Method: the real program, with people in separate browsers.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, codeOf, type Json } from './ask.ts';
import { newMember } from './newcomers.ts';
import { bearer, good, openTown, PASSWORD, type Person, type Town, tokenIn } from './two-accounts.ts';

let town: Town;
before(async () => {
  town = await openTown({ trustProxy: 1 });
});
after(() => town.close());

const within = (path: string) => `${path}?account=${town.b.id}`;
const change = async ({ id }: Pick<Person, 'id'>, body: object): Promise<Json> =>
  good(await town.operator.browser.ask('PATCH', `/people/${id}`, body)).json;

const answers = async (secret: string) =>
  (await ask(town.url, { path: '/api/v1/keys', headers: bearer(secret) })).status;

test('operators see everybody, with their accounts; nobody else does', async () => {
  const { json } = good(await town.operator.browser.ask('GET', '/people?limit=3'));
  assert.equal(json.data.length, 3);
  assert.deepEqual([json.data[0].is_operator, json.data[0].disabled_at], [true, null]);
  const next = good(await town.operator.browser.ask('GET', `/people?limit=200&cursor=${json.next_cursor}`)).json;
  const all = [...json.data, ...next.data];
  assert.equal(new Set(all.map(({ id }: Person) => id)).size, all.length);
  const owner = all.find(({ email }: Person) => email === town.b.people.owner.email);
  assert.deepEqual(owner.accounts, [{ id: town.b.id, name: 'Account of birch', role: 'owner' }]);
  const found = good(await town.operator.browser.ask('GET', '/people?search=OWNER%40BIRCH')).json.data;
  assert.deepEqual(found, [owner]);
  const operators = good(await town.operator.browser.ask('GET', '/people?operators=true')).json.data;
  assert.deepEqual(
    operators.map(({ id }: Person) => id),
    [town.operator.id],
  );
  for (const { browser } of Object.values(town.b.people)) {
    assert.equal((await browser.ask('GET', '/people')).status, 403);
    assert.equal((await browser.ask('PATCH', `/people/${town.operator.id}`, { operator: false })).status, 403);
  }
  assert.equal((await town.operator.browser.ask('PATCH', '/people/99999', { disabled: true })).status, 404);
});

test('a disabled person is out immediately: sessions, sign-in, management keys, invitations; once enabled, they sign in again', async () => {
  const admin = await newMember(town, 'admin');
  const other = await admin.signIn('10.7.0.1');
  const made = good(await admin.browser.ask('POST', '/keys', { kind: 'management' })).json;
  const inference = good(await admin.browser.ask('POST', '/keys', {})).json;
  const { link } = good(await admin.browser.ask('POST', '/invitations', { role: 'viewer' })).json;
  assert.equal(await answers(made.key), 200);
  const { data, ended } = await change(admin, { disabled: true });
  assert.notEqual(data.disabled_at, null);
  assert.deepEqual(ended, { management_keys: 1, invitations: 1 });
  assert.deepEqual([await admin.browser.isSignedIn(), await other.isSignedIn()], [false, false]);
  assert.equal(codeOf(await admin.browser.signIn(admin.email, PASSWORD)), 'invalid_sign_in');
  assert.equal(await answers(made.key), 401);
  const guest = { token: tokenIn(link), email: 'late@example.com', name: 'Late', password: PASSWORD };
  assert.equal((await other.ask('POST', '/invitations/accept', guest)).status, 404);
  const keys = good(await town.control('GET', within('/keys'))).json.data;
  const statusOf = (id: number) => keys.find((key: Json) => key.id === id).status;
  assert.deepEqual([statusOf(made.data.id), statusOf(inference.data.id)], ['disabled', 'active']);
  assert.deepEqual((await change(admin, { disabled: true })).ended, { management_keys: 0, invitations: 0 });
  assert.equal((await change(admin, { disabled: false })).data.disabled_at, null);
  good(await admin.browser.signIn(admin.email, PASSWORD));
  assert.equal(await answers(made.key), 401, 'what ended stays ended');
  const reply = good(await town.control('GET', '/audit?everywhere=true&action=user.&limit=20')).json.data;
  const changes = reply.filter(({ subject }: Json) => subject.name === admin.email).map(({ action }: Json) => action);
  assert.deepEqual(
    changes.filter((action: string) => /able$/.test(action)),
    ['user.enable', 'user.disable'],
  );
});

test('a password reset link does not admit a person disabled after it was created', async () => {
  const person = await newMember(town, 'viewer');
  const { url } = good(
    await ask(town.socket, { method: 'POST', path: '/control/api/admin/reset', body: { email: person.email } }),
  ).json.data;
  await change(person, { disabled: true });
  const asked = { token: tokenIn(url), password: 'another plain sentence' };
  assert.equal((await person.browser.ask('POST', '/password/reset', asked)).status, 404);
});

test('a demoted operator is an operator nowhere, and has no operator keys or invitations', async () => {
  const person = await newMember(town, 'viewer');
  good(await town.control('PATCH', `/people/${person.email}`, { operator: true }));
  const make = async (account: number) =>
    good(await person.browser.ask('POST', `/keys?account=${account}`, { kind: 'management' })).json.key as string;
  const keys = [await make(town.a.id), await make(town.b.id)];
  good(await person.browser.ask('POST', `/invitations?account=${town.a.id}`, { role: 'owner' }));
  const { ended, data } = await change(person, { operator: false });
  assert.deepEqual([data.is_operator, ended], [false, { management_keys: 2, invitations: 1 }]);
  assert.deepEqual(await Promise.all(keys.map(answers)), [401, 401]);
  assert.equal(await person.browser.isSignedIn(), false);
  const again = await person.signIn('10.7.0.2');
  assert.equal((await again.ask('GET', '/accounts')).status, 403);
});

test('the last operator who can sign in can be neither demoted nor disabled, even by two concurrent requests', async () => {
  const { operator } = town;
  for (const body of [{ operator: false }, { disabled: true }]) {
    const reply = await town.control('PATCH', `/people/${operator.id}`, body);
    assert.deepEqual([reply.status, codeOf(reply) ?? reply.json.error.code], [409, 'conflict']);
  }
  const second = await newMember(town, 'viewer');
  await change(second, { operator: true });
  const both = await Promise.all([
    operator.browser.ask('PATCH', `/people/${second.id}`, { operator: false }),
    town.control('PATCH', `/people/${operator.id}`, { disabled: true }),
  ]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
  const left = good(await town.control('GET', '/people?operators=true')).json.data;
  assert.equal(left.filter((each: Json) => each.disabled_at === null).length, 1);
  // As before, for the tests after this one.
  good(await town.control('PATCH', `/people/${operator.id}`, { operator: true, disabled: false }));
});
