// Goal: every daily task can be done without a mouse. Method: only keys, in a real Chromium; the focused
// element is checked after each.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, Person } from './browser.ts';
import { OPERATOR } from './operator.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

/** The name of the focused element, as a screen reader would announce it. */
function focused({ page }: Person): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement;
    const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])].map((label) => label.textContent) : [];
    return at?.getAttribute('aria-label') ?? labels[0] ?? at?.textContent?.slice(0, 80) ?? '';
  });
}

test('signing in, navigating, creating a key, closing dialogs', async () => {
  const person = await Person.at(stage.url);
  const { page } = person;
  const { keyboard } = page;
  await page.goto('/sign-in');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.match(await focused(person), /^Email/);
  await keyboard.type(OPERATOR.email);
  await keyboard.press('Tab');
  if (!(await focused(person)).startsWith('Password')) await keyboard.press('Tab');
  assert.match(await focused(person), /^Password/);
  await keyboard.type(OPERATOR.password);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await person.settled();

  // The first tab stop of a page skips its menu.
  await page.reload();
  await person.settled();
  await keyboard.press('Tab');
  assert.equal(await focused(person), 'Skip to content');
  await keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');

  await keyboard.press('g');
  await keyboard.press('k');
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main', 'a new page starts at its top');

  await keyboard.press('Control+k');
  // The dialog is there a moment before its field has the focus.
  await page.getByRole('dialog', { name: 'Search' }).locator('input:focus').waitFor();
  assert.match(await focused(person), /^Search pages/);
  assert.deepEqual(await person.barriers(), []);
  await person.picture('palette', false);
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await keyboard.type('create a key');
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.waitFor();
  assert.match(await focused(person), /^Name/);
  await keyboard.type('by hand');
  await keyboard.press('Enter');
  const made = page.getByRole('dialog', { name: 'by hand created' });
  await made.waitFor();
  await made.getByRole('button', { name: 'I’ve saved it' }).focus();
  await keyboard.press('Enter');
  await made.waitFor({ state: 'detached' });

  // The element that opened the dialog has the focus again.
  const actions = page.getByRole('button', { name: 'Actions for by hand' });
  await actions.focus();
  await keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
  await keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  assert.equal(await focused(person), 'Actions for by hand');
  const create = page.getByRole('button', { name: 'Create key' }).first();
  await create.focus();
  await keyboard.press('Enter');
  await dialog.waitFor();
  await keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await focused(person), 'Create key');

  await keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await person.picture('shortcuts', false);
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.deepEqual(person.complaints, []);
  await person.leave();
});

test('a phone: the menu opens, navigates and closes', async () => {
  const person = await stage.operator({ width: 375, height: 812 });
  const { page } = person;
  await page.goto('/');
  await person.settled();
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Turnpike' });
  await menu.waitFor();
  assert.deepEqual(await person.barriers(), []);
  await person.picture('phone-menu', false);
  await menu.getByRole('link', { name: 'Billing' }).click();
  await page.getByRole('heading', { name: 'Billing' }).waitFor();
  await menu.waitFor({ state: 'detached' });
  assert.deepEqual(person.complaints, []);
  await person.leave();
});
