// Goal: Usage shows and exports every group, in the time zone that it names. Method: a real Chromium far from UTC, more keys than a page
// of the table has, a call by each.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, DESK, Person, textOf } from './browser.ts';
import { OPERATOR, send, signIn } from './operator.ts';
import { openStage, type Stage } from './stage.ts';

const KEYS = 53;

let stage: Stage;
let person: Person;
before(async () => {
  stage = await openStage();
  person = await Person.at(stage.url, DESK, 'light', 'Asia/Kolkata');
  await signIn(person, OPERATOR);
  for (let index = 1; index <= KEYS; index += 1) {
    const { key } = await send<{ key: string }>(person, 'POST', '/keys', { name: `program ${index}` });
    await (await stage.ask(key)).text();
  }
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

test('every group is a row, page by page, and in both files', async () => {
  const { page } = person;
  await person.visit('/usage?group_by=key&range=1h');
  const rows = page
    .getByRole('table', { name: 'Usage by API key' })
    .getByRole('row')
    .filter({ hasText: /program/ });
  await page.getByText(`50 of ${KEYS} API keys`).waitFor();
  assert.equal(await rows.count(), 50);
  await page.getByRole('button', { name: 'Load more' }).click();
  await person.settled();
  assert.equal(await rows.count(), KEYS);
  const csv = await saved(
    page,
    () => page.getByRole('link', { name: 'Export CSV' }).click(),
    /^usage-by-key-[\d-]{10}-to-[\d-]{10}\.csv$/,
  );
  const lines = csv.trimEnd().split('\r\n').slice(1, -1);
  assert.equal(new Set(lines.map((line) => line.split(',')[1])).size, KEYS);
  const json = await saved(
    page,
    () => page.getByRole('button', { name: 'Export JSON' }).click(),
    /^usage-by-key-[\d-]{10}-to-[\d-]{10}\.json$/,
  );
  const { groups, time_zone } = JSON.parse(json) as { groups: { name: string }[]; time_zone: string };
  assert.deepEqual([new Set(groups.map(({ name }) => name)).size, time_zone], [KEYS, 'Asia/Calcutta']);
  assert.deepEqual(person.complaints, []);
});

test('days are those of the zone named next to the range, in requests and files', async () => {
  const { page } = person;
  const asked: URLSearchParams[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    // The previous period is requested too, ungrouped.
    if (pathname.endsWith('/usage') && searchParams.get('group_by') !== 'none') asked.push(searchParams);
  });
  await person.visit('/usage?range=7d');
  await page.getByLabel('More time ranges').selectOption('Last month');
  await page.getByText('Days start at 23:30').waitFor();
  await person.settled();
  const csv = async (): Promise<URLSearchParams> =>
    new URL((await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')) ?? '', stage.url).searchParams;
  for (const query of [asked.at(-1), await csv()])
    assert.deepEqual(
      [query?.get('time_zone'), query?.get('from')?.slice(11, 16), query?.get('interval')],
      ['Asia/Calcutta', '18:30', 'day'],
    );
  await person.picture('desk-usage-kolkata', false);
  await page.getByRole('group', { name: 'Time zone' }).getByRole('button', { name: 'UTC' }).click();
  await page.getByText('Days start at 23:30').waitFor({ state: 'detached' });
  await person.settled();
  for (const query of [asked.at(-1), await csv()])
    assert.deepEqual([query?.get('time_zone'), query?.get('from')?.slice(8, 16)], ['UTC', '01T00:00']);
  await page.reload();
  const utc = page.getByRole('group', { name: 'Time zone' }).getByRole('button', { name: 'UTC' });
  await utc.waitFor();
  assert.equal(await utc.getAttribute('aria-pressed'), 'true', 'the choice is remembered');
  assert.deepEqual(await person.barriers(), []);
  assert.deepEqual(person.complaints, []);
});

async function saved(page: Page, act: () => Promise<void>, name?: RegExp): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  if (name !== undefined) assert.match(download.suggestedFilename(), name);
  return textOf(download);
}
