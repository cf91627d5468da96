// Goal: an operator adds a further credential to a provider in its panel, sees it by its last characters only, and removes it. Method: a
// real Chromium, and the API's own list of providers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, DESK, Person } from './browser.ts';
import { OPERATOR, send, setUp, signIn } from './operator.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

const SECOND = 'sk-canary-of-the-second-credential-2222';

let server: SeededServer;
let person: Person;
before(async () => {
  server = await startSeededServer(0, { demo: false });
  await setUp(server.setUpLink);
  person = await Person.at(server.url, DESK);
  await signIn(person, OPERATOR);
  await send(person, 'POST', '/providers', {
    name: 'lab',
    kind: 'custom',
    origin: 'http://127.0.0.1:9',
    credential: 'sk-canary-of-the-first-credential-1111',
  });
});
after(async () => {
  await closeBrowser();
  await server?.remove();
});

test('a further credential is added in the panel, shown by its end, and removed', async () => {
  const { page } = person;
  await person.anew('/providers');
  await page.getByRole('table', { name: 'Providers' }).getByText('lab', { exact: true }).first().click();
  const drawer = page.getByRole('dialog', { name: 'lab' });
  const credentials = drawer.getByRole('table', { name: 'Credentials' });
  await credentials.getByText('…1111').waitFor();
  await drawer.getByLabel('Another credential').fill(SECOND);
  await drawer.getByRole('button', { name: 'Add credential' }).click();
  await credentials.getByText('…2222').waitFor();
  await drawer.getByText('2, listed below').waitFor();
  assert.deepEqual(await person.barriers(), []);
  assert.ok(!(await page.content()).includes(SECOND));
  await credentials.getByRole('button', { name: 'Remove the credential ending in 2222' }).click();
  await credentials.getByText('…2222').waitFor({ state: 'detached' });
  const listed = await send<{ data: { name: string; credentials: unknown[] }[] }>(person, 'GET', '/providers');
  assert.equal(listed.data.find(({ name }) => name === 'lab')?.credentials.length, 1);
});

test('a provider for own credentials only is added without a credential, and its panel says so', async () => {
  const { page } = person;
  await person.anew('/providers');
  await page.getByRole('button', { name: 'Add provider' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add provider' });
  await dialog.getByLabel('Credential', { exact: true }).waitFor();
  await dialog.getByLabel('Accounts bring their own').click();
  await dialog.getByLabel('Credential', { exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual(await person.barriers(), []);
  await dialog.getByRole('button', { name: 'Add provider' }).click();
  await page.getByText('only called with own credentials').waitFor();
  const listed = await send<{ data: { own_credentials_only: boolean }[] }>(person, 'GET', '/providers');
  assert.equal(listed.data.filter((each) => each.own_credentials_only).length, 1);
});
