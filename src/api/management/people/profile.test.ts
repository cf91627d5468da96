/**
 * Goal: only the person changes their own profile, codes are valid once, and sessions end when they should. Method: the handlers over a
 * real SQLite, and a simulated authenticator.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADA, openSignInServices, outcome, type SignInUnderTest } from '../../../../test/support/sign-in-services.ts';
import { totpCode, totpStep } from '../../../members/second-factor/totp.ts';

const NEXT = 'a donkey in the fog';
const STEP_MS = 30_000;

test('the profile is read, and the name changed', async (context) => {
  const { setUp, newlyAudited, audited } = await openSignInServices(context);
  const ada = await setUp();
  await newlyAudited();
  assert.deepEqual(await ada.ask('updateProfile', { name: ' Ada L. ' }), {
    id: 1,
    email: ADA.email,
    name: 'Ada L.',
    is_operator: true,
    totp: false,
    recovery_codes_left: 0,
    created_at: '2026-11-21T12:00:00.000Z',
  });
  assert.deepEqual([audited[0]?.before, audited[0]?.after], [{ name: 'Ada' }, { name: 'Ada L.' }]);
  await ada.ask('updateProfile', { name: 'Ada L.' });
  assert.deepEqual(await newlyAudited(), [`user.update ${ADA.email}`], 'no entry without a change');
});

test('a new password needs the old one, returns a new token, and ends every other session and link', async (context) => {
  const { setUp, browser, newMails, newlyAudited } = await openSignInServices(context);
  const ada = await setUp();
  const phone = browser('10.0.0.2');
  await phone.signIn();
  await newlyAudited();
  const before = ada.cookie;
  const wrong = { current_password: 'a horse in the sun', new_password: NEXT };
  await assert.rejects(ada.ask('changePassword', wrong), { code: 'invalid_value', param: 'current_password' });
  const weak = { current_password: ADA.password, new_password: 'password1234' };
  assert.equal(await outcome(ada.ask('changePassword', weak)), 'invalid_value');
  assert.equal(await phone.isSignedIn(), true);
  await ada.ask('changePassword', { current_password: ADA.password, new_password: NEXT });
  assert.notEqual(ada.cookie, before);
  assert.deepEqual([await ada.isSignedIn(), await phone.isSignedIn()], [true, false]);
  assert.deepEqual(
    [await browser().signIn(), await browser().signIn(ADA.email, NEXT)],
    ['invalid_sign_in', 'signed_in'],
  );
  assert.match((await newMails())[0]?.subject ?? '', /was changed/);
  assert.equal((await newlyAudited())[0], `user.password_change ${ADA.email}`);
});

test('a stolen session cannot guess the password', async (context) => {
  const { setUp } = await openSignInServices(context);
  const ada = await setUp();
  for (let tries = 0; tries < 5; tries += 1)
    assert.equal(await outcome(ada.ask('startTotp', { password: 'wrong' })), 'invalid_value');
  assert.equal(await outcome(ada.ask('startTotp', { password: ADA.password })), 'rate_limit_exceeded');
});

test('a second factor is active once it is confirmed; its secret is sealed, its codes are shown once', async (context) => {
  const { setUp, browser, users, database, newlyAudited, clock } = await openSignInServices(context);
  const ada = await setUp();
  assert.equal(await outcome(ada.ask('startTotp', { password: 'wrong' })), 'invalid_value');
  const { secret, uri, qr } = await ada.ask('startTotp', { password: ADA.password });
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.ok(uri.startsWith(`otpauth://totp/Turnpike:${ADA.email}?secret=${secret}&`));
  assert.deepEqual(new Set(qr.map((row: string) => row.length)), new Set([qr.length]));
  assert.equal(await browser().signIn(), 'signed_in', 'it is not active yet');
  await newlyAudited();

  await assert.rejects(ada.ask('confirmTotp', { code: '000000' }), { code: 'invalid_value', param: 'code' });
  const { recovery_codes } = await ada.ask('confirmTotp', { code: codeOf(secret, clock.now()) });
  assert.equal(recovery_codes.length, 10);
  assert.deepEqual(await newlyAudited(), [`user.totp_on ${ADA.email}`]);
  assert.equal((await ada.ask('readProfile')).recovery_codes_left, 10);
  assert.equal(await outcome(ada.ask('startTotp', { password: ADA.password })), 'conflict');

  const row = database.prepare('SELECT *, hex(totp_secret) AS sealed FROM users').get() ?? {};
  const kept = JSON.stringify({ ...row, totp_secret: null });
  assert.equal(kept.includes(bytesOf(secret).toString('hex').toUpperCase()), false);
  for (const code of recovery_codes) assert.equal(kept.includes(code), false);
  assert.equal((await users.userByEmail(ADA.email))?.recoveryCodes.length, 10);
});

test('with a second factor the password creates a session that only accepts a code', async (context) => {
  const signInServices = await openSignInServices(context);
  const { browser, clock, newlyAudited } = signInServices;
  const { secret } = await withTotp(signInServices);
  await newlyAudited();
  const phone = browser('10.0.0.2');
  assert.equal(await phone.signIn(), 'totp_required');
  const waiting = phone.cookie;
  const { user, awaits_totp, accounts } = await phone.ask('readSession');
  assert.deepEqual([user, awaits_totp, accounts], [null, true, []]);
  await assert.rejects(phone.ask('readProfile'), /not signed in/);
  assert.equal(await outcome(phone.ask('signInWithCode', { code: '000000' })), 'invalid_sign_in');
  assert.equal(await outcome(phone.ask('signInWithCode', { code: spaced(codeOf(secret, clock.now())) })), 'signed_in');
  assert.notEqual(phone.cookie, waiting);
  assert.equal(await phone.isSignedIn(), true);
  phone.cookie = waiting;
  assert.equal((await phone.ask('readSession')).awaits_totp, false, 'the waiting session has ended');
  assert.deepEqual(await newlyAudited(), ['user.sign_in_failed nobody', `user.sign_in ${ADA.email}`].toSorted());
});

test('a code is valid once, also concurrently and for an earlier step', async (context) => {
  const signInServices = await openSignInServices(context);
  const { browser, clock } = signInServices;
  const { secret } = await withTotp(signInServices);
  const [one, two] = [browser('10.0.0.2'), browser('10.0.0.3')];
  await one.signIn();
  await two.signIn();
  const code = codeOf(secret, clock.now());
  const both = [one, two].map((each) => outcome(each.ask('signInWithCode', { code })));
  assert.deepEqual((await Promise.all(both)).toSorted(), ['invalid_sign_in', 'signed_in']);
  const late = browser('10.0.0.4');
  await late.signIn();
  const earlier = codeOf(secret, clock.now() - STEP_MS);
  assert.equal(await outcome(late.ask('signInWithCode', { code: earlier })), 'invalid_sign_in');
  assert.equal(await outcome(late.ask('signInWithCode', { code: codeOf(secret, clock.now() + STEP_MS) })), 'signed_in');
});

test('a recovery code is valid once, also concurrently', async (context) => {
  const signInServices = await openSignInServices(context);
  const { browser } = signInServices;
  const { ada, codes } = await withTotp(signInServices);
  const [one, two] = [browser('10.0.0.2'), browser('10.0.0.3')];
  await one.signIn();
  await two.signIn();
  const both = [one, two].map((each) => outcome(each.ask('signInWithCode', { code: codes[0]?.toLowerCase() })));
  assert.deepEqual((await Promise.all(both)).toSorted(), ['invalid_sign_in', 'signed_in']);
  assert.equal((await ada.ask('readProfile')).recovery_codes_left, 9);
});

test('a session that waits for a code ends after ten minutes, and when the password is changed', async (context) => {
  const signInServices = await openSignInServices(context);
  const { browser, clock } = signInServices;
  const { ada, secret } = await withTotp(signInServices);
  const phone = browser('10.0.0.2');
  await phone.signIn();
  clock.advance(600_000);
  assert.equal(await outcome(phone.ask('signInWithCode', { code: codeOf(secret, clock.now()) })), 'invalid_sign_in');
  await phone.signIn();
  await ada.ask('changePassword', { current_password: ADA.password, new_password: NEXT });
  assert.equal(await outcome(phone.ask('signInWithCode', { code: codeOf(secret, clock.now()) })), 'invalid_sign_in');
});

test('a code sent while the password is changed creates no lasting session', async (context) => {
  const signInServices = await openSignInServices(context);
  const { browser, users } = signInServices;
  const { ada, codes } = await withTotp(signInServices);
  const phones = [1, 2, 3, 4].map((at) => browser(`10.0.1.${at}`));
  for (const phone of phones) await phone.signIn();
  await Promise.all([
    ada.ask('changePassword', { current_password: ADA.password, new_password: NEXT }),
    // Each begins a few turns later than the previous one, so that they overlap the change.
    ...phones.map(async (phone, at) => {
      for (let turns = 0; turns < at * 6; turns += 1) await Promise.resolve();
      return outcome(phone.ask('signInWithCode', { code: codes[at] }));
    }),
  ]);
  for (const phone of phones) assert.equal(await phone.isSignedIn(), false);
  assert.equal((await users.sessionsOf(1 as never)).length, 1);
});

test('six-digit codes have a rate limit over all addresses; a recovery code still works', async (context) => {
  const signInServices = await openSignInServices(context);
  const { browser, clock } = signInServices;
  const { secret, codes } = await withTotp(signInServices);
  for (let tries = 0; tries < 20; tries += 1) {
    const thief = browser(`10.1.0.${tries}`);
    await thief.signIn();
    assert.equal(await outcome(thief.ask('signInWithCode', { code: '000000' })), 'invalid_sign_in');
  }
  const ada = browser('10.0.0.9');
  await ada.signIn();
  const code = codeOf(secret, clock.now());
  assert.equal(await outcome(ada.ask('signInWithCode', { code })), 'rate_limit_exceeded');
  assert.equal(await outcome(ada.ask('signInWithCode', { code: codes[3] })), 'signed_in');
});

test('a password reset does not bypass the second factor', async (context) => {
  const signInServices = await openSignInServices(context);
  const { browser, newMails, clock } = signInServices;
  const { secret } = await withTotp(signInServices);
  await newMails();
  await browser().ask('forgotPassword', { email: ADA.email });
  const token = /#token=(.*)$/m.exec((await newMails())[0]?.text ?? '')?.[1];
  const thief = browser('10.9.9.9');
  assert.equal(await outcome(thief.ask('resetPassword', { token, password: NEXT })), 'totp_required');
  assert.equal(await thief.isSignedIn(), false);
  assert.equal(await outcome(thief.ask('signInWithCode', { code: codeOf(secret, clock.now()) })), 'signed_in');
});

test('removing the second factor needs password and code; renewing recovery codes needs a code', async (context) => {
  const signInServices = await openSignInServices(context);
  const { browser, clock, users, newlyAudited } = signInServices;
  const { ada, secret, codes } = await withTotp(signInServices);
  await newlyAudited();
  const renewed = await ada.ask('renewRecoveryCodes', { code: codeOf(secret, clock.now()) });
  assert.equal(await outcome(ada.ask('renewRecoveryCodes', { code: codes[1] })), 'invalid_value', 'an old one');
  const [spare] = renewed.recovery_codes;
  assert.equal(await outcome(ada.ask('removeTotp', { password: 'wrong', code: spare })), 'invalid_value');
  assert.equal(await outcome(ada.ask('removeTotp', { password: ADA.password, code: '000000' })), 'invalid_value');
  assert.equal(await outcome(ada.ask('removeTotp', { password: ADA.password, code: spare })), 'done');
  const user = await users.userByEmail(ADA.email);
  assert.deepEqual([user?.totpSecret, user?.recoveryCodes], [null, []]);
  assert.equal(await browser().signIn(), 'signed_in');
  assert.equal(await outcome(ada.ask('removeTotp', { password: ADA.password, code: spare })), 'conflict');
  assert.deepEqual((await newlyAudited()).slice(0, 2), [
    `user.recovery_codes_renew ${ADA.email}`,
    `user.totp_off ${ADA.email}`,
  ]);
});

test('sessions are listed with their details, and end one by one or all except the current one', async (context) => {
  const { setUp, browser, newlyAudited, users, clock } = await openSignInServices(context);
  const ada = await setUp();
  clock.advance(1000);
  const phones = [browser('10.0.0.2'), browser('10.0.0.3'), browser('10.0.0.4')];
  for (const phone of phones) await phone.signIn();
  const listed = await ada.ask('listSessions');
  assert.deepEqual(
    listed.map(({ id, is_current, ip }: { id: number; is_current: boolean; ip: string }) => [id, is_current, ip]),
    [
      [1, true, '10.0.0.1'],
      [2, false, '10.0.0.2'],
      [3, false, '10.0.0.3'],
      [4, false, '10.0.0.4'],
    ],
  );
  assert.deepEqual(listed[1], {
    id: 2,
    is_current: false,
    created_at: '2026-11-21T12:00:01.000Z',
    last_seen_at: '2026-11-21T12:00:01.000Z',
    expires_at: '2026-11-22T00:00:01.000Z',
    ip: '10.0.0.2',
    user_agent: 'a browser',
  });
  await newlyAudited();
  await ada.ask('endSession', {}, { session: '2' });
  const signedIn = () => Promise.all([ada, ...phones].map((each) => each.isSignedIn()));
  assert.deepEqual(await signedIn(), [true, false, true, true]);
  for (const session of ['2', '99', 'x', '0', '-1', '1e3'])
    assert.equal(await outcome(ada.ask('endSession', {}, { session })), 'not_found');
  await ada.ask('endOtherSessions');
  assert.deepEqual(await signedIn(), [true, false, false, false]);
  assert.deepEqual(await newlyAudited(), Array(2).fill(`user.session_end ${ADA.email}`));
  await ada.ask('endSession', {}, { session: '1' });
  assert.equal(ada.cookie, null);

  const bob = { email: 'bob@example.com', name: 'Bob', passwordHash: null, isOperator: false, createdAt: 0 };
  const made = await users.createUser({ ...bob, emailConfirmedAt: null });
  const session = { state: 'full', createdAt: 0, lastSeenAt: 0, expiresAt: 1, ip: null, userAgent: null } as const;
  const other = await users.createSession({ ...session, userId: made?.id ?? (0 as never) }, Buffer.alloc(32));
  await ada.signIn();
  assert.equal(await outcome(ada.ask('endSession', {}, { session: String(other.id) })), 'not_found', "somebody else's");
});

/** Ada has a second factor; the last code was used in an earlier step. */
async function withTotp({ setUp, clock }: SignInUnderTest) {
  const ada = await setUp();
  const { secret } = await ada.ask('startTotp', { password: ADA.password });
  const { recovery_codes } = await ada.ask('confirmTotp', { code: codeOf(secret, clock.now()) });
  clock.advance(2 * STEP_MS);
  return { ada, secret: secret as string, codes: recovery_codes as string[] };
}

function codeOf(secret: string, nowMs: number): string {
  return totpCode(bytesOf(secret), totpStep(nowMs));
}

function spaced(code: string): string {
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}

/** Decodes base32. */
function bytesOf(secret: string): Buffer {
  const bits = [...secret]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
