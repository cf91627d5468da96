// Goal: an operator of more accounts than one page of the API lists can reach each of them, and sees which are closed. Method: 201
// accounts, and the last one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser } from './browser.ts';
import { send } from './operator.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

test('a closed account is marked in the switcher, and while it is selected', async () => {
  const operator = await stage.operator();
  const { page } = operator;
  const { data } = await send<{ data: { id: number } }>(operator, 'POST', '/accounts', { name: 'Aardvark' });
  await send(operator, 'POST', `/account/close?account=${data.id}`, { name: 'Aardvark' });
  await operator.visit(`/keys?account=${data.id}`);
  const switcher = page.getByRole('button', { name: /^Account: Aardvark/ });
  await switcher.getByText('closed').waitFor();
  await switcher.click();
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  assert.deepEqual(await items.filter({ hasText: 'closed' }).allInnerTexts(), ['Aardvark\nclosed · owner\n(selected)']);
  assert.deepEqual(await operator.barriers(), []);
  await operator.picture('desk-closed-account', false);
  assert.deepEqual(operator.complaints, []);
});

test('every page of a closed account says so with the date, and offers nothing that is impossible there', async () => {
  const operator = await stage.operator();
  const { page } = operator;
  const { data } = await send<{ data: { id: number } }>(operator, 'POST', '/accounts', { name: 'Gone Ltd' });
  await send(operator, 'POST', `/account/close?account=${data.id}`, { name: 'Gone Ltd' });
  const offers = /Get started|Waiting for your first request|Add a provider|Create |appear here when|No [\w ]+ yet/;
  for (const path of [
    '/',
    '/keys',
    '/usage',
    '/calls',
    '/models',
    '/billing',
    '/projects',
    '/members',
    '/connect',
    '/settings',
    '/audit',
  ]) {
    await operator.visit(`${path}?account=${data.id}`);
    const main = page.getByRole('main');
    await main.getByText(/^This account was closed on \d+ \w+ \d{4}/).waitFor();
    if (path !== '/models') assert.doesNotMatch(await main.innerText(), offers, path);
    assert.equal(await main.getByRole('button', { name: /^(Create|Invite|Close account)/ }).count(), 0, path);
    assert.deepEqual(await operator.barriers(), [], path);
  }
  await operator.visit(`/accounts?account=${data.id}`);
  assert.equal(await page.getByText(/^This account was closed/).count(), 0, 'a page without an account');
  assert.deepEqual(operator.complaints, []);
});

test('an account missing from the switcher is found in the list of all, and can be selected there', async () => {
  const operator = await stage.operator();
  const { page } = operator;
  for (let index = 3; index <= 201; index += 1)
    await send(operator, 'POST', '/accounts', { name: `Customer ${index}` });
  await operator.visit('/projects');
  await page.getByRole('button', { name: /^Account: / }).click();
  const all = page.getByRole('menuitem', { name: 'All accounts' });
  await all.waitFor();
  assert.equal(await page.getByRole('menuitem', { name: /^Customer / }).count(), 199);
  await all.click();
  await page.getByLabel('Search by name or ID').fill('Customer 201');
  await page.getByRole('link', { name: 'Customer 201' }).click();
  await page.getByRole('button', { name: 'Account: Customer 201' }).waitFor();
  await operator.visit('/projects?account=201&new=1');
  await page.getByRole('dialog').getByLabel('Name').fill('theirs');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Create/ })
    .click();
  await page.getByRole('link', { name: 'theirs' }).or(page.getByText('theirs')).first().waitFor();
  const { data } = await send<{ data: { name: string }[] }>(operator, 'GET', '/projects?account=201');
  assert.deepEqual(
    data.map(({ name }) => name),
    ['Default', 'theirs'],
  );
  assert.deepEqual(operator.complaints, []);
});
