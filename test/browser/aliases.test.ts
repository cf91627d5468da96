// Goal: an admin makes an alias, shares the requests between two models, changes the weights and deletes it; what is wrong is said at its
// field, and a viewer only reads. Method: a real Chromium that fills in the form with the keyboard, and the API's own list.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OPEN_MODEL } from '../support/open-gateway.ts';
import { closeBrowser, type Person, PHONE } from './browser.ts';
import { send } from './operator.ts';
import { openStage, type Stage } from './stage.ts';

const SECOND = 'demo/echo';
let stage: Stage;
let owner: Person;
before(async () => {
  stage = await openStage({ demo: true });
  owner = await stage.operator();
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

interface Listed {
  readonly data: readonly { readonly name: string; readonly scope: string; readonly targets: readonly object[] }[];
}

const listed = async () => (await send<Listed>(owner, 'GET', '/aliases')).data;

async function chooseModel(index: number, search: string): Promise<void> {
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: `ID of model ${index}` }).fill(search);
  await owner.page.getByRole('option', { name: search }).first().waitFor();
  await owner.page.keyboard.press('ArrowDown');
  await owner.page.keyboard.press('Enter');
}

test('an alias is created, with the share of each model, and shown with what it leads to', async () => {
  const { page } = owner;
  await owner.visit('/aliases');
  await page.getByText('No aliases').waitFor();
  await page.getByRole('button', { name: 'Create alias' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create alias' });
  await dialog.getByLabel('Name').fill('team/default');
  await chooseModel(1, OPEN_MODEL);
  await dialog.getByLabel('Weight of model 1').fill('95');
  await dialog.getByRole('button', { name: 'Add model' }).click();
  await chooseModel(2, SECOND);
  await dialog.getByLabel('Weight of model 2').fill('5');
  await dialog.getByText('95 %').waitFor();
  assert.deepEqual(await owner.barriers(), []);
  await owner.picture('alias-form');
  await dialog.getByRole('button', { name: 'Create alias' }).click();
  const row = page.getByRole('row', { name: /team\/default/ });
  await row.waitFor();
  assert.match(await row.innerText(), /scripted\/model\s+95 %\s+demo\/echo\s+5 %[\s\S]*by key[\s\S]*This account/);
  assert.deepEqual(
    (await listed()).map(({ name, scope, targets }) => [name, scope, targets]),
    [
      [
        'team/default',
        'account',
        [
          { model: OPEN_MODEL, provider: null, weight: 95, is_served: true },
          { model: SECOND, provider: null, weight: 5, is_served: true },
        ],
      ],
    ],
  );
});

test('weights are edited, and a model is removed', async () => {
  const { page } = owner;
  await page.getByRole('button', { name: 'Actions for team/default' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit team/default' });
  await dialog.getByLabel('Weight of model 2').fill('0');
  await dialog.getByText('0 %', { exact: true }).waitFor();
  await dialog.getByRole('radio', { name: /At random/ }).check();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('if the others fail').waitFor();
  await page.getByText('at random').waitFor();
  await owner.visit('/aliases?edit=1');
  await page.getByRole('button', { name: 'Remove model 2' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await listed())[0]?.targets.length, 1);
});

test('what is wrong is said at its field, and nothing is lost', async () => {
  const { page } = owner;
  await owner.anew('/aliases?new=1');
  const dialog = page.getByRole('dialog', { name: 'Create alias' });
  await dialog.getByLabel('Name').fill(OPEN_MODEL);
  await chooseModel(1, OPEN_MODEL);
  await dialog.getByRole('button', { name: 'Create alias' }).click();
  await dialog
    .getByRole('alert')
    .filter({ hasText: /is the id of a model/ })
    .waitFor();
  assert.equal(await dialog.getByLabel('Name').getAttribute('aria-invalid'), 'true');
  await dialog.getByLabel('Name').fill('fast');
  await dialog.getByLabel('Weight of model 1').fill('0');
  await dialog.getByRole('button', { name: 'Create alias' }).click();
  await dialog
    .getByRole('alert')
    .filter({ hasText: /at least one weight/i })
    .waitFor();
  await dialog.getByLabel('Weight of model 1').fill('1');
  await dialog.getByLabel('For').selectOption({ label: 'All accounts' });
  await dialog.getByRole('button', { name: 'Create alias' }).click();
  await page.getByRole('row', { name: /fast.*All accounts/ }).waitFor();
});

test('an alias is deleted after a question, on a phone, too', async () => {
  const phone = await stage.operator(PHONE);
  await phone.visit('/aliases');
  assert.equal(await phone.overflow(), 0);
  await phone.page.getByRole('button', { name: 'Actions for fast' }).click();
  await phone.page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = phone.page.getByRole('alertdialog').or(phone.page.getByRole('dialog'));
  assert.deepEqual(await phone.barriers(), []);
  await question.getByRole('button', { name: 'Delete alias' }).click();
  await phone.page.getByText('fast deleted').waitFor();
  assert.deepEqual(
    (await listed()).map(({ name }) => name),
    ['team/default'],
  );
  await phone.leave();
});
