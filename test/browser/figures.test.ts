// Goal: a list of calls can be scanned at every width; amounts align and are never shown as zero by rounding; a table shows its sort
// order; a model has the same colour in every chart; a chart's figures are listed next to it, in the order of the stack, and the
// keyboard reaches them. Method: a real Chromium on weeks of calls; rows are measured, colours are read from the drawing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, DESK, Person } from './browser.ts';
import { OPERATOR, signIn } from './operator.ts';
import { COLOUR_RULES } from './page-tour.ts';
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

/** The table's row heights, and how much of the table is out of sight, in pixels. */
function measured({ page }: Person): Promise<{ readonly heights: number[]; readonly hidden: number }> {
  return page.evaluate(() => {
    const table = document.querySelector('main table');
    return {
      heights: [...(table?.querySelectorAll('tbody tr') ?? [])].map((row) => row.getBoundingClientRect().height),
      hidden: (table?.parentElement?.scrollWidth ?? 0) - (table?.parentElement?.clientWidth ?? 0),
    };
  });
}

for (const [width, highest] of [
  [1440, 40],
  [1280, 40],
  [1024, 40],
  [768, 40],
  [390, 66],
] as const)
  test(`at ${width} px each call takes ${width < 640 ? 'two lines' : 'one line'}, and nothing is cut off`, async () => {
    await person.anew('/keys', { width, height: 900 });
    for (const address of ['/calls', '/calls?status=failed']) {
      await person.visit(address);
      const { heights, hidden } = await measured(person);
      assert.ok(heights.length > 10, `${heights.length} rows`);
      assert.ok(Math.max(...heights) <= highest, `${address}: a row of ${Math.max(...heights)} px`);
      assert.equal(hidden, 0, `${address}: ${hidden} px of the table are cut off`);
      assert.equal(await person.overflow(), 0);
      await person.picture(`lines-${width}${address.includes('failed') ? '-failed' : ''}`, false);
    }
  });

test('truncated text is complete in its title', async () => {
  await person.anew('/calls', { width: 1280, height: 900 });
  const cut = await person.page.evaluate(() =>
    [...document.querySelectorAll('main tbody tr')].flatMap((row) =>
      [...row.querySelectorAll<HTMLElement>('.truncate')]
        .filter((each) => each.scrollWidth > each.clientWidth)
        .map((each) => [each.textContent ?? '', each.closest('[title]')?.getAttribute('title') ?? ''] as const),
    ),
  );
  for (const [text, title] of cut) assert.ok(title.includes(text), `${text} has the title ${title}`);
});

test('amounts of a column and its total have the same decimals; none rounds to zero, and the title has all digits', async () => {
  await person.anew('/calls');
  const charges = await amounts(person, '[title$=" USD"]');
  assert.ok(charges.length > 20);
  assertAligned(charges);
  await person.visit('/usage?range=30d');
  const spends = await amounts(person, '[title$=" USD"]');
  assert.match(spends.at(-1)?.title ?? '', /^\$\d/);
  assertAligned(spends);
});

interface Shown {
  readonly column: number;
  readonly text: string;
  readonly title: string;
}

function amounts({ page }: Person, selector: string): Promise<readonly Shown[]> {
  return page
    .locator('main table')
    .locator(selector)
    .evaluateAll((all) =>
      all.map((each) => ({
        column: each.closest<HTMLTableCellElement>('td, th')?.cellIndex ?? -1,
        text: each.textContent ?? '',
        title: each.getAttribute('title') ?? '',
      })),
    );
}

function assertAligned(all: readonly Shown[]): void {
  for (const [column, amounts] of Map.groupBy(all, ({ column }) => column)) {
    const texts = amounts.map(({ text }) => text);
    assert.equal(new Set(texts.map((text) => text.split('.')[1]?.length)).size, 1, `${column}: ${texts.join(' ')}`);
  }
  for (const { text, title } of all) {
    const [shown, exact] = [text, title].map((each) => Number(each.replace(/[$, USD]/g, '')));
    assert.ok(exact === 0 || shown !== 0, `${title} is shown as ${text}`);
    assert.ok(
      Math.abs((shown ?? 0) - (exact ?? 0)) <= 0.5 * 10 ** -(text.split('.')[1]?.length ?? 0) + 1e-12,
      `${title}: ${text}`,
    );
  }
}

test('every list shows what it is sorted by, and a heading sorts', async () => {
  await person.anew('/members');
  const { page } = person;
  for (const [address, heading, order, ...others] of [
    ['/calls', 'Time', 'descending'],
    ['/usage', 'Spend', 'descending'],
    ['/keys', 'Created', 'descending'],
    ['/billing', 'Month', 'descending', 'Time'],
    ['/audit', 'Time', 'descending'],
    ['/projects', 'Name', 'ascending'],
    ['/models', 'Requests (7 days)', 'descending'],
    ['/accounts', 'Account', 'ascending'],
    ['/members', 'Joined', 'ascending'],
    ['/people', 'Joined', 'ascending'],
  ] as const) {
    await person.visit(address);
    const sorted = page.locator('main th[aria-sort]');
    assert.deepEqual(await sorted.allInnerTexts(), [heading, ...others], address);
    assert.equal(await sorted.first().getAttribute('aria-sort'), order, address);
    assert.equal(await sorted.locator('svg').count(), 1 + others.length, `${address}: the arrow is visible`);
  }
  await person.visit('/usage?range=30d');
  await page.getByRole('button', { name: 'Requests' }).click();
  assert.equal(await page.locator('main th[aria-sort]').innerText(), 'Requests');
  const requests = await page.locator('main tbody tr td:nth-child(4)').allInnerTexts();
  const counts = requests.map((text) => Number(text.replaceAll(',', '')));
  assert.deepEqual(
    counts,
    [...counts].sort((one, other) => other - one),
  );
  assert.match(page.url(), /sort=-requests/);
});

/** From each name to its colour, wherever a swatch appears next to a name. */
function marks({ page }: Person): Promise<Readonly<Record<string, string[]>>> {
  return page.evaluate(() => {
    const found: Record<string, string[]> = {};
    for (const swatch of document.querySelectorAll<SVGElement>('main [data-mark]')) {
      const name = swatch.nextElementSibling?.textContent ?? '';
      found[name] = [...new Set([...(found[name] ?? []), swatch.dataset['mark'] ?? ''])];
    }
    return found;
  });
}

test('a model has one colour: in every chart, filtered, sorted differently, and after a reload', async () => {
  await person.anew('/members');
  const seen = new Map<string, string>();
  for (const address of [
    '/usage?range=30d',
    '/',
    '/usage?range=30d&metric=tokens&sort=name',
    '/usage?range=7d&metric=errors',
    '/usage?range=30d&model=google/gemini-2.5-flash&group_by=model',
    '/keys/1?range=30d',
  ]) {
    await person.visit(address);
    for (const [name, colours] of Object.entries(await marks(person))) {
      if (!name.includes('/')) continue;
      assert.equal(colours.length, 1, `${name} has ${colours.join(' and ')} on ${address}`);
      assert.equal(colours[0], seen.get(name) ?? colours[0], `${name} on ${address}`);
      seen.set(name, colours[0] ?? '');
    }
    if (address === '/') await person.page.reload();
    await person.settled();
  }
  assert.ok(seen.size >= 5, [...seen.keys()].join());
  assert.equal(new Set(seen.values()).size, seen.size, 'no two of them look the same');
});

for (const scheme of ['light', 'dark'] as const)
  test(`the figures are next to the plot in the order of the stack, and the arrow keys move through them, ${scheme}`, async () => {
    const { page } = person;
    await person.anew('/usage?range=30d', DESK, scheme);
    const slider = page.getByRole('slider', { name: 'Spend by model: time' });
    await slider.focus();
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^Whole period: total \$/);
    await page.keyboard.press('End');
    const days = Number(await slider.getAttribute('aria-valuemax'));
    assert.equal(await slider.getAttribute('aria-valuenow'), String(days));
    const amounts: number[][] = [];
    for (let at = days; at >= 0; at -= 1) {
      amounts[at] = amountsIn((await slider.getAttribute('aria-valuetext')) ?? '');
      await page.keyboard.press('ArrowLeft');
    }
    await page.keyboard.press('Home');
    for (let at = dayOfMostParts(amounts); at > 0; at -= 1) await page.keyboard.press('ArrowRight');
    const words = (await slider.getAttribute('aria-valuetext')) ?? '';
    assert.match(words, /^\d+ \w+ \d{4}: total \$[\d.]+, \w+\/[\w.-]+ \$/);
    await person.picture(`chart-pointed-${scheme}`, false);

    const drawn = await page.evaluate(coloursDownTheBar);
    assert.ok(drawn.bar.length >= 4, drawn.bar.join());
    assert.deepEqual(
      drawn.bar,
      drawn.readout.filter((colour) => drawn.bar.includes(colour)),
    );
    assert.ok(drawn.isBeside, 'the figures are next to the plot, not on it');

    await page.keyboard.press('Escape');
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^Whole period/);
    assert.deepEqual(await person.barriers(scheme === 'light' ? null : COLOUR_RULES), []);
    assert.deepEqual(person.complaints, []);
  });

/** The total of the day, then its models'. */
function amountsIn(words: string): number[] {
  return [...words.matchAll(/\$([\d.]+)/g)].map(([, amount]) => Number(amount));
}

/** The day with most parts that are tall enough to see: a fiftieth of the plot is a few pixels. */
function dayOfMostParts(amounts: readonly (readonly number[])[]): number {
  const seen = Math.max(...amounts.map(([total]) => total ?? 0)) / 50;
  const parts = amounts.map(([, ...models]) => models.filter((amount) => amount >= seen).length);
  return parts.indexOf(Math.max(...parts));
}

/** In the page: the colours of the hovered bar, from the top down, and those of the rows of figures. */
function coloursDownTheBar() {
  const canvas = document.querySelector<HTMLCanvasElement>('main figure canvas');
  const cursor = document.querySelector('main figure .u-cursor-x');
  const readout = document.querySelector('main figcaption');
  if (canvas === null || cursor === null || readout === null) throw new Error('there is no chart');
  const [plot, line] = [canvas.getBoundingClientRect(), cursor.getBoundingClientRect()];
  const scale = canvas.width / plot.width;
  // Two pixels off the line itself, still within the bar.
  const column = canvas
    .getContext('2d')
    ?.getImageData(Math.round((line.left - plot.left - 2) * scale), 0, 1, canvas.height).data;
  const style = getComputedStyle(document.documentElement);
  const palette = new Map(
    [...readout.querySelectorAll<SVGElement>('[data-mark]')].map((swatch) => {
      const name = (swatch.dataset['mark'] ?? '').split(' ')[0] ?? '';
      return [style.getPropertyValue(name).trim(), name] as const;
    }),
  );
  const hex = (at: number) =>
    `#${[0, 1, 2].map((part) => (column?.[at + part] ?? 0).toString(16).padStart(2, '0')).join('')}`;
  const bar: string[] = [];
  for (let at = 0; at < (column?.length ?? 0); at += 4) {
    const name = palette.get(hex(at));
    if (name !== undefined && bar.at(-1) !== name) bar.push(name);
  }
  return {
    bar,
    readout: [...palette.values()],
    isBeside: readout.getBoundingClientRect().left >= plot.right || readout.getBoundingClientRect().top >= plot.bottom,
  };
}

test('a series that is switched off leaves the chart and its total', async () => {
  const { page } = person;
  await person.anew('/usage?range=30d', { width: 390, height: 900 });
  const total = page.locator('main figcaption .font-semibold');
  const before = await total.innerText();
  const row = page.locator('main figcaption').getByRole('button', { name: 'openai/gpt-5' });
  await row.click();
  assert.equal(await row.getAttribute('aria-pressed'), 'false');
  assert.notEqual(await total.innerText(), before);
  await page.getByRole('button', { name: 'Show table' }).click();
  await page.getByRole('columnheader', { name: 'openai/gpt-5' }).waitFor();
  assert.equal(await person.overflow(), 0);
});
