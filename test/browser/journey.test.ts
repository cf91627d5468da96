// Goal: what a new operator does in the first ten minutes works end to end. Method: `turnpike serve` as
// operators start it, a real Chromium, calls over HTTP with the key that the page showed; the provider is scripted.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { SCRIPTED_MODEL } from '../support/start-gateway-with-upstream.ts';
import { closeBrowser, Person } from './browser.ts';
import { ask, OPERATOR } from './operator.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

let upstream: ScriptedUpstream;
let server: SeededServer;
let person: Person;
before(async () => {
  upstream = await startScriptedUpstream((exchange) => exchange.whole(200, answerOf20000Tokens()));
  const provider = {
    name: 'scripted',
    kind: 'custom',
    origin: upstream.origin,
    credential: 'canary-credential-of-the-scripted-provider',
    dialects: ['openai-chat'],
    models: [{ id: SCRIPTED_MODEL, upstream: 'scripted-1', prices: { input: 1, output: 5 }, outputCap: 128_000 }],
  };
  server = await startSeededServer(0, { demo: false, providers: [provider], billing: { firstRunCredit: '5' } });
  person = await Person.at(server.url);
});
after(async () => {
  await closeBrowser();
  await server?.remove();
  await upstream?.close();
});

/** After a failed part, the later ones show nothing. */
test('from the first run to a revoked key', async (t) => {
  const { page } = person;
  let secret = '';

  await t.test('the set-up link creates the operator and signs in', async () => {
    await page.goto(server.setUpLink);
    await page.getByLabel('Your name').fill(OPERATOR.name);
    assert.deepEqual(await person.barriers(), []);
    await person.picture('journey-0-set-up');
    await page.getByLabel('Email').fill(OPERATOR.email);
    await page.getByLabel('Password', { exact: true }).fill(OPERATOR.password);
    await page.getByRole('button', { name: 'Create admin account' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.equal(new URL(page.url()).hash, '', 'the token is no longer in the address');
    await page.getByText('Waiting for your first request').waitFor();
    await person.picture('journey-1-first-steps');
  });

  await t.test('a used link is refused', async () => {
    const other = await Person.at(server.url);
    await other.page.goto(server.setUpLink);
    await other.page.getByRole('heading', { name: /link/i }).waitFor();
    assert.equal(await other.page.getByLabel('Your name').count(), 0);
    await other.leave();
  });

  await t.test('a project', async () => {
    await go(person, 'Projects');
    await page.getByRole('button', { name: 'Create project' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create project' });
    await dialog.getByLabel('Name').fill('Customer support');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.waitFor({ state: 'detached' });
    await rowOf(person, 'Customer support').waitFor();
  });

  await t.test('a key with limits, whose secret is shown once', async () => {
    await go(person, 'API keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name optional').fill('helpdesk');
    await dialog.getByLabel('Project').selectOption('Customer support');
    await dialog.getByLabel('Per day', { exact: true }).fill('0.25');
    await dialog.getByText('Rate limits', { exact: true }).click();
    await dialog.getByLabel('Requests per minute').fill('4');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const made = page.getByRole('dialog', { name: 'helpdesk created' });
    secret = await made.getByLabel('API key').inputValue();
    assert.match(secret, /^sk-tp-/);
    await made.getByRole('button', { name: 'Copy', exact: true }).click();
    await made.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
    assert.ok((await made.innerText()).includes(server.url), 'snippets have the address');
    await person.picture('journey-2-secret', false);
    await page.keyboard.press('Escape');
    assert.ok(await made.isVisible(), 'Escape does not lose a secret');
    await made.getByRole('button', { name: 'I’ve saved it' }).click();
    await rowOf(person, 'helpdesk').waitFor();
    assert.ok(!(await page.content()).includes(secret), 'it is no longer on the page');
    await page.reload();
    await rowOf(person, 'helpdesk').waitFor();
    assert.ok(!(await page.content()).includes(secret));
  });

  await t.test('a call appears in the live tail, and advances the checklist', async () => {
    const overview = await person.context.newPage();
    await overview.goto('/');
    await overview.getByText('Waiting for your first request').waitFor();
    await go(person, 'Requests');
    await page.getByText('Live', { exact: true }).waitFor();
    const response = await ask(server.url, secret, 'hi', SCRIPTED_MODEL, 20_000);
    assert.equal(response.status, 200, await response.text());
    await rowOf(person, SCRIPTED_MODEL).waitFor();
    await overview.getByText('Your first request arrived').waitFor();
    await overview.close();
  });

  await t.test('usage and balance change', async () => {
    await go(person, 'Usage');
    await person.settled();
    await page.locator('main').getByText('$0.10').first().waitFor();
    await page.getByRole('figure').first().locator('canvas').waitFor();
    await go(person, 'Billing');
    await page.getByText('$4.90').first().waitFor();
    await rowOf(person, SCRIPTED_MODEL).waitFor();
    await person.settled();
    await person.picture('journey-3-billing');
  });

  await t.test('a budget that is used up answers 402, a rate 429', async () => {
    assert.equal((await ask(server.url, secret, 'hi', SCRIPTED_MODEL, 20_000)).status, 200);
    // 0.20 of 0.25 are spent: the third call would hold 0.10.
    assert.equal((await ask(server.url, secret, 'hi', SCRIPTED_MODEL, 20_000)).status, 402);
    const statuses = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await ask(server.url, secret, 'hi', SCRIPTED_MODEL, 10)).status);
    assert.equal(statuses.at(-1), 429, statuses.join());
    await go(person, 'API keys');
    await page.getByRole('link', { name: 'helpdesk' }).click();
    await page.getByRole('heading', { name: 'helpdesk' }).waitFor();
    const binds = page.getByRole('list', { name: 'Budgets' });
    await binds.getByText('$0.20').waitFor();
    await page.getByRole('list', { name: 'Rates' }).getByText('4 of 4').waitFor();
    await person.settled();
    await person.picture('journey-4-key');
    await page.getByRole('link', { name: /^\d+ requests? refused$/ }).click();
    await page.getByText('budget_exceeded').first().waitFor();
    await page.getByText('rate_limit_exceeded').first().waitFor();
    await person.settled();
    await person.picture('journey-5-refused');
    await page.getByRole('link', { name: 'helpdesk' }).first().click();
    await page.getByRole('heading', { name: 'helpdesk' }).waitFor();
  });

  await t.test('to revoke the key, type its name; then it is refused', async () => {
    await page.getByRole('button', { name: 'Actions for helpdesk' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke helpdesk?' });
    const revoke = dialog.getByRole('button', { name: 'Revoke' });
    assert.ok(await revoke.isDisabled());
    await dialog.getByRole('textbox').fill('help');
    assert.ok(await revoke.isDisabled());
    await dialog.getByRole('textbox').fill('helpdesk');
    await revoke.click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await ask(server.url, secret, 'hi', SCRIPTED_MODEL, 10)).status, 401);
  });

  await t.test('the key stays in the list of revoked keys and in the reports', async () => {
    await go(person, 'API keys');
    await person.settled();
    assert.equal(await rowOf(person, 'helpdesk').count(), 0);
    await page.getByLabel('Show revoked').check();
    await rowOf(person, 'helpdesk').getByText('revoked').waitFor();
    await page.goto('/usage?group_by=key');
    await page.locator('main').getByText('helpdesk').first().waitFor();
    await page.goto('/audit');
    await page.locator('main').getByText('helpdesk').first().waitFor();
  });

  assert.deepEqual(person.complaints, []);
});

function rowOf({ page }: Person, text: string): Locator {
  return page.locator('main tbody tr', { hasText: text }).first();
}

async function go({ page }: Person, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** 0.10 USD at 5 USD a million. */
function answerOf20000Tokens(): string {
  return JSON.stringify({
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1,
    model: 'scripted-1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 0, completion_tokens: 20_000, total_tokens: 20_000 },
  });
}
