/**
 * Goal: the docs can be read, searched and tried on a desktop, on a phone and without scripts, and an API key typed
 * into a page stays in its memory. Method: a real Chromium against a gateway with the demo models, without a session.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type OpenBench, openBench } from '../support/open-gateway.ts';
import { closeBrowser, DESK, openBrowser, Person, PHONE } from './browser.ts';

/** As their Markdown has them. */
const LIMITS = titleOf('guide/limits');
const ERRORS = titleOf('reference/errors');
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

let bench: OpenBench;
let desk: Person;
before(async () => {
  bench = await openBench({ demo: true });
  desk = await Person.at(bench.url);
});
after(async () => {
  await closeBrowser();
  await bench?.close();
});

describe('on a desktop', () => {
  test('pages have no faults in light and in dark', async () => {
    const faults: string[] = [];
    for (const path of [
      '/docs',
      '/docs/guide/limits',
      '/docs/reference/errors',
      '/docs/api#createKey',
      '/docs/nothing',
    ]) {
      await desk.page.emulateMedia({ colorScheme: 'light' });
      await desk.page.goto(path);
      await desk.settled();
      if (path.endsWith('createKey')) await desk.page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      for (const scheme of ['light', 'dark'] as const) {
        await desk.page.emulateMedia({ colorScheme: scheme });
        const barriers = await desk.barriers(scheme === 'light' ? null : COLOUR_RULES);
        faults.push(...barriers.map((barrier) => `${path} ${scheme}: ${barrier}`));
        if ((await desk.overflow()) > 0) faults.push(`${path}: too wide`);
        await desk.picture(`docs-${path.replaceAll(/\W+/g, '-')}-${scheme}`, false);
      }
    }
    assert.deepEqual([...faults, ...desk.complaints.splice(0)], []);
  });

  test('the theme applies to docs and dashboard, and is remembered', async () => {
    const { page } = desk;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/docs/guide/limits');
    await page.getByRole('button', { name: 'Dark theme' }).click();
    assert.equal(await page.evaluate(() => localStorage.getItem('turnpike.theme')), 'dark');
    await page.goto('/sign-in');
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.goto('/docs');
    await page.getByRole('button', { name: 'Light theme' }).click();
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'light');
  });

  test('the search works with the keyboard alone', async () => {
    const { page } = desk;
    await page.goto('/docs/guide/limits');
    await page.keyboard.press('/');
    const input = page.getByRole('combobox', { name: 'Search the docs' });
    await input.fill('model_not_found');
    await page.getByRole('option', { name: /^model_not_found/, selected: true }).waitFor();
    assert.deepEqual(await desk.barriers(), []);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { selected: true }).and(page.locator('#search-result-1')).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reference/errors#model_not_found');
    await page.keyboard.press('Control+k');
    await input.waitFor();
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
    // In an input a slash is just a character.
    await page.keyboard.press('/');
    await input.fill('');
    await page.keyboard.type('a/b');
    assert.equal(await input.inputValue(), 'a/b');
    await page.keyboard.press('Escape');
  });

  test('code and pages can be copied', async () => {
    const { page } = desk;
    await page.goto('/docs/guide/limits');
    const code = page.locator('.code').first();
    await code.getByRole('button', { name: 'Copy' }).click();
    await code.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await code.locator('code').innerText());
    // Not by its name, which is for a while also that of the other button.
    const whole = page.locator('.copy-page');
    await whole.click();
    await whole.getByText('Copied').waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(`^# ${LIMITS}\n`));
    assert.deepEqual(desk.complaints.splice(0), []);
  });

  test('of a console block only the commands are copied', async () => {
    const { page } = desk;
    await page.goto('/docs/how-to/add-a-storage');
    const block = page.locator('.code.is-console').last();
    assert.match(await block.innerText(), /\$ npx .*\n[^$]/);
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    assert.ok(copied.length > 1 && copied.every((line) => /^(npx|npm|ls) /.test(line)), copied.join('\n'));
  });

  test('the API explorer keeps its distance from the header, and finds routes by their parameters', async () => {
    const { page } = desk;
    await page.goto('/docs/api?search=csv');
    const [header, place] = [page.locator('.top'), page.locator('.place')];
    const [above, below] = [await header.boundingBox(), await place.boundingBox()];
    assert.ok(above !== null && below !== null && below.y - above.y - above.height >= 24);
    await page.locator('#listCalls').waitFor();
  });

  test('the menu and “On this page” show where the reader is', async () => {
    const { page } = desk;
    await page.goto('/docs/reference/errors?#bad_gateway');
    const contents = page.getByRole('navigation', { name: 'On this page' });
    const inSight = async (anchor: string): Promise<void> => {
      const link = contents.locator(`a[href="#${anchor}"][aria-current]`);
      await link.waitFor();
      assert.ok(await isInside(contents, link), anchor);
    };
    await inSight('bad_gateway');
    const menu = page.getByRole('navigation', { name: 'Documentation' });
    assert.ok(await isInside(menu, menu.locator('[aria-current="page"]')));
    // The reader scrolls.
    await page.locator('#invalid_json').evaluate((heading) => heading.scrollIntoView());
    await inSight('invalid_json');
    await contents.getByRole('link', { name: 'model_not_found', exact: true }).click();
    await inSight('model_not_found');
  });

  test('the tables of the introduction and of the comparison fit into a window of 1280 pixels', async () => {
    const { page } = desk;
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const path of ['/docs/readme', '/docs/guide/comparison', '/docs/reference/relay-edits']) {
      await page.goto(path);
      const hidden = await page
        .locator('.table-box')
        .evaluateAll((boxes) => boxes.map((box) => box.scrollWidth - box.clientWidth));
      assert.ok(hidden.length > 0);
      assert.deepEqual(new Set(hidden), new Set([0]), path);
    }
    await page.setViewportSize(DESK);
  });

  test('a former address redirects to the page, with the same anchor', async () => {
    await desk.page.goto('/docs/reference/errors.md#budget_exceeded');
    assert.equal(new URL(desk.page.url()).pathname, '/docs/reference/errors');
    assert.equal(new URL(desk.page.url()).hash, '#budget_exceeded');
    await desk.page.getByRole('heading', { name: /^budget_exceeded/ }).waitFor();
  });
});

test('on a phone nothing overflows, and the menu opens and navigates', async () => {
  const phone = await Person.at(bench.url, PHONE, 'dark');
  const { page } = phone;
  for (const path of [
    '/docs',
    '/docs/reference/config',
    '/docs/reference/relay-edits',
    '/docs/api#createChatCompletion',
  ]) {
    await page.goto(path);
    await phone.settled();
    assert.equal(await phone.overflow(), 0, path);
    await phone.picture(`docs-phone-${path.replaceAll(/\W+/g, '-')}`, false);
  }
  for (const width of [PHONE.width, 360, 320]) {
    await page.setViewportSize({ ...PHONE, width });
    await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'API', exact: true }).waitFor();
    assert.equal(await phone.overflow(), 0, `the header at ${width}`);
  }
  await page.setViewportSize(PHONE);
  await page.goto('/docs/reference/config');
  const menu = page.getByRole('navigation', { name: 'Documentation' });
  assert.equal(await menu.isVisible(), false);
  await page.getByRole('button', { name: 'Menu' }).click();
  assert.ok(await isInside(menu, menu.locator('[aria-current="page"]')));
  assert.deepEqual(await phone.barriers(), []);
  await menu.getByRole('link', { name: ERRORS, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: ERRORS }).waitFor();
  assert.equal(await menu.isVisible(), false);
  assert.deepEqual(phone.complaints, []);
  await phone.leave();
});

test('a program that asks for /docs is led to every page', async () => {
  const { pages } = (await (await fetch(`${bench.url}/docs`)).json()) as { pages: string };
  const index = await (await fetch(bench.url + pages)).text();
  const [, page = ''] = /\]\(([^)]*docs\/guide\/limits\.md)\)/.exec(index) ?? [];
  assert.match(await (await fetch(new URL(page, bench.url))).text(), new RegExp(`^# ${LIMITS}\n`));
});

test('without scripts pages can be read, and the menu navigates', async () => {
  const context = await (await openBrowser()).newContext({ javaScriptEnabled: false, baseURL: bench.url });
  const page = await context.newPage();
  await page.goto('/docs/guide/limits');
  await page.getByRole('heading', { level: 1, name: LIMITS }).waitFor();
  assert.equal(await page.getByRole('button').count(), 0, 'no button without effect');
  await page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: ERRORS, exact: true })
    .click();
  await page.getByRole('heading', { name: /^model_not_found/ }).waitFor();
  await context.close();
});

describe('trying a route', () => {
  test('asks for a key, streams the answer, and stops when asked to', async () => {
    const { page } = desk;
    await page.goto('/docs/api#createChatCompletion');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.click();
    await page.getByRole('alert').filter({ hasText: 'Enter an API key first.' }).waitFor();
    await page.getByLabel('API key').fill(bench.key);
    await page.getByLabel('Body').fill(lorem('tokens=2000 rate=20'));
    await send.click();
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('"content":').first().waitFor();
    await answer.getByText('Receiving …').waitFor();
    await answer.getByText('x-request-id').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await answer.getByText('Stopped.').waitFor();

    await page.getByLabel('Body').fill(lorem('tokens=3 rate=0'));
    await page.getByRole('checkbox', { name: 'Stream' }).uncheck();
    await send.click();
    await answer.getByText('"finish_reason": "stop"').waitFor();
    await answer.getByText('200', { exact: true }).waitFor();
    assert.deepEqual(desk.complaints.splice(0), []);
  });

  test('the key is in no storage, address, cookie, history or page text', async () => {
    const { page } = desk;
    assert.equal(await page.getByLabel('API key').inputValue(), bench.key, 'the page holds the key');
    const held = await page.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        window.location.href,
        history.state,
        document.documentElement.outerHTML,
      ]),
    );
    assert.ok(!held.includes(bench.key), held);
    assert.deepEqual(
      await page.evaluate(async () => (await indexedDB.databases()).length + (await caches.keys()).length),
      0,
    );
    assert.deepEqual(await desk.context.cookies(), []);
    await page.reload();
    assert.equal(await page.getByLabel('API key').inputValue(), '', 'a reload removes it');
    assert.ok(!bench.log.join('\n').includes(bench.key));
  });

  test('a refusal is shown with its status and a link to its explanation', async () => {
    const { page } = desk;
    await page.goto('/docs/api?#getKey');
    await page.getByLabel('API key').fill('sk-tp-wrong');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('401', { exact: true }).waitFor();
    await answer.getByText('/docs/reference/errors#invalid_api_key').waitFor();
  });
});

/** Whether an entry of a scrollable box is in sight. */
async function isInside(box: Locator, entry: Locator): Promise<boolean> {
  const [outer, inner] = [await box.boundingBox(), await entry.boundingBox()];
  if (outer === null || inner === null) return false;
  return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
}

function titleOf(page: string): string {
  const markdown = readFileSync(join(import.meta.dirname, '..', '..', 'docs', `${page}.md`), 'utf8');
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

function lorem(words: string): string {
  return JSON.stringify({ model: 'demo/lorem', stream: true, messages: [{ role: 'user', content: words }] });
}
