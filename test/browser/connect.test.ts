// Goal: *Connect* starts with what works: the key that was opened and the model used last; what cannot work is
// marked in advance. Method: a real Chromium against a real gateway; the snippet that is shown is run.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OPEN_MODEL } from '../support/open-gateway.ts';
import { closeBrowser, type Person } from './browser.ts';
import { send } from './operator.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let person: Person;
before(async () => {
  stage = await openStage({ demo: true });
  person = await stage.operator();
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

interface Made {
  readonly data: { readonly id: number; readonly label: string };
  readonly key: string;
}

test('before the first call the cheapest model is chosen, then the one called last', async () => {
  const { page } = person;
  await person.visit('/connect');
  const model = page.getByLabel('Model', { exact: true });
  const first = await model.inputValue();
  assert.match(first, /\//);
  const ended = stage.nextRecord();
  const other = 'demo/lorem';
  assert.notEqual(first, other);
  assert.equal((await stage.ask(stage.key, 'hi', other)).status, 200);
  await ended;
  await page.reload();
  await person.settled();
  assert.equal(await model.inputValue(), other);
  await page.locator('pre', { hasText: '"model":"demo/lorem"' }).first().waitFor();
});

test('a model that writes no text has the request for what it makes', async () => {
  const { page } = person;
  for (const [made, path] of [
    ['embed', 'embeddings'],
    ['rerank', 'rerank'],
    ['moderate', 'moderations'],
    ['image', 'images/generations'],
    ['speak', 'audio/speech'],
  ] as const) {
    await person.visit(`/connect?tool=curl&model=demo/${made}`);
    await page.locator('pre', { hasText: `/api/v1/${path}` }).waitFor();
    assert.equal(await page.locator('pre').count(), 1);
  }
  await person.picture('connect-image');
  await person.visit('/connect?tool=openai&model=demo/embed');
  await page.getByText('demo/embed writes no text.').waitFor();
});

test('a key’s page leads to its own snippets; they contain its secret only while it is new', async () => {
  const { page } = person;
  const made = await send<Made>(person, 'POST', '/keys', {
    name: 'notebook',
    permissions: { models_allow: ['demo/echo'] },
  });
  await person.visit(`/keys/${made.data.id}`);
  await page.getByRole('link', { name: 'Use key' }).click();
  await page.getByRole('heading', { name: 'Connect a tool' }).waitFor();
  await person.settled();
  assert.match(page.url(), new RegExp(`/connect\\?key=${made.data.id}$`));
  const snippet = page.locator('pre').first();
  assert.ok((await snippet.innerText()).includes(made.data.label), 'the label replaces the secret');
  await page.getByText(/with the full key “notebook”/).waitFor();
  // This key may not use the model that the account used last.
  assert.equal(await page.getByLabel('Model', { exact: true }).inputValue(), 'demo/echo');
  await person.picture('connect-key');

  await person.visit('/keys?new=1');
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('fresh');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const ready = page.getByRole('dialog', { name: 'fresh created' });
  const secret = await ready.getByRole('textbox', { name: 'API key' }).inputValue();
  await person.visit('/connect?tool=aider');
  await page.locator('pre', { hasText: `OPENAI_API_KEY=${secret}` }).waitFor();
  await person.visit(`/connect?key=${made.data.id}`);
  assert.ok(
    !(await page.locator('main').innerText()).includes(secret),
    'another key’s secret is not shown as this one’s',
  );
  assert.deepEqual(person.complaints.splice(0), []);
});

test('a refused key says so, and has no snippets', async () => {
  const { page } = person;
  const made = await send<Made>(person, 'POST', '/keys', { name: 'gone' });
  await send(person, 'DELETE', `/keys/${made.data.id}`);
  await person.visit(`/keys/${made.data.id}`);
  await page.getByText('Requests with it are rejected permanently.').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Use key' }).count(), 0);
  await person.visit(`/connect?key=${made.data.id}`);
  await page.getByText(/Requests with it are rejected/).waitFor();
});

test('a model that calls no tools is marked where tools are needed', async () => {
  const { page } = person;
  await person.visit(`/connect?tool=continue&model=${encodeURIComponent(OPEN_MODEL)}`);
  await page.getByText(/is not known to support/).waitFor();
  await person.visit('/connect?tool=continue&model=demo/echo');
  assert.equal(await page.getByText(/is not known to support/).count(), 0);
  for (const tool of ['Codex CLI', 'Cline', 'Continue', 'Zed', 'aider', 'Open WebUI', 'LibreChat']) {
    await page.getByRole('navigation', { name: 'Tools' }).getByRole('button', { name: tool, exact: true }).click();
    await page
      .locator('pre', { hasText: `${stage.url}/api/v1` })
      .first()
      .waitFor();
    assert.deepEqual(await person.barriers(), [], tool);
  }
  assert.deepEqual(person.complaints.splice(0), []);
});

test('on a phone the tools are a select list, and nothing overflows', async () => {
  const phone = await stage.operator({ width: 390, height: 844 });
  for (const tool of ['zed', 'librechat', 'open-webui', 'cline', 'codex']) {
    await phone.visit(`/connect?tool=${tool}`);
    assert.equal(await phone.overflow(), 0, tool);
    await phone.picture(`connect-phone-${tool}`);
  }
  await phone.leave();
});
