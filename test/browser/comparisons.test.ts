// Goal: a change is shown only when it is meaningful, and a chart's names are complete where there is space. Method: a real Chromium
// on weeks of calls; the sums of the previous period are put into the server's answer.
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

interface Sums {
  readonly requests: number;
  readonly failed: number;
}

/** The previous period is what `make` returns. */
async function withBefore(person: Person, make: (totals: Sums) => object): Promise<void> {
  await person.page.route('**/api/dashboard/usage?*', async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: { totals: Sums; previous: Sums } };
    const { data } = answer;
    await route.fulfill({ json: { data: { ...data, previous: { ...data.totals, ...make(data.totals) } } } });
  });
}

test('a change below a tenth of a point or a percent has no arrow and no colour', async () => {
  await person.anew('/keys');
  await withBefore(person, ({ requests, failed }) => ({
    requests: requests * 100_000,
    failed: failed * 100_000 - 0.0005 * requests * 100_000,
  }));
  for (const path of ['/', '/usage']) {
    await person.visit(path);
    const tile = person.page.locator('main div.rounded-lg', { hasText: /^Error rate/ }).last();
    assert.match(await tile.innerText(), /unchanged/);
    assert.equal(await tile.locator('.text-bad-text, .text-good-text').count(), 0);
    assert.doesNotMatch(await tile.innerText(), /[↑↓]/);
  }
});

test('a period is not compared with one that began before the first call', async () => {
  await person.anew('/keys');
  await withBefore(person, () => ({ requests: 1 }));
  for (const path of ['/', '/usage']) {
    await person.visit(`${path}?range=7d`);
    assert.match(await person.page.getByRole('main').innerText(), /over 10×/, 'a previous period is shown');
    await person.visit(`${path}?range=30d`);
    assert.doesNotMatch(await person.page.getByRole('main').innerText(), /[↑↓]|tenfold|unchanged/);
  }
});

test('model names in equal charts are complete, or have the complete name as their title', async () => {
  for (const width of [1440, 1280, 390]) {
    await person.anew('/', { width, height: 900 });
    const names = await person.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main figcaption li .truncate')].map((each) => ({
        isCut: each.scrollWidth > each.clientWidth,
        isTitled: each.title === each.textContent,
      })),
    );
    assert.ok(names.length > 10);
    assert.ok(names.every(({ isTitled }) => isTitled));
    assert.ok(!names.some(({ isCut }) => isCut), `cut at ${width} px`);
  }
});
