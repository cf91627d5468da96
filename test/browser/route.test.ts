// Goal: a member sees who would serve a request of a key, in which order, why, at what cost, and who is left out; a refusal and a failure are
// explained; it fits a phone. Method: a real Chromium that fills in the form, two providers of one model, and the provider's
// own record of what it got: nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OPEN_MODEL, scriptedProvider } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';
import { closeBrowser, type Person, PHONE } from './browser.ts';
import { send } from './operator.ts';
import { openStage, type Stage } from './stage.ts';

let upstream: ScriptedUpstream;
let stage: Stage;
let owner: Person;
let key: number;
before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  const { origin } = upstream;
  stage = await openStage({
    billing: { firstRunCredit: '5' },
    providers: [scriptedProvider('east', origin), scriptedProvider('west', origin)],
  });
  owner = await stage.operator();
  const made = await send<{ readonly data: { readonly id: number } }>(owner, 'POST', '/keys', {
    name: 'helpdesk',
    limits: { budgets: { total: '1' } },
  });
  key = made.data.id;
});
after(async () => {
  await closeBrowser();
  await stage?.close();
  await upstream?.close();
});

async function choose(label: string, search: string): Promise<void> {
  const { page } = owner;
  await page.getByRole('combobox', { name: label }).fill(search);
  await page.getByRole('option', { name: search }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

const rowsOf = (person: Person, table: string) =>
  person.page.getByRole('table', { name: table }).locator('tbody tr').allInnerTexts();

test('the candidates of a key and a model are shown in their order, with what each costs at most', async () => {
  const { page } = owner;
  await owner.visit('/');
  await page.getByRole('link', { name: 'Route', exact: true }).click();
  await page.getByText('Choose an API key and a model').waitFor();
  const show = page.getByRole('button', { name: 'Show route' });
  assert.equal(await show.isDisabled(), true);
  await choose('API key', 'helpdesk');
  await choose('Model or alias', OPEN_MODEL);
  await show.click();
  await page.getByRole('table', { name: 'Candidates' }).waitFor();
  const rows = await rowsOf(owner, 'Candidates');
  assert.equal(rows.length, 2);
  assert.match(rows[0] ?? '', /1[\s\S]*scripted\/model[\s\S]*at east[\s\S]*Tried first\.[\s\S]*\$0\.00/);
  assert.match(rows[1] ?? '', /2[\s\S]*at west[\s\S]*Tried if those before it fail\./);
  assert.match(page.url(), new RegExp(`key=${key}`));
  assert.deepEqual(await owner.barriers(), []);
  await owner.picture('route');
});

test('who is left out is named with the reason, and nobody is sent anything', async () => {
  const { page } = owner;
  await page.getByText('Provider preferences').click();
  await page.getByLabel('Not these').fill('east');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show route' }).click();
  await page.getByRole('table', { name: 'Left out' }).waitFor();
  assert.match((await rowsOf(owner, 'Left out')).join(), /at east[\s\S]*The request rules this provider out\./);
  assert.match((await rowsOf(owner, 'Candidates')).join(), /1[\s\S]*at west/);
  await page.getByLabel('Output cap').fill('100000');
  await page.getByLabel('Prompt length').fill('900000');
  await page.getByRole('button', { name: 'Show route' }).click();
  await page.getByText('Nobody would serve this request').waitFor();
  assert.match((await rowsOf(owner, 'Left out')).join(), /The balance or a budget does not cover/);
  assert.deepEqual(await owner.barriers(), []);
  assert.equal(upstream.exchanges.length, 0);
});

test('a maximum price that is no number is a shown error, and no route is asked for', async () => {
  const { page } = owner;
  await owner.anew(`/route?key=${key}&model=${encodeURIComponent(OPEN_MODEL)}`);
  await page.getByRole('table', { name: 'Candidates' }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/keys\/\d+\/route/.test(request.url())) asked.push(request.postData() ?? '');
  });
  await page.getByText('Provider preferences').click();
  for (const typed of ['abc', '1,5', '.']) {
    await page.getByLabel('Maximum output price').fill(typed);
    // Also when the part of the form is closed.
    await page.getByText('Provider preferences').click();
    await page.getByRole('button', { name: 'Show route' }).click();
    await page.getByText('Enter an amount such as 1000.50').waitFor();
  }
  assert.deepEqual(asked, []);
  await page.getByLabel('Maximum output price').fill('');
});

test('a request may demand facts of its providers, and who is not known to fulfil them is left out', async () => {
  const { page } = owner;
  await page.getByLabel('No data collection').check();
  await page.getByLabel('Zero data retention').check();
  await page.getByRole('combobox', { name: 'Quantizations' }).fill('fp8');
  await page.keyboard.press('Enter');
  const sent = page.waitForRequest(/\/keys\/\d+\/route/);
  await page.getByRole('button', { name: 'Show route' }).click();
  const { provider } = JSON.parse((await sent).postData() ?? '{}') as { readonly provider: unknown };
  assert.deepEqual(provider, { data_collection: 'deny', zdr: true, quantizations: ['fp8'] });
  await page.getByRole('table', { name: 'Left out' }).waitFor();
  assert.deepEqual(await owner.barriers(), []);
  await owner.picture('route-facts');
});

test('a request that would be refused is explained, and so is a failure of the page', async () => {
  const { page } = owner;
  await send(owner, 'PATCH', `/keys/${key}`, { permissions: { models_deny: ['scripted/*'] } });
  await owner.anew(`/route?key=${key}&model=${encodeURIComponent(OPEN_MODEL)}`);
  await page.getByText(/would be rejected with 403 model_not_allowed/).waitFor();
  await send(owner, 'PATCH', `/keys/${key}`, { permissions: { models_deny: null } });
  await page.route(/\/keys\/\d+\/route/, (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'overloaded', message: 'Busy.' } } }),
  );
  await page.getByRole('button', { name: 'Show route' }).click();
  await page.getByText('Could not plan the request').waitFor();
  assert.deepEqual(await owner.barriers(), []);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Candidates' }).waitFor();
});

test('it fits a phone', async () => {
  const phone = await stage.operator(PHONE);
  await phone.visit(`/route?key=${key}&model=${encodeURIComponent(OPEN_MODEL)}`);
  await phone.page.getByRole('table', { name: 'Candidates' }).waitFor();
  assert.equal((await rowsOf(phone, 'Candidates')).length, 2);
  assert.equal(await phone.overflow(), 0);
  assert.deepEqual(await phone.barriers(), []);
  await phone.picture('route-phone');
  await phone.leave();
});
