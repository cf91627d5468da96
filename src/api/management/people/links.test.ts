/** Goal: each link works for its addressee, once, within its lifetime. Method: the handlers over a real SQLite, with recorded emails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADA, openSignInServices, outcome, tokenOf } from '../../../../test/support/sign-in-services.ts';

const HOUR_MS = 3_600_000;
const BOB = { email: 'bob@example.com', name: 'Bob', password: 'a mule in the snow' } as const;
const PASSWORD = 'a donkey in the fog';

test('the set-up link creates the operator, who owns the oldest account, and is then void', async (context) => {
  const { signInServices, browser, memberships, newlyAudited } = await openSignInServices(context);
  assert.equal((await browser().ask('readSession')).installation.set_up, false);
  const address = await signInServices.setUp.link();
  assert.match(address ?? '', /^https:\/\/gateway\.test\/setup#token=[\w-]{43}$/);
  const token = tokenOf(address);
  const { expires_at, ...about } = await browser().ask('readLink', { token });
  assert.deepEqual(about, { purpose: 'setup', email: null, account: null, role: null });
  assert.equal(expires_at, '2026-11-22T12:00:00.000Z');
  const ada = browser();
  assert.equal(await outcome(ada.ask('setUp', { token, ...ADA })), 'signed_in');
  assert.deepEqual(
    (await memberships.membershipsOf(1 as never)).map(({ accountId, role }) => [accountId, role]),
    [[1, 'owner']],
  );
  assert.equal((await ada.ask('readSession')).user.is_operator, true);
  assert.equal(await outcome(browser().ask('setUp', { token, ...BOB })), 'not_found');
  assert.equal(await signInServices.setUp.link(), null, 'there is an operator');
  assert.deepEqual(await newlyAudited(), [`user.create ${ADA.email}`, `user.sign_in ${ADA.email}`]);
});

test('a new set-up link voids the previous one, and none is valid after 24 hours', async (context) => {
  const { signInServices, browser, clock } = await openSignInServices(context);
  const first = tokenOf(await signInServices.setUp.link());
  const second = tokenOf(await signInServices.setUp.link());
  assert.equal(await outcome(browser().ask('readLink', { token: first })), 'not_found');
  clock.advance(24 * HOUR_MS);
  assert.equal(await outcome(browser().ask('setUp', { token: second, ...ADA })), 'not_found');
});

test('of two people with one set-up link, one becomes the operator', async (context) => {
  const { signInServices, browser, users } = await openSignInServices(context);
  const token = tokenOf(await signInServices.setUp.link());
  const both = [
    outcome(browser().ask('setUp', { token, ...ADA })),
    outcome(browser('10.0.0.2').ask('setUp', { token, ...BOB })),
  ];
  assert.deepEqual((await Promise.all(both)).toSorted(), ['conflict', 'signed_in']);
  assert.equal(await users.operators(), 1);
});

test('a refused password, or a browser without https, does not use up the link', async (context) => {
  const { signInServices, browser } = await openSignInServices(context);
  const token = tokenOf(await signInServices.setUp.link());
  const weak = { token, ...ADA, password: 'password1234' };
  assert.equal(await outcome(browser().ask('setUp', weak)), 'invalid_value');
  assert.equal(await outcome(browser('10.0.0.1', false).ask('setUp', { token, ...ADA })), 'permission_denied');
  assert.equal(await outcome(browser().ask('setUp', { token, ...ADA })), 'signed_in');
});

test('a sign-up is confirmed by email, and then has an account with a project and nothing else', async (context) => {
  const { setUp, browser, newMails, users, scopes, newlyAudited } = await openSignInServices(context);
  await setUp();
  await newlyAudited();
  const bob = browser('10.0.0.2');
  assert.equal(await outcome(bob.ask('signUp', BOB)), 'done');
  const [mail] = await newMails();
  assert.equal(mail?.to, BOB.email);
  assert.match(mail?.text ?? '', /^https:\/\/gateway\.test\/confirm#token=[\w-]{43}$/m);
  assert.equal(await users.userByEmail(BOB.email), null, 'no person is created before');
  const token = tokenOf(mail?.text);
  assert.equal(await outcome(bob.ask('confirmEmail', { token })), 'signed_in');
  assert.deepEqual((await bob.ask('readSession')).accounts, [{ id: 2, name: 'Bob', role: 'owner', closed: false }]);
  assert.equal(scopes.projects().filter(({ accountId }) => accountId === 2).length, 1);
  assert.equal(await outcome(bob.ask('confirmEmail', { token })), 'not_found');
  assert.deepEqual(await newlyAudited(), [
    `user.create ${BOB.email}`,
    `account.create ${BOB.email}`,
    `user.sign_in ${BOB.email}`,
  ]);
});

test('a sign-up with a known address gets the same answer at the same cost, and emails a note', async (context) => {
  const { setUp, browser, newMails, hashes, users } = await openSignInServices(context);
  await setUp();
  hashes.count = 0;
  assert.equal(await outcome(browser('10.0.0.2').ask('signUp', { ...BOB, email: ADA.email })), 'done');
  assert.equal(hashes.count, 1);
  const [mail] = await newMails();
  assert.deepEqual([mail?.to, tokenOf(mail?.text)], [ADA.email, '']);
  assert.match(mail?.subject ?? '', /already/);
  assert.equal(await outcome(browser('10.0.0.2').ask('signUp', BOB)), 'done');
  assert.equal(hashes.count, 2);
  assert.equal((await users.userByEmail(ADA.email))?.name, 'Ada');
});

test('an earlier sign-up with the same address cannot leave its password', async (context) => {
  const { setUp, browser, newMails } = await openSignInServices(context);
  await setUp();
  await browser('10.9.9.9').ask('signUp', { ...BOB, password: 'the password of a thief' });
  await browser('10.0.0.2').ask('signUp', BOB);
  const [, own] = await newMails();
  const bob = browser('10.0.0.2');
  await bob.ask('confirmEmail', { token: tokenOf(own?.text) });
  assert.equal(await browser('10.9.9.9').signIn(BOB.email, 'the password of a thief'), 'invalid_sign_in');
  assert.equal(await browser('10.0.0.2').signIn(BOB.email, BOB.password), 'signed_in');
});

test('of two concurrent confirmations of one address, one creates a person', async (context) => {
  const { setUp, browser, newMails, scopes } = await openSignInServices(context);
  await setUp();
  await browser('10.0.0.2').ask('signUp', BOB);
  await browser('10.0.0.2').ask('signUp', BOB);
  const tokens = (await newMails()).map(({ text }) => tokenOf(text));
  const answers = await Promise.all(
    [...tokens, tokens[0]].map((token) => outcome(browser('10.0.0.2').ask('confirmEmail', { token }))),
  );
  assert.deepEqual(answers.toSorted(), ['conflict', 'conflict', 'signed_in']);
  assert.equal(scopes.accounts().length, 2);
});

test('if the audit log fails, confirming an address creates nobody and does not use up the link', async (context) => {
  const { setUp, browser, newMails, audited, scopes } = await openSignInServices(context);
  await setUp();
  await browser('10.0.0.2').ask('signUp', BOB);
  const [mail] = await newMails();
  const push = audited.push.bind(audited);
  audited.push = () => {
    throw new Error('the disk is full');
  };
  await assert.rejects(browser('10.0.0.2').ask('confirmEmail', { token: tokenOf(mail?.text) }), /disk is full/);
  audited.push = push;
  const bob = browser('10.0.0.2');
  assert.equal(await bob.signIn(BOB.email, BOB.password), 'invalid_sign_in');
  assert.equal(scopes.accounts().length, 1);
  await bob.ask('confirmEmail', { token: tokenOf(mail?.text) });
  assert.equal((await bob.ask('readSession')).accounts.length, 1);
  assert.equal(scopes.accounts().length, 2);
});

for (const [signUp, isMailing, words] of [
  ['open', false, /no mail server/],
  ['invitation', true, /by invitation/],
  ['off', true, /Sign-up is closed/],
] as const) {
  test(`sign-up ${signUp}, ${isMailing ? 'with' : 'without'} mail: refused with the reason`, async (context) => {
    const { browser } = await openSignInServices(context, { signUp, isMailing });
    await assert.rejects(browser().ask('signUp', BOB), { code: 'permission_denied', message: words });
  });
}

test('a mailbox gets three emails; further requests send none', async (context) => {
  const { setUp, browser, newMails } = await openSignInServices(context);
  await setUp();
  for (let asks = 0; asks < 6; asks += 1) {
    assert.equal(await outcome(browser(`10.0.1.${asks}`).ask('forgotPassword', { email: ADA.email })), 'done');
    assert.equal(await outcome(browser(`10.0.1.${asks}`).ask('signUp', BOB)), 'done');
  }
  const mails = await newMails();
  assert.deepEqual(
    [ADA.email, BOB.email].map((email) => mails.filter(({ to }) => to === email).length),
    [3, 3],
  );
});

test('a forgotten password emails known people, answers all alike, and its reset ends every session', async (context) => {
  const { setUp, browser, newMails, newlyAudited } = await openSignInServices(context);
  const ada = await setUp();
  assert.equal(await outcome(browser().ask('forgotPassword', { email: 'nobody@example.com' })), 'done');
  assert.deepEqual(await newMails(), []);
  await browser().ask('forgotPassword', { email: ADA.email });
  await browser().ask('forgotPassword', { email: ADA.email });
  const [first, second] = (await newMails()).map(({ text }) => tokenOf(text));
  assert.equal((await browser().ask('readLink', { token: first })).email, ADA.email);
  await newlyAudited();
  const fresh = browser('10.0.0.5');
  assert.equal(await outcome(fresh.ask('resetPassword', { token: first, password: PASSWORD })), 'signed_in');
  assert.deepEqual([await ada.isSignedIn(), await fresh.isSignedIn()], [false, true]);
  assert.equal(await outcome(fresh.ask('resetPassword', { token: first, password: PASSWORD })), 'not_found');
  assert.equal(await outcome(fresh.ask('resetPassword', { token: second, password: PASSWORD })), 'not_found', 'void');
  assert.deepEqual(
    [await browser().signIn(), await browser().signIn(ADA.email, PASSWORD)],
    ['invalid_sign_in', 'signed_in'],
  );
  assert.match((await newMails())[0]?.subject ?? '', /was changed/);
  assert.equal((await newlyAudited())[0], `user.password_reset ${ADA.email}`);
});

test('a password link is valid for an hour, and for one of two concurrent requests', async (context) => {
  const { setUp, browser, newMails, clock } = await openSignInServices(context);
  await setUp();
  const ask = async () => {
    await browser().ask('forgotPassword', { email: ADA.email });
    return tokenOf((await newMails())[0]?.text);
  };
  const late = await ask();
  clock.advance(HOUR_MS);
  assert.equal(await outcome(browser().ask('resetPassword', { token: late, password: PASSWORD })), 'not_found');
  const token = await ask();
  const both = [1, 2].map((at) => outcome(browser(`10.0.0.${at}`).ask('resetPassword', { token, password: PASSWORD })));
  assert.deepEqual((await Promise.all(both)).toSorted(), ['not_found', 'signed_in']);
});

test('an emailed link removes the second factor of an unconfirmed address, and confirms it', async (context) => {
  const { setUp, browser, newMails, users, audited, newlyAudited, clock } = await openSignInServices(context);
  const ada = await setUp();
  const factor = { totpSecret: Buffer.of(1), totpConfirmedAt: 1, totpLastStep: 7, recoveryCodes: ['ab'] };
  const squatted = { ...BOB, passwordHash: null, isOperator: false, createdAt: 0, emailConfirmedAt: null };
  const bob = await users.createUser({ ...squatted, email: BOB.email, name: BOB.name });
  assert.ok(bob !== null);
  const reset = async (email: string) => {
    await users.updateUser((await users.userByEmail(email))?.id ?? bob.id, factor);
    await browser().ask('forgotPassword', { email });
    const token = tokenOf((await newMails()).find(({ text }) => text.includes('/reset#'))?.text);
    await newlyAudited();
    return outcome(browser().ask('resetPassword', { token, password: PASSWORD }));
  };
  assert.equal(await reset(BOB.email), 'signed_in');
  assert.deepEqual(audited[0]?.after, { totp: false });
  const { totpSecret, totpConfirmedAt, totpLastStep, recoveryCodes, emailConfirmedAt } =
    (await users.user(bob.id)) ?? bob;
  assert.deepEqual([totpSecret, totpConfirmedAt, totpLastStep, recoveryCodes], [null, null, null, []]);
  assert.equal(emailConfirmedAt, clock.now());
  clock.advance(HOUR_MS);
  assert.equal(await reset(BOB.email), 'totp_required', 'one set up since belongs to the owner');
  assert.equal((await users.user(bob.id))?.emailConfirmedAt, clock.now() - HOUR_MS);
  assert.equal(await reset(ADA.email), 'totp_required', 'a person created on the machine is trusted');
  assert.equal(await ada.isSignedIn(), false);
});

test('an operator from the configuration keeps their second factor only with a confirmed address', async (context) => {
  for (const emailConfirmedAt of [null, 5]) {
    const { signInServices, users, audit, clock } = await openSignInServices(context);
    const person = { name: 'Ada', passwordHash: null, isOperator: false, createdAt: 0, emailConfirmedAt };
    const known = await users.createUser({ ...person, email: ADA.email });
    assert.ok(known !== null);
    await users.updateUser(known.id, { totpSecret: Buffer.of(1), totpConfirmedAt: 1, recoveryCodes: ['ab'] });
    await signInServices.setUp.ensureOperator({ email: ADA.email, password: ADA.password }, audit);
    const ada = await users.user(known.id);
    const expected = emailConfirmedAt === null ? [true, null, 0, clock.now()] : [true, 1, 1, 5];
    assert.deepEqual(
      [ada?.isOperator, ada?.totpConfirmedAt, ada?.recoveryCodes.length, ada?.emailConfirmedAt],
      expected,
    );
  }
});

test('without mail a forgotten password says what to do', async (context) => {
  const { browser } = await openSignInServices(context, { isMailing: false });
  await assert.rejects(browser().ask('forgotPassword', { email: ADA.email }), { message: /turnpike admin reset/ });
});

test('a link is valid only for its own purpose', async (context) => {
  const { setUp, browser, newMails } = await openSignInServices(context);
  await setUp();
  await browser().ask('forgotPassword', { email: ADA.email });
  const token = tokenOf((await newMails())[0]?.text);
  assert.equal(await outcome(browser().ask('setUp', { token, ...BOB })), 'not_found');
  assert.equal(await outcome(browser().ask('confirmEmail', { token })), 'not_found');
  assert.equal(await outcome(browser().ask('acceptInvitation', { token, ...BOB })), 'not_found');
});

test('a link from the machine lets an operator back in, without the second factor and enabled', async (context) => {
  const { setUp, browser, signInServices, users, audit, newlyAudited } = await openSignInServices(context);
  await setUp();
  await users.updateUser(1 as never, { totpSecret: Buffer.of(1), totpConfirmedAt: 1, disabledAt: 1 });
  await newlyAudited();
  const { link } = await signInServices.setUp.resetLink(ADA.email, audit);
  assert.match(link, /\/reset#token=/);
  const ada = browser();
  assert.equal(await outcome(ada.ask('resetPassword', { token: tokenOf(link), password: PASSWORD })), 'signed_in');
  assert.equal((await users.userByEmail(ADA.email))?.totpSecret, null);
  assert.equal((await newlyAudited())[0], 'user.reset_link start');
  await assert.rejects(signInServices.setUp.resetLink('nobody@example.com', audit), { code: 'not_found' });
  assert.equal((await signInServices.setUp.resetLink(null, audit)).email, ADA.email);
});

test('without an operator the machine creates a set-up link', async (context) => {
  const { signInServices, audit } = await openSignInServices(context);
  assert.match((await signInServices.setUp.resetLink(null, audit)).link, /\/setup#token=/);
});

test('the operator in the configuration is created once, and not changed later', async (context) => {
  const { signInServices, browser, audit, newlyAudited } = await openSignInServices(context);
  const link = tokenOf(await signInServices.setUp.link());
  const named = { email: ' Ada@Example.com', password: ADA.password };
  assert.equal(await signInServices.setUp.ensureOperator(named, audit), true);
  assert.equal(await signInServices.setUp.ensureOperator({ ...named, password: PASSWORD }, audit), false);
  assert.deepEqual(await newlyAudited(), ['user.create start']);
  assert.equal(await browser().signIn(), 'signed_in');
  assert.equal(await outcome(browser().ask('setUp', { token: link, ...BOB })), 'not_found');
  await assert.rejects(
    (await openSignInServices(context)).signInServices.setUp.ensureOperator(
      { ...named, password: 'password1234' },
      audit,
    ),
    { code: 'invalid_value' },
  );
});

test('the sweep deletes expired links and sessions, with the hashes in them', async (context) => {
  const { setUp, browser, signInServices, clock, database, newMails } = await openSignInServices(context);
  await setUp();
  await browser().ask('signUp', BOB);
  await newMails();
  const rows = (table: string) => database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.['rows'];
  await signInServices.sweep();
  assert.deepEqual([rows('links'), rows('sessions')], [2, 1]);
  clock.advance(24 * HOUR_MS + 1);
  await signInServices.sweep();
  assert.deepEqual([rows('links'), rows('sessions')], [0, 0]);
});

test('a failed email is reported without its text, and the answer is the same', async (context) => {
  const { setUp, browser, signInServices, problems, mails } = await openSignInServices(context);
  await setUp();
  mails.push = () => {
    throw new Error('no room');
  };
  assert.equal(await outcome(browser().ask('forgotPassword', { email: ADA.email })), 'done');
  await signInServices.background.settled();
  assert.deepEqual(problems, ['the mail for a forgotten password could not be sent']);
  assert.equal(await signInServices.mailInvitation({ to: BOB.email, account: 'Default', url: 'https://x' }), false);
});
