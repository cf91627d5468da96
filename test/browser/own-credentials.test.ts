// Goal: an admin stores, tests, rotates and deletes an own credential in the dashboard, and its secret is never shown. Method: the real
// program and a real Chromium, with a provider on loopback that accepts one secret only.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { headerOf } from '../support/http-reader.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { closeBrowser, Person } from './browser.ts';
import { OPERATOR, setUp, signIn } from './operator.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

const OLD = 'old-secret-of-the-team-abcd';
const NEW = 'new-secret-of-the-team-efgh';

let server: SeededServer;
let upstream: ScriptedUpstream;
before(async () => {
  upstream = await startScriptedUpstream((exchange) =>
    headerOf(exchange.request, 'authorization') === `Bearer ${NEW}`
      ? exchange.whole(200, '{"data":[{"id":"gpt-5.1"}]}')
      : exchange.whole(401, '{}'),
  );
  const egress = { allow: ['127.0.0.1/32'], http: true };
  server = await startSeededServer(0, { demo: false, egress });
  await setUp(server.setUpLink);
});
after(async () => {
  await closeBrowser();
  await server?.remove();
  await upstream?.close();
});

test('an own credential is stored, tested, rotated and deleted', async () => {
  const person = await Person.at(server.url);
  await signIn(person, OPERATOR);
  const { page } = person;
  await person.visit('/own-credentials');
  await page.getByRole('button', { name: 'Add credential' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Credential', { exact: true }).fill(OLD);
  await dialog.getByLabel('Used').selectOption('only');
  await dialog.getByLabel('Base URL').fill('https://169.254.169.254');
  await dialog.getByRole('button', { name: 'Store credential' }).click();
  await dialog.getByText(/address that is not public/).waitFor();
  await dialog.getByLabel('Base URL').fill(upstream.origin);
  await dialog.getByRole('button', { name: 'Store credential' }).click();
  const row = page.getByRole('row', { name: /openai/ });
  await row.getByText('…abcd').waitFor();
  await row.getByText('not tested').waitFor();

  const act = async (name: string) => {
    await row.getByRole('button', { name: 'Actions for openai' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Test');
  await dialog.getByText('The provider rejected the credential').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await row.getByText('rejected by the provider').waitFor();

  await act('Rotate');
  await dialog.getByLabel('New secret').fill(NEW);
  await dialog.getByLabel('Overlap').selectOption({ label: '1 day' });
  await dialog.getByRole('button', { name: 'Rotate credential' }).click();
  await row.getByText('…efgh').waitFor();
  await row.getByText('two secrets').waitFor();
  await act('Test');
  await dialog.getByText(/lists 1 model/).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await act('Edit');
  await dialog.getByLabel('Used').selectOption('fallback');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await row.getByText('first, with fallback').waitFor();
  const html = await page.content();
  assert.ok(!html.includes(OLD) && !html.includes(NEW));

  await act('Delete');
  await page.getByRole('button', { name: 'Delete credential' }).click();
  await page.getByText('No own credentials').waitFor();
  assert.deepEqual(person.complaints, []);
  await person.leave();
});
