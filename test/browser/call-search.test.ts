// Goal: a request is found by each of its ids, also if it was refused; calls of removed providers can be filtered, and a rare call is found without clicking again and again. Method: a real Chromium on
// weeks of calls of providers that are not configured; a server whose search answers piece by piece, as for a long history.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, Person } from './browser.ts';
import { OPERATOR, signIn } from './operator.ts';
import { type BorrowedServer, borrowServer } from './shared-servers.ts';

let server: BorrowedServer;
let person: Person;
before(async () => {
  server = await borrowServer('furnished');
  person = await Person.at(server.url);
  await signIn(person, OPERATOR);
});
after(async () => {
  await closeBrowser();
  await server?.giveBack();
});

test('a provider and a model that are no longer configured are offered as filters', async () => {
  await person.anew('/calls');
  const { page } = person;
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await person.settled();
  const providers = await dialog.getByLabel('Provider').locator('option').allTextContents();
  assert.ok(providers.includes('anthropic') && providers.includes('demo'), providers.join());
  await dialog.getByLabel('Provider').selectOption('anthropic');
  await dialog.getByLabel('Model').click();
  await page.getByRole('option', { name: 'anthropic/claude-sonnet-4-5' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await dialog.getByText('Exact match.').count(), 2, 'for the user and the app');
  await dialog.getByRole('button', { name: 'Apply filters' }).click();
  await page.getByRole('button', { name: 'Remove filter: Provider' }).waitFor();
  await person.settled();
  assert.ok((await page.getByRole('table', { name: 'Requests' }).getByRole('row').count()) > 10);
});

async function searchFor(id: string): Promise<void> {
  await person.anew('/calls');
  const box = person.page.getByRole('searchbox', { name: 'Go to request ID' });
  assert.match((await box.getAttribute('placeholder')) ?? '', /gen-….*req_…/);
  await box.fill(id);
  await box.press('Enter');
}

test('the request ID of a refused request leads to the refusal', async () => {
  await person.anew('/calls?status=refused');
  const { page } = person;
  const refused = page.getByRole('table', { name: 'Refused requests' });
  const id = await refused
    .getByText(/^req_[0-9a-z]{26}$/)
    .first()
    .innerText();
  assert.ok((await refused.getByRole('button', { name: 'Copy request ID' }).count()) > 0);
  await searchFor(id);
  await page.getByText('Request refused').waitFor();
  await page.getByText('model_not_found').waitFor();
  await page.getByRole('link', { name: 'Show the refusal' }).click();
  await refused.getByText(id).waitFor();
  assert.equal(await refused.locator('tbody').getByRole('row').count(), 1);
  await page.getByRole('button', { name: 'Remove filter: Request ID' }).click();
  await page.waitForURL((url) => !url.search.includes('request='));
});

test('a recorded request is found by its request ID, and shows both IDs by name', async () => {
  await person.anew('/calls');
  const { page } = person;
  const address = await page.getByRole('table', { name: 'Requests' }).locator('tbody a').first().getAttribute('href');
  const generation = /gen-[0-9a-z]{26}/.exec(address ?? '')?.[0] ?? '';
  const request = generation.replace('gen-', 'req_');
  await searchFor(request);
  const facts = page.locator('dl').filter({ hasText: 'Generation ID' });
  await facts.getByText(generation, { exact: true }).waitFor();
  await facts.getByText(request, { exact: true }).waitFor();
  await facts.getByRole('button', { name: 'Copy generation ID' }).waitFor();
});

test('an unknown request ID leads to where refused requests are listed', async () => {
  await searchFor(`req_${'0'.repeat(26)}`);
  await person.page.getByText(/refused ones are listed under Refused/).waitFor();
  await person.page.getByRole('link', { name: 'Refused requests' }).click();
  await person.page.getByRole('table', { name: 'Refused requests' }).waitFor();
});

/** `count` empty pieces of a search, one after another. */
async function inPieces(person: Person, count: number): Promise<() => number> {
  let asked = 0;
  await person.page.route('**/api/dashboard/calls?*', async (route) => {
    asked += 1;
    const isLast = asked >= count;
    const day = String(28 - Math.min(asked, 27)).padStart(2, '0');
    await route.fulfill({
      json: {
        data: [],
        next_cursor: isLast ? null : `gen-${asked}`,
        searched_to: isLast ? null : `2026-11-${day}T00:00:00.000Z`,
      },
    });
  });
  return () => asked;
}

test('a search for rare calls continues to the end by itself', async () => {
  await person.anew('/keys');
  const asked = await inPieces(person, 12);
  await person.visit('/calls?user=nobody');
  await person.page.getByText('No matching requests').waitFor();
  assert.equal(asked(), 12);
  assert.equal(await person.page.getByRole('button', { name: 'Keep searching' }).count(), 0);
});

test('a search shows its progress, and can be stopped and resumed', async () => {
  await person.anew('/keys');
  const asked = await inPieces(person, 1_000_000);
  // Not `visit`: it waits until the page has no pending request.
  await person.page.goto('/calls?app=nobody');
  await person.page.getByText(/^Searching… back to .*, nothing found so far\.$/).waitFor();
  await person.page.getByRole('button', { name: 'Stop' }).click();
  await person.page.getByText(/^Searched back to /).waitFor();
  await person.settled();
  const before = asked();
  await person.page.getByRole('button', { name: 'Keep searching' }).click();
  await person.page.getByRole('button', { name: 'Stop' }).click();
  await person.settled();
  assert.ok(asked() > before);
});

test('a row on Keys leads to how to use the key', async () => {
  await person.anew('/keys');
  await person.page.getByRole('button', { name: 'Actions for helpdesk' }).click();
  await person.page.getByRole('menuitem', { name: 'Use key' }).click();
  await person.page.waitForURL(/\/connect\?key=\d+/);
});

test('lists of times name their time zone', async () => {
  const traveller = await Person.at(server.url, { width: 390, height: 900 }, 'light', 'Asia/Kolkata');
  await signIn(traveller, OPERATOR);
  for (const path of ['/calls', '/calls?status=refused', '/audit']) {
    await traveller.visit(path);
    await traveller.page.getByRole('group', { name: 'Time zone' }).getByRole('button', { name: 'UTC' }).waitFor();
    assert.equal(await traveller.overflow(), 0, path);
  }
  await traveller.leave();
});
