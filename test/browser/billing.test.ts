// Goal: the Billing page starts with months, which lead to their rows and tables. Method: a real Chromium, weeks of calls, and
// entries of every kind; the downloaded file is added up.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseUsd } from '../../src/core/money.ts';
import { closeBrowser, Person, textOf } from './browser.ts';
import { OPERATOR, send, setUp, signIn } from './operator.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

let server: SeededServer;
before(async () => {
  server = await startSeededServer(300, { demo: false });
  await setUp(server.setUpLink);
});
after(async () => {
  await closeBrowser();
  await server?.remove();
});

test('months add up on the page and in their tables, and lead to their rows', async () => {
  const person = await Person.at(server.url);
  await signIn(person, OPERATOR);
  const { page } = person;
  for (const [kind, amount] of [
    ['topup', '12.000000001'],
    ['promo', '3'],
    ['adjustment', '-0.5'],
  ])
    await send(person, 'POST', '/balance/entries', { kind, amount, reference: `a ${kind}` });
  await person.visit('/billing');
  const months = page.getByRole('table', { name: 'Monthly statements' });
  const titles = await months.getByRole('columnheader').allInnerTexts();
  assert.deepEqual(
    titles.map((title) => title.trim()),
    ['Month', 'Opening balance', 'Top-ups', 'Promos', 'Adjustments', 'Charges', 'Refunds', 'Closing balance', 'Export'],
  );
  const running = months.getByRole('row').nth(1);
  assert.match(await running.innerText(), /so far/);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    running.getByRole('link', { name: /^CSV/ }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^ledger-\d{4}-\d{2}-01-to-\d{4}-\d{2}-\d{2}\.csv$/);
  const lines = (await textOf(download)).trimEnd().split('\r\n').slice(1);
  const [at = '', soFar] = lines[0]?.split(',') ?? [];
  assert.equal(soFar, 'so far');
  assert.ok(Date.parse(at) <= Date.now(), 'the current month has no closing in the future');
  const amounts = lines.map((line) => parseUsd(line.split(',')[2] ?? ''));
  const [closing = 0n, opening = 0n, total = 0n] = [amounts[0], amounts.at(-2), amounts.at(-1)];
  assert.equal(
    amounts.slice(1, -2).reduce<bigint>((sum, amount) => sum + amount, opening),
    closing,
  );
  assert.equal(opening + total, closing);
  const { data } = await send<{ data: { closing: number }[] }>(person, 'GET', '/ledger/months');
  assert.equal(Number(closing) / 1e9, data[0]?.closing);

  const name = (await running.getByRole('button').innerText()).trim();
  await running.getByRole('button', { name }).click();
  await person.settled();
  const rows = page.getByRole('table', { name: 'Transactions' });
  assert.equal(await rows.getByText('a promo').count(), 1);
  await page.getByRole('button', { name: 'Remove filter: Month' }).click();
  await page.getByRole('combobox', { name: 'Time range' }).waitFor();
  assert.deepEqual(person.complaints, []);
  await person.leave();
});
