// Goal: bodies are shown only if the account stores them; a provider added on the page serves calls; and
// nothing that a person typed becomes markup. Method: a real Chromium against a real gateway.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openaiBody } from '../support/upstream-scripts.ts';
import { closeBrowser, type Person } from './browser.ts';
import { send } from './operator.ts';
import { everyRoute } from './page-tour.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let person: Person;
before(async () => {
  stage = await openStage();
  person = await stage.operator();
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

/** The id of a call, once it has ended. */
async function callOf(content: string): Promise<string> {
  const ended = stage.nextRecord();
  const response = await stage.ask(stage.key, content);
  assert.equal(response.status, 200, await response.text());
  await ended;
  return response.headers.get('x-generation-id') ?? '';
}

test('bodies: switched on, shown on request, redacted, switched off', async (t) => {
  const { page } = person;

  await t.test('off by default, with a link to the settings', async () => {
    const call = await callOf('a secret of before');
    await person.visit(`/calls/${call}`);
    await page.getByText('Prompts and responses are not stored for this account.').waitFor();
    await page.getByRole('link', { name: 'Change data retention' }).click();
    await page.getByRole('switch', { name: 'Store prompts and responses' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Store prompts and responses' }).click();
    await page.getByRole('switch', { name: 'Store prompts and responses', checked: true }).waitFor();
    await page.getByRole('switch', { name: 'Redact personal data', checked: true }).waitFor();
  });

  await t.test('on: prompt and response, with addresses redacted', async () => {
    const call = await callOf('write to jane.doe@example.com about the harvest');
    await person.visit(`/calls/${call}`);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('about the harvest').first().waitFor();
    assert.ok(!(await page.content()).includes('jane.doe@example.com'), 'the address is redacted');
    await page.getByText('Hi you').first().waitFor();
    await person.settled();
    await person.picture('call-bodies');
    assert.deepEqual(await person.barriers(), []);
  });

  await t.test('off again: later calls store none', async () => {
    await person.visit('/settings/account');
    await page.getByRole('switch', { name: 'Store prompts and responses' }).click();
    await page.getByRole('switch', { name: 'Store prompts and responses', checked: false }).waitFor();
    await person.visit(`/calls/${await callOf('a secret of after')}`);
    await page.getByText('Prompts and responses are not stored for this account.').waitFor();
    await page.getByRole('link', { name: 'Change data retention' }).waitFor();
  });

  assert.deepEqual(person.complaints.splice(0), []);
});

test('a provider added on the page serves calls, and one from the file is read-only', async () => {
  const { page } = person;
  stage.upstream.play((exchange) =>
    exchange.request.startLine.includes('/models')
      ? exchange.whole(200, JSON.stringify({ object: 'list', data: [{ id: 'house-large', object: 'model' }] }))
      : exchange.whole(200, openaiBody('From the house')),
  );
  await person.visit('/providers?new=1');
  const dialog = page.getByRole('dialog', { name: 'Add provider' });
  await dialog.getByLabel('Provider').selectOption('custom');
  await dialog.getByLabel('Name').fill('house');
  await dialog.getByLabel('Base URL').fill(stage.upstream.origin);
  await dialog.getByLabel('Credential').fill('sk-canary-of-the-house');
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await dialog.getByText(/Connected in .* 1 model/).waitFor();
  await person.picture('provider-tested', false);
  await dialog.getByRole('button', { name: 'Add provider' }).click();
  const drawer = page.getByRole('dialog', { name: 'house' });
  await drawer.getByRole('button', { name: 'Add model' }).click();
  const model = page.getByRole('dialog', { name: 'Add model or price' });
  await model.getByLabel('Model', { exact: true }).fill('house-large');
  await model.getByRole('radio', { name: 'Custom price' }).check();
  await model.getByLabel('Input', { exact: true }).fill('1');
  await model.getByLabel('Output', { exact: true }).fill('2');
  await model.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText('$1.00 input, $2.00 output').waitFor();
  assert.ok(!(await page.content()).includes('sk-canary'), 'the credential is not shown again');

  await person.visit('/models?search=house');
  await page.getByText('house/house-large').first().waitFor();
  const answer = await stage.ask(stage.key, 'hi', 'house/house-large');
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /From the house/);

  await person.visit('/providers?provider=scripted');
  await page.getByRole('dialog', { name: 'scripted' }).waitFor();
  await person.settled();
  assert.equal(await page.getByRole('dialog').getByRole('button', { name: /Edit/ }).count(), 0);
  assert.equal(await page.getByRole('switch').count(), 0);
  assert.deepEqual(person.complaints.splice(0), []);
});

const SCRIPT = '<img src=x onerror=alert(1)>';
const BY_KEY = '/usage?group_by=key';

test('names, notes and ids that are markup stay text on every page', async () => {
  const { page } = person;
  const project = await send<{ data: { id: number } }>(person, 'POST', '/projects', { name: `project ${SCRIPT}` });
  const key = await send<{ data: { id: number }; key: string }>(person, 'POST', '/keys', {
    name: `key ${SCRIPT}`,
    project: project.data.id,
  });
  await send(person, 'PATCH', '/profile', { name: `person ${SCRIPT}` });
  await send(person, 'PATCH', '/account', { name: `account ${SCRIPT}` });
  const note = { kind: 'topup', amount: '1', reference: `reference ${SCRIPT}`, note: `note ${SCRIPT}` };
  await send(person, 'POST', '/balance/entries', note);
  await send(person, 'PATCH', '/providers/house', {
    model_settings: [{ upstream: 'house-large', id: 'house/large', name: `model ${SCRIPT}`, price: 'free' }],
  });
  await send(person, 'PATCH', '/account', { capture: { on: true } });
  stage.upstream.play((exchange) => exchange.whole(200, openaiBody(`answer ${SCRIPT}`)));
  const ended = stage.nextRecord();
  const response = await stage.ask(key.key, `prompt ${SCRIPT}`);
  await response.text();
  await ended;
  // A refused unknown model is not recorded; only its caller gets the id, in the error.
  assert.equal((await stage.ask(key.key, 'hi', SCRIPT)).status >= 400, true);

  const call = response.headers.get('x-generation-id') ?? '';
  const addresses = everyRoute().map((route) =>
    route
      .replace('/keys/:id', `/keys/${key.data.id}`)
      .replace('/calls/:id', `/calls/${call}`)
      .replace(/\/:\w+\?/, '/account'),
  );
  const shown: string[] = [];
  for (const address of [
    ...addresses,
    BY_KEY,
    `/models?search=${encodeURIComponent(SCRIPT)}`,
    `/keys?search=${encodeURIComponent(SCRIPT)}`,
  ]) {
    await person.visit(address);
    if (address.startsWith('/calls/gen-')) {
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByText(`prompt ${SCRIPT}`).first().waitFor();
      await page.getByText(`answer ${SCRIPT}`).first().waitFor();
    }
    assert.equal(await page.locator('img').count(), 0, address);
    if ((await page.locator('main').innerText()).includes(SCRIPT)) shown.push(address);
  }
  for (const address of ['/keys', '/projects', '/members', '/billing', '/audit', BY_KEY, `/keys/${key.data.id}`])
    assert.ok(shown.includes(address), `${address} shows none of them`);
  await person.visit(`/keys/${key.data.id}`);
  await page.getByRole('button', { name: `Actions for key ${SCRIPT}` }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog', { name: `Revoke key ${SCRIPT}?` }).waitFor();
  await person.picture('xss-revoke', false);
  assert.deepEqual(person.complaints, []);
});
