// Goal: a person turns the response cache on for a key, and sees what it saved. Method: the real program with its demo provider, and a real
// Chromium.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, Person } from './browser.ts';
import { ask, OPERATOR, send, setUp, signIn } from './operator.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

let server: SeededServer;
before(async () => {
  server = await startSeededServer(0, { demo: true });
  await setUp(server.setUpLink);
});
after(async () => {
  await closeBrowser();
  await server?.remove();
});

test('the setting of a key, and what it saved', async () => {
  const person = await Person.at(server.url);
  await signIn(person, OPERATOR);
  const { page } = person;
  await person.visit('/keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name optional').fill('evaluations');
  await dialog.getByLabel('Response cache').selectOption('For 1 hour');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const made = page.getByRole('dialog', { name: 'evaluations created' });
  const secret = await made.getByLabel('API key').inputValue();
  await made.getByRole('button', { name: 'I’ve saved it' }).click();

  const outcomes: (string | null)[] = [];
  for (let index = 0; index < 3; index += 1) {
    const answer = await ask(server.url, secret, 'an evaluation', 'demo/echo');
    assert.equal(answer.status, 200, await answer.text());
    outcomes.push(answer.headers.get('x-turnpike-cache'));
  }
  assert.deepEqual(outcomes, ['miss', 'hit', 'hit']);

  await person.visit('/usage');
  await page.getByText('Saved by the response cache').waitFor();
  await page.getByText('2 requests').waitFor();
  const tiles = page.locator('main .grid').first().locator(':scope > *');
  assert.equal(await tiles.count(), 6, 'one row on a wide window');
  assert.deepEqual(await person.barriers(), []);
  await person.picture('response-cache-usage');

  await person.visit('/calls');
  await page.getByRole('table').getByText('200').first().waitFor();
  assert.equal(await page.getByRole('table').getByText('cached', { exact: true }).count(), 2);

  const { data } = await send<{ data: { id: number; name: string; cache_seconds: number | null }[] }>(
    person,
    'GET',
    '/keys',
  );
  const key = data.find(({ name }) => name === 'evaluations') ?? assert.fail();
  assert.equal(key.cache_seconds, 3_600);
  await person.visit(`/keys/${key.id}`);
  await page.getByText('for 1 hour').waitFor();
  await page.getByRole('button', { name: 'Edit' }).first().click();
  const edit = page.getByRole('dialog', { name: 'Edit evaluations' });
  await edit.getByLabel('Response cache').selectOption('Only for requests that ask for it');
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await edit.waitFor({ state: 'detached' });
  const later = await ask(server.url, secret, 'an evaluation', 'demo/echo');
  assert.equal(later.headers.get('x-turnpike-cache'), null);
  await person.leave();
});
