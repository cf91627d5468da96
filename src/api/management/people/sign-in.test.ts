/**
 * Goal: only a person who knows the password and the code can sign in, and nobody learns who has an account. Method: the handlers over a
 * real SQLite, browsers that keep their cookie, counted hashes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADA, openSignInServices, outcome } from '../../../../test/support/sign-in-services.ts';
import type { AccountId } from '../../../core/ids.ts';
import { tokenDigest } from '../../../members/token.ts';
import { chooseAccount } from '../door/choose-account.ts';

test('a person signs in, is identified, and signs out', async (context) => {
  const { setUp, browser, newlyAudited } = await openSignInServices(context);
  await setUp();
  await newlyAudited();
  const ada = browser();
  assert.equal((await ada.ask('readSession')).user, null);
  assert.equal(await ada.signIn(), 'signed_in');
  assert.deepEqual(await ada.ask('readSession'), {
    user: { id: 1, email: ADA.email, name: 'Ada', is_operator: true, totp: false },
    awaits_totp: false,
    accounts: [{ id: 1, name: 'Default', role: 'owner', closed: false }],
    more_accounts: false,
    installation: {
      version: '1.2.3',
      set_up: true,
      sign_up: 'open',
      public_models: false,
      mail: true,
      billing_mode: 'prepaid',
      base_url: 'https://gateway.test',
    },
  });
  const token = ada.cookie;
  await ada.ask('signOut');
  assert.equal(ada.cookie, null);
  ada.cookie = token;
  assert.equal(await ada.isSignedIn(), false, 'the token is no longer valid');
  assert.deepEqual(await newlyAudited(), [`user.sign_in ${ADA.email}`, `user.sign_out ${ADA.email}`]);
});

test('the accounts of a person begin with the default one', async (context) => {
  const { setUp, users, memberships, scopes } = await openSignInServices(context);
  const ada = await setUp();
  for (const name of ['Second', 'Third', 'Fourth']) await scopes.createAccount({ name });
  const [first, second, third, fourth] = scopes.accounts().map(({ id }) => id) as [
    AccountId,
    AccountId,
    AccountId,
    AccountId,
  ];
  const user = await users.userByEmail(ADA.email);
  assert.ok(user !== null);
  const session = (await users.sessionsOf(user.id))[0];
  assert.ok(session !== undefined);
  const accounts = {
    findAccount: (id: AccountId) => scopes.accounts().find((each) => each.id === id),
    accounts: () => scopes.accounts(),
  };
  const join = (accountId: AccountId, joinedAt: number) =>
    memberships.putMembership({ accountId, userId: user.id, role: 'viewer', joinedAt });
  const close = (id: AccountId) => scopes.markClosed(id);
  const accountsShown = async () => {
    const { accounts: named } = await ada.ask('readSession');
    const meant = await chooseAccount({ kind: 'user', user: { ...user, isOperator }, session }, undefined, {
      accounts,
      memberships,
    });
    assert.equal(named[0].id, meant.account.id);
    return named.map(({ id, role }: { id: number; role: string }) => `${id} ${role}`);
  };
  let isOperator = true;
  const become = async (operator: boolean) => {
    isOperator = operator;
    await users.updateUser(user.id, { isOperator });
  };
  await memberships.deleteMembership(first, user.id);
  assert.deepEqual(await accountsShown(), ['1 owner', '2 owner', '3 owner', '4 owner']);
  await join(fourth, 2);
  await join(third, 1);
  assert.deepEqual(await accountsShown(), ['3 owner', '4 owner', '1 owner', '2 owner']);
  await close(third);
  await close(first);
  assert.deepEqual(await accountsShown(), ['4 owner', '2 owner', '3 owner', '1 owner']);
  await become(false);
  assert.deepEqual(await accountsShown(), ['4 viewer', '3 viewer']);
  await close(fourth);
  assert.deepEqual(await accountsShown(), ['3 viewer', '4 viewer']);
  await become(true);
  assert.deepEqual(await accountsShown(), ['2 owner', '3 owner', '4 owner', '1 owner']);
  await close(second);
  assert.deepEqual(await accountsShown(), ['3 owner', '4 owner', '1 owner', '2 owner']);
});

test('an operator gets 200 accounts, including their own, and whether there are more', async (context) => {
  const { setUp, users, memberships, scopes } = await openSignInServices(context);
  const ada = await setUp();
  for (let index = 2; index <= 200; index += 1) await scopes.createAccount({ name: `a${index}` });
  const readSession = async () =>
    (await ada.ask('readSession')) as { accounts: { id: number }[]; more_accounts: boolean };
  assert.deepEqual([(await readSession()).accounts.length, (await readSession()).more_accounts], [200, false]);
  const last = await scopes.createAccount({ name: 'last' });
  const user = await users.userByEmail(ADA.email);
  await memberships.putMembership({
    accountId: last.id,
    userId: user?.id ?? (0 as never),
    role: 'viewer',
    joinedAt: 0,
  });
  await scopes.markClosed(last.id);
  const { accounts, more_accounts: more } = await readSession();
  assert.deepEqual([accounts.length, more, accounts[0]?.id, accounts.at(-1)?.id], [200, true, 1, last.id]);
  assert.ok(!accounts.some(({ id }) => id === 200), 'the newest of the others is left out');
});

test('an unknown or disabled person, no password and a wrong password get the same answer, with one hash each', async (context) => {
  const { setUp, browser, users, hashes, clock, newlyAudited } = await openSignInServices(context);
  await setUp();
  const person = { name: 'x', isOperator: false, createdAt: clock.now(), emailConfirmedAt: null, passwordHash: null };
  await users.createUser({ ...person, email: 'empty@example.com' });
  const ada = await users.userByEmail(ADA.email);
  const gone = await users.createUser({ ...person, email: 'gone@example.com', passwordHash: ada?.passwordHash ?? '' });
  if (gone !== null) await users.updateUser(gone.id, { disabledAt: 1 });
  await newlyAudited();
  const answers: unknown[] = [];
  for (const [email, password] of [
    ['nobody@example.com', ADA.password],
    ['empty@example.com', ADA.password],
    ['gone@example.com', ADA.password],
    [ADA.email, 'a horse in the sun'],
  ]) {
    const before = hashes.count;
    const error = await browser()
      .ask('signIn', { email, password })
      .catch((cause) => cause);
    answers.push([error.code, error.message, error.facts, hashes.count - before]);
  }
  assert.deepEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
  assert.deepEqual(answers[0], ['invalid_sign_in', 'Incorrect email or password.', null, 1]);
  assert.deepEqual(await newlyAudited(), Array(3).fill('user.sign_in_failed nobody'), 'only for known people');
});

test('the store has a digest of the token, each sign-in creates a new one, and a planted one is never accepted', async (context) => {
  const { setUp, browser, database, users } = await openSignInServices(context);
  await setUp();
  const ada = browser();
  const planted = 'planted-planted-planted-planted-planted-pla';
  ada.cookie = planted;
  await ada.signIn();
  const first = ada.cookie;
  assert.notEqual(first, planted);
  await ada.signIn();
  assert.notEqual(ada.cookie, first);
  assert.equal(await users.sessionByDigest(tokenDigest(first ?? '')), null, 'the earlier session has ended');
  const rows = JSON.stringify(database.prepare('SELECT *, hex(digest) AS hex FROM sessions').all());
  assert.equal(rows.includes(ada.cookie ?? ''), false);
  assert.ok(
    rows.includes(
      tokenDigest(ada.cookie ?? '')
        .toString('hex')
        .toUpperCase(),
    ),
  );
});

test('guessing is slowed down, also for unknown people, and other addresses are not blocked', async (context) => {
  const { setUp, browser, clock } = await openSignInServices(context);
  await setUp();
  for (const email of [ADA.email, 'nobody@example.com']) {
    const thief = browser(email === ADA.email ? '10.9.9.9' : '10.9.9.8');
    for (let tries = 0; tries < 5; tries += 1) assert.equal(await thief.signIn(email, 'wrong'), 'invalid_sign_in');
    await assert.rejects(thief.ask('signIn', { email, password: 'wrong' }), {
      code: 'rate_limit_exceeded',
      retryAfterSeconds: 2,
    });
    clock.advance(2000);
    assert.equal(await thief.signIn(email, 'wrong'), 'invalid_sign_in');
    assert.equal(await thief.signIn(email, 'wrong'), 'rate_limit_exceeded');
  }
  assert.equal(await browser('10.0.0.7').signIn(), 'signed_in');
});

test('a session ends after 12 hours without use, and after 30 days in any case', async (context) => {
  const { setUp, clock, users } = await openSignInServices(context);
  const ada = await setUp();
  const hour = 3_600_000;
  for (let time = 0; time < 65; time += 1) {
    clock.advance(11 * hour);
    assert.equal(await ada.isSignedIn(), true);
  }
  clock.advance(5 * hour);
  assert.equal(await ada.isSignedIn(), false, '30 days are over');
  await ada.signIn();
  clock.advance(12 * hour);
  assert.equal(await ada.isSignedIn(), false);
  const [, left] = [await users.deleteSessionsBefore(clock.now() + 1), await users.sessionsOf(1 as never)];
  assert.deepEqual(left, []);
});

test('a session in use is written once a minute', async (context) => {
  const { setUp, clock, database } = await openSignInServices(context);
  const ada = await setUp();
  const seen = () => (database.prepare('SELECT last_seen_at AS at FROM sessions').get() as { at: number }).at;
  const first = seen();
  clock.advance(59_999);
  await ada.isSignedIn();
  assert.equal(seen(), first);
  clock.advance(1);
  await ada.isSignedIn();
  assert.equal(seen(), first + 60_000);
});

test('a disabled person is signed out immediately, on every device', async (context) => {
  const { setUp, users } = await openSignInServices(context);
  const ada = await setUp();
  await users.updateUser(1 as never, { disabledAt: 1 });
  assert.equal(await ada.isSignedIn(), false);
});

test('a flood of sign-ins from everywhere does not block known browsers', async (context) => {
  const held: (() => void)[] = [];
  let isHeld = false;
  const hold = () => (isHeld ? new Promise<void>((end) => held.push(end)) : Promise.resolve());
  const { setUp, browser } = await openSignInServices(context, { hold });
  const own = await setUp();
  assert.notEqual(own.device, null);
  isHeld = true;
  const flood = Array.from({ length: 200 }, (_, each) =>
    browser(`10.1.${each >> 4}.${each & 15}`).signIn(ADA.email, 'wrong'),
  );
  const stranger = await browser('10.2.0.1').signIn();
  assert.equal(stranger, 'shedding');
  own.cookie = null;
  const signingIn = own.signIn();
  let outcome: string | null = null;
  void signingIn.then((result) => {
    outcome = result;
  });
  // The first stranger and the owner are running; nobody else must finish before them.
  while (held.length < 2) await new Promise(setImmediate);
  held[1]?.();
  assert.equal(await signingIn, 'signed_in');
  assert.equal(outcome, 'signed_in');
  isHeld = false;
  while (held.length > 0) held.shift()?.();
  await Promise.all(flood);
});

test('a guesser at the same address does not block a known browser', async (context) => {
  const { setUp, browser } = await openSignInServices(context);
  const own = await setUp();
  for (let guess = 0; guess < 40; guess += 1) await browser(own.ip).signIn(ADA.email, `wrong ${guess}`);
  assert.equal(await browser(own.ip).signIn(), 'rate_limit_exceeded');
  own.cookie = null;
  assert.equal(await own.signIn(), 'signed_in');
});

test('an incomplete sign-in does not make a browser known', async (context) => {
  const { setUp, users, browser } = await openSignInServices(context);
  await setUp();
  await users.updateUser(1 as never, { totpConfirmedAt: 1, totpSecret: Buffer.alloc(1) });
  const half = browser('10.4.0.1');
  assert.equal(await half.signIn(), 'totp_required');
  assert.equal(half.device, null);
});

test('a hash of another cost is replaced at the next sign-in', async (context) => {
  const { setUp, users, browser, hashes } = await openSignInServices(context, {
    cost: { memoryKib: 16, passes: 1, lanes: 1 },
  });
  await setUp();
  const { Passwords } = await import('../../../members/password.ts');
  const old = await new Passwords({ memoryKib: 8, passes: 1, lanes: 1 }).rehash(ADA.password, {
    lane: 'known',
    owner: '',
  });
  await users.updateUser(1 as never, { passwordHash: old });
  hashes.count = 0;
  assert.equal(await browser().signIn(), 'signed_in');
  assert.match((await users.userByEmail(ADA.email))?.passwordHash ?? '', /m=16,/);
  assert.equal(hashes.count, 2);
  assert.equal(await browser().signIn(), 'signed_in');
  assert.equal(hashes.count, 3);
});

test('a sign-in with the old password during its change fails', async (context) => {
  const { setUp, browser, users } = await openSignInServices(context);
  const ada = await setUp();
  const thief = browser('10.9.9.9');
  const [changed, stolen] = await Promise.all([
    outcome(ada.ask('changePassword', { current_password: ADA.password, new_password: 'a donkey in the rain' })),
    thief.signIn(),
  ]);
  assert.equal(changed, 'done');
  assert.equal(await thief.isSignedIn(), false, stolen);
  assert.equal((await users.sessionsOf(1 as never)).length, 1);
  assert.equal(await ada.isSignedIn(), true);
});

test('without a connection that can carry a session, sign-in does nothing', async (context) => {
  const { setUp, browser, hashes } = await openSignInServices(context);
  await setUp();
  hashes.count = 0;
  assert.equal(await browser('10.0.0.1', false).signIn(), 'permission_denied');
  assert.equal(hashes.count, 0);
});
