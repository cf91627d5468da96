// Goal: calls can be found by the labels their callers sent, and show them. Method: a real Chromium, and calls with titles, users and
// metadata, some of them unusual.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OPEN_MODEL } from '../support/open-gateway.ts';
import { closeBrowser, DESK, Person } from './browser.ts';
import { OPERATOR, send, signIn } from './operator.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let person: Person;
before(async () => {
  stage = await openStage();
  person = await Person.at(stage.url, DESK);
  await signIn(person, OPERATOR);
  const { key } = await send<{ key: string }>(person, 'POST', '/keys', { name: 'program' });
  for (const [title, fields] of [
    ['Harbour & <b>desk</b>', { user: 'user:1 & 2', metadata: { team: 'a:b' } }],
    ['Night', { user: 'user-2' }],
    [null, {}],
  ] as const) {
    const response = await fetch(`${stage.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(title && { 'x-title': title }),
      },
      body: JSON.stringify({ model: OPEN_MODEL, messages: [{ role: 'user', content: 'hello' }], ...fields }),
    });
    assert.equal(response.status, 200, await response.text());
  }
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

test('a call shows its labels, and each leads to the calls with the same label', async () => {
  const { page } = person;
  await person.visit('/calls');
  const rows = page.locator('main tbody tr');
  assert.equal(await rows.count(), 3);
  await page
    .getByRole('button', { name: /filter/i })
    .first()
    .click();
  await page.getByLabel('App', { exact: true }).fill('Harbour & <b>desk</b>');
  await page.getByLabel('Metadata').fill('team');
  await page.getByText('Use the form name:value.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Apply filters' }).isDisabled());
  await page.getByLabel('Metadata').fill('team:a:b');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await person.settled();
  assert.equal(await rows.count(), 1);
  await page.getByRole('button', { name: 'Remove filter: Metadata' }).waitFor();
  const { data } = await send<{ data: { id: string }[] }>(person, 'GET', '/calls?user=user%3A1%20%26%202');
  assert.equal(data.length, 1);
  await person.visit(`/calls/${data[0]?.id}`);
  await page.getByRole('link', { name: 'Harbour & <b>desk</b>' }).waitFor();
  await page.getByRole('link', { name: 'team:a:b' }).waitFor();
  await page.getByRole('link', { name: 'user:1 & 2' }).click();
  await person.settled();
  assert.equal(await rows.count(), 1);
  await page.getByRole('button', { name: 'Remove filter: User' }).click();
  await person.settled();
  assert.equal(await rows.count(), 3);
  assert.deepEqual(person.complaints, []);
});
