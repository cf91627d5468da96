/**
 * Goal: an invitation can be accepted by its addressee, once, while its maker may give the role. Method: the handlers over a real SQLite.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADA, openSignInServices, outcome } from '../../../../test/support/sign-in-services.ts';
import { keyId } from '../../../core/ids.ts';
import type { Role } from '../../../members/ports.ts';

const HOUR_MS = 3_600_000;
const BOB = { email: 'bob@example.com', name: 'Bob', password: 'a mule in the snow' } as const;

test('an invitation creates a new person and makes them a member in its role, once', async (context) => {
  const { setUp, browser, signInServices, account, memberships, newlyAudited } = await openSignInServices(context);
  await setUp();
  await newlyAudited();
  const invitation = { purpose: 'invitation', accountId: account.id, email: null, createdBy: 1 as never } as const;
  const { token } = await signInServices.links.make({ ...invitation, role: 'developer' });
  assert.deepEqual(
    { ...(await browser().ask('readLink', { token })), expires_at: null },
    { purpose: 'invitation', email: null, account: 'Default', role: 'developer', expires_at: null },
  );
  const bob = browser('10.0.0.2');
  await assert.rejects(bob.ask('acceptInvitation', { token }), { code: 'missing_field', param: 'email' });
  assert.equal(await outcome(bob.ask('acceptInvitation', { token, ...BOB })), 'sign_in');
  assert.equal(await bob.isSignedIn(), false);
  assert.equal(await bob.signIn(BOB.email, BOB.password), 'signed_in');
  assert.deepEqual(
    (await memberships.membershipsOf(2 as never)).map(({ role }) => role),
    ['developer'],
  );
  assert.deepEqual(await newlyAudited(), [
    `user.create ${BOB.email}`,
    `member.create ${BOB.email}`,
    `user.sign_in ${BOB.email}`,
  ]);
  const eve = { ...BOB, email: 'eve@example.com' };
  assert.equal(await outcome(browser('10.0.0.3').ask('acceptInvitation', { token, ...eve })), 'not_found');
});

test('an invitation for an address is for nobody else; its known owner must sign in first', async (context) => {
  const { setUp, browser, signInServices, scopes } = await openSignInServices(context);
  const ada = await setUp();
  const { id } = await scopes.createAccount({ name: 'Other' });
  const make = async (email: string | null) =>
    (await signInServices.links.make({ purpose: 'invitation', accountId: id, role: 'viewer', email })).token;
  const forBob = await make(BOB.email);
  assert.equal(await outcome(ada.ask('acceptInvitation', { token: forBob })), 'permission_denied');
  const eve = { ...BOB, email: 'eve@example.com' };
  assert.equal(await outcome(browser().ask('acceptInvitation', { token: forBob, ...eve })), 'permission_denied');
  const { email: _email, ...rest } = BOB;
  const bob = browser('10.0.0.2');
  assert.equal(
    await outcome(bob.ask('acceptInvitation', { token: forBob, ...rest })),
    'sign_in',
    'the address is known',
  );

  const forAda = await make(ADA.email);
  const cookie = ada.cookie;
  assert.equal(await outcome(ada.ask('acceptInvitation', { token: forAda })), 'signed_in');
  assert.equal(ada.cookie, cookie, 'the session continues');
  assert.equal(await outcome(ada.ask('acceptInvitation', { token: await make(null) })), 'conflict', 'already a member');
});

test('an invitation is valid while its maker may give its role: an admin of the account, or an operator', async (context) => {
  const { setUp, browser, signInServices, account, users, memberships, scopes } = await openSignInServices(context);
  await setUp();
  const { id: other } = await scopes.createAccount({ name: 'Other' });
  const person = { name: 'x', passwordHash: null, isOperator: false, createdAt: 0, emailConfirmedAt: null };
  const maker = await users.createUser({ ...person, email: 'maker@example.com' });
  assert.ok(maker !== null);
  const become = (role: Role, accountId = account.id) =>
    memberships.putMembership({ accountId, userId: maker.id, role, joinedAt: 0 });
  const { id: createdBy } = maker;
  let guests = 0;
  const accept = async (role: Role, token?: string) => {
    const made = { purpose: 'invitation', accountId: account.id, role, createdBy } as const;
    const given = token ?? (await signInServices.links.make(made)).token;
    guests += 1;
    const guest = { ...BOB, email: `guest-${guests}@example.com` };
    const read = await outcome(browser(`10.0.3.${guests}`).ask('readLink', { token: given }));
    const accepted = await outcome(browser(`10.0.2.${guests}`).ask('acceptInvitation', { token: given, ...guest }));
    assert.equal(read === 'not_found', accepted === 'not_found', 'a void one is not shown as valid');
    return accepted;
  };
  await become('owner', other);
  assert.equal(await accept('viewer'), 'not_found', 'of another account');
  await become('admin');
  const { token } = await signInServices.links.make({
    purpose: 'invitation',
    accountId: account.id,
    role: 'viewer',
    createdBy,
  });
  assert.deepEqual([await accept('admin'), await accept('owner')], ['sign_in', 'not_found']);
  await become('developer');
  assert.equal(await accept('viewer', token), 'not_found');
  await become('admin');
  await users.updateUser(createdBy, { disabledAt: 1 });
  assert.equal(await accept('viewer', token), 'not_found');
  await users.updateUser(createdBy, { disabledAt: null });
  assert.equal(await accept('viewer', token), 'sign_in', 'it was not used up');
  await memberships.deleteMembership(account.id, createdBy);
  assert.equal(await accept('viewer'), 'not_found');
  await users.updateUser(createdBy, { isOperator: true });
  assert.equal(await accept('owner'), 'sign_in');
});

test('an invitation by a management key is valid while the key is good, and gives at most the developer role', async (context) => {
  const { setUp, browser, signInServices, account, goodKeys } = await openSignInServices(context);
  await setUp();
  const key = keyId(7);
  const make = async (role: Role) =>
    (await signInServices.links.make({ purpose: 'invitation', accountId: account.id, role, createdByKey: key })).token;
  const accept = (token: string, name: string) =>
    outcome(browser(`10.0.3.${name}`).ask('acceptInvitation', { token, ...BOB, email: `guest-${name}@example.com` }));
  const token = await make('developer');
  assert.equal(await accept(token, '1'), 'not_found', 'the key is revoked');
  goodKeys.add(key);
  assert.equal(await accept(await make('admin'), '2'), 'not_found', 'more than a key may give');
  assert.equal(await accept(token, '3'), 'sign_in');
});

test('an invitation whose maker loses their rights while the password is hashed is void', async (context) => {
  const { setUp, browser, signInServices, account, goodKeys, users } = await openSignInServices(context);
  await setUp();
  const key = keyId(7);
  goodKeys.add(key);
  const { token } = await signInServices.links.make({
    purpose: 'invitation',
    accountId: account.id,
    role: 'viewer',
    createdByKey: key,
  });
  const hash = signInServices.passwords.hash.bind(signInServices.passwords);
  signInServices.passwords.hash = async (...given) => {
    goodKeys.delete(key);
    return hash(...given);
  };
  assert.equal(await outcome(browser('10.0.0.2').ask('acceptInvitation', { token, ...BOB })), 'not_found');
  assert.equal(await users.userByEmail(BOB.email), null);
});

test('of two people who accept one invitation concurrently, one is created', async (context) => {
  const { setUp, browser, signInServices, account, memberships } = await openSignInServices(context);
  await setUp();
  const { token } = await signInServices.links.make({ purpose: 'invitation', accountId: account.id, role: 'viewer' });
  const both = [BOB, { ...BOB, email: 'eve@example.com' }].map((person, at) =>
    outcome(browser(`10.0.0.${at}`).ask('acceptInvitation', { token, ...person })),
  );
  assert.deepEqual((await Promise.all(both)).toSorted(), ['not_found', 'sign_in']);
  assert.equal((await memberships.membersOf(account.id)).length, 2);
});

test('with sign-up off, an invitation creates no new person', async (context) => {
  const { setUp, browser, signInServices, account } = await openSignInServices(context, { signUp: 'off' });
  await setUp();
  const { token } = await signInServices.links.make({ purpose: 'invitation', accountId: account.id, role: 'viewer' });
  assert.equal(await outcome(browser('10.0.0.2').ask('acceptInvitation', { token, ...BOB })), 'permission_denied');
});

test('an invitation to a closed account, and one that is a week old, are not found', async (context) => {
  const { setUp, browser, signInServices, account, scopes, clock } = await openSignInServices(context);
  await setUp();
  const invitation = { purpose: 'invitation', accountId: account.id, role: 'viewer' } as const;
  const { token: old } = await signInServices.links.make(invitation);
  clock.advance(7 * 24 * HOUR_MS);
  const { token } = await signInServices.links.make(invitation);
  await scopes.updateAccount(account.id, { closedAt: clock.now() });
  for (const each of [old, token])
    assert.equal(await outcome(browser('10.0.0.2').ask('acceptInvitation', { token: each, ...BOB })), 'not_found');
});

test('an inviter waits at most ten seconds for a mail server; a later refusal is still reported', async (context) => {
  const { signInServices, problems, mailer, clock } = await openSignInServices(context);
  const invite = () => signInServices.mailInvitation({ to: BOB.email, account: 'Default', url: 'https://x' });
  const sends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let next = 0;
  mailer.send = () => (sends[next++] as (typeof sends)[0]).promise;
  const late = invite();
  const soon = invite();
  clock.advance(9_999);
  sends[1].resolve();
  assert.equal(await soon, true);
  clock.advance(1);
  assert.equal(await late, false);
  assert.deepEqual(problems, []);
  sends[0].reject(new Error('no room'));
  await new Promise<void>((resolve) => void setImmediate(resolve));
  assert.deepEqual(problems, ['an invitation could not be mailed']);
});

for (const isOfAddress of [false, true])
  test(`an invitation ${isOfAddress ? 'for' : 'without'} an address does not reveal who has an account`, async (context) => {
    const { setUp, browser, signInServices, scopes, hashes, memberships, users } = await openSignInServices(context);
    const ada = await setUp();
    const { id } = await scopes.createAccount({ name: 'Other' });
    const stranger = { name: 'Stranger', password: 'the password of a stranger' };
    const seen: unknown[] = [];
    for (const email of [ADA.email, 'nobody@example.com']) {
      const invitation = {
        purpose: 'invitation',
        accountId: id,
        role: 'viewer',
        email: isOfAddress ? email : null,
      } as const;
      const { token } = await signInServices.links.make(invitation);
      const { email: _told, expires_at: _until, ...about } = await browser('10.1.0.1').ask('readLink', { token });
      hashes.count = 0;
      const answer = await browser('10.1.0.1').ask('acceptInvitation', { token, email, ...stranger });
      const after = await Promise.all([
        outcome(browser('10.1.0.1').ask('readLink', { token })),
        outcome(browser('10.1.0.1').ask('acceptInvitation', { token, ...stranger, email: 'third@example.com' })),
      ]);
      seen.push({ about, answer, hashes: hashes.count, after });
      if (email !== ADA.email) continue;
      // The owner of the address joins with their own password only.
      assert.equal(await browser('10.1.0.2').signIn(email, stranger.password), 'invalid_sign_in');
      assert.equal((await ada.ask('readLink', { token })).account, 'Other');
      assert.equal(await outcome(ada.ask('acceptInvitation', { token })), 'signed_in');
      assert.equal(await outcome(ada.ask('acceptInvitation', { token })), 'not_found', 'once');
    }
    assert.deepEqual(seen[0], seen[1]);
    assert.deepEqual(
      (await memberships.membersOf(id)).map(({ userId, role }) => [userId, role]),
      [
        [1, 'viewer'],
        [(await users.userByEmail('nobody@example.com'))?.id, 'viewer'],
      ],
    );
    assert.equal(await browser('10.1.0.3').signIn('nobody@example.com', stranger.password), 'signed_in');
  });

test('an invitation reserved for somebody is theirs alone, can be withdrawn, and ends with its maker', async (context) => {
  const { setUp, browser, signInServices, scopes, users, goodKeys, clock } = await openSignInServices(context);
  const ada = await setUp();
  const { id } = await scopes.createAccount({ name: 'Other' });
  const key = keyId(7);
  goodKeys.add(key);
  const keep = async () => {
    const { token, link } = await signInServices.links.make({
      purpose: 'invitation',
      accountId: id,
      role: 'viewer',
      createdByKey: key,
    });
    await browser('10.1.0.1').ask('acceptInvitation', { token, ...BOB, email: ADA.email });
    return { token, link };
  };
  const first = await keep();
  await browser('10.0.0.2').ask('acceptInvitation', {
    token: (await signInServices.links.make({ purpose: 'invitation', accountId: id, role: 'viewer' })).token,
    ...BOB,
  });
  const bob = browser('10.0.0.2');
  await bob.signIn(BOB.email, BOB.password);
  assert.equal(await outcome(bob.ask('acceptInvitation', { token: first.token })), 'not_found');
  assert.deepEqual(
    (await users.invitationsOf(id, clock.now())).map((link) => link.id),
    [first.link.id],
  );
  assert.equal(await users.deleteInvitation(id, first.link.id), true);
  assert.equal(await outcome(ada.ask('acceptInvitation', { token: first.token })), 'not_found');
  const second = await keep();
  goodKeys.delete(key);
  assert.equal(await outcome(ada.ask('acceptInvitation', { token: second.token })), 'not_found');
});
