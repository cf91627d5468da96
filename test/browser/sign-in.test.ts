// Goal: the second factor, recovery codes, and recovering a lost password work as a person uses them.
// Method: a real Chromium against a real gateway; codes are computed from the secret that the page shows.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { totpCode, totpStep } from '../../src/members/second-factor/totp.ts';
import { control } from '../support/control.ts';
import { closeBrowser, Person } from './browser.ts';
import { OPERATOR } from './operator.ts';
import { COLOUR_RULES } from './page-tour.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

test('an authenticator, from setup to removal', async (t) => {
  const person = await stage.operator();
  const { page } = person;
  let secret: Uint8Array = new Uint8Array();
  let recovery: string[] = [];
  // A code is valid once, so each one is of another time step: the current one, then the next, used early.
  const step = totpStep(Date.now());

  await t.test('the code proves that the app has the secret', async () => {
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up authenticator' });
    await dialog.getByLabel('Your password').fill(OPERATOR.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    secret = fromBase32(await dialog.locator('code').innerText());
    await person.picture('totp-1-secret', false);
    assert.deepEqual(await person.barriers(), []);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(wrongCode(secret));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(totpCode(secret, step));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    const codes = page.getByRole('dialog', { name: 'Authenticator set up' });
    await codes.waitFor();
    recovery = await codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
    assert.equal(recovery.length, 10);
    await person.picture('totp-2-recovery-codes', false);
    assert.deepEqual(await person.barriers(), []);
    assert.ok(await codes.getByRole('button', { name: 'Done' }).isDisabled());
    await codes.getByLabel('I have saved these codes').check();
    await codes.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 recovery codes left').waitFor();
  });

  await t.test('signing in asks for a code', async () => {
    await signOut(person);
    await giveSomePassword(person);
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
    assert.deepEqual(await person.barriers(), []);
    await person.picture('second-step');
    await page.getByLabel('Code').fill(wrongCode(secret));
    await page.getByRole('alert').waitFor();
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
    await page.getByLabel('Code').fill(totpCode(secret, step + 1));
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  await t.test('a recovery code works once', async () => {
    const code = recovery[0] ?? '';
    await signOut(person);
    await giveSomePassword(person);
    await useRecoveryCode(person, code);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await signOut(person);
    await giveSomePassword(person);
    await useRecoveryCode(person, code);
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Recovery code').fill(recovery[1] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  await t.test('removing it takes the password and a code', async () => {
    await person.visit('/settings/security');
    await page.getByText('8 recovery codes left').waitFor();
    await page.getByRole('button', { name: 'Remove authenticator' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove authenticator?' });
    await dialog.getByLabel('Your password').fill(OPERATOR.password);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(recovery[2] ?? '');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    await signOut(person);
    await giveSomePassword(person);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  assert.deepEqual(person.complaints, []);
  await person.leave();
});

test('a forgotten password without mail: the page says who can help, and the link of `turnpike admin reset` works', async () => {
  const person = await stage.stranger();
  const { page } = person;
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByText('turnpike admin reset').waitFor();
  await person.picture('forgotten');
  const { body } = await control(stage.dataFolder, 'POST', '/control/api/admin/reset', {});
  await page.goto((body as { readonly data: { readonly url: string } }).data.url);
  await page.getByLabel('New password').fill('a new and longer sentence');
  assert.deepEqual(await person.barriers(), []);
  await person.picture('new-password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  assert.equal(new URL(page.url()).hash, '');
  assert.deepEqual(person.complaints, []);
  await person.leave();
});

test('the pages before sign-in are accessible at 375 px, and at 1440 px in light and in dark', async () => {
  const faults: string[] = [];
  for (const [width, schemes] of [
    [375, ['dark']],
    [1440, ['light', 'dark']],
  ] as const) {
    const person = await Person.at(stage.url, { width, height: 900 });
    for (const path of ['sign-in', 'forgotten', 'sign-up', 'setup', 'invite', 'reset', 'confirm']) {
      await person.visit(`/${path}`);
      for (const colorScheme of schemes) {
        await person.page.emulateMedia({ colorScheme });
        const rules = colorScheme === schemes[0] ? null : COLOUR_RULES;
        faults.push(...(await person.barriers(rules)).map((barrier) => `${width} ${colorScheme} ${path}: ${barrier}`));
        if ((await person.overflow()) > 0) faults.push(`${width} ${path} is too wide`);
        await person.picture(`${width === 375 ? 'phone' : 'desk'}-${path}-${colorScheme}`);
      }
    }
    faults.push(...person.complaints);
    await person.leave();
  }
  assert.deepEqual(faults, []);
});

async function signOut({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: OPERATOR.name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

async function giveSomePassword({ page }: Person): Promise<void> {
  await page.getByLabel('Email').fill(OPERATOR.email);
  await page.getByLabel('Password', { exact: true }).fill(OPERATOR.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function useRecoveryCode({ page }: Person, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** A time step that is not accepted now. */
function wrongCode(secret: Uint8Array): string {
  const taken = new Set([-2, -1, 0, 1, 2].map((off) => totpCode(secret, totpStep(Date.now()) + off)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !taken.has(code)) ?? '';
}

/** RFC 4648, as authenticators expect it. */
function fromBase32(text: string): Uint8Array {
  const bits = [...text.replace(/\s/g, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
