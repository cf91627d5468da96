// Goal: an operator sees which nodes serve, in which state each is, what it has not followed and what is lent to it; without a database the
// page says what there is instead. Method: one gateway with a data folder; two on a real PostgreSQL, of which one stops; a real Chromium.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OPEN_MODEL, type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';
import { answerWell } from '../support/upstream-scripts.ts';
import { closeBrowser, Person, PHONE } from './browser.ts';
import { ask, OPERATOR, send, setUp, signIn } from './operator.ts';
import { openStage } from './stage.ts';

after(closeBrowser);

test('with a data folder the page says that one process serves', async (context) => {
  const stage = await openStage();
  context.after(() => stage.close());
  const operator = await stage.operator(PHONE, 'dark');
  await operator.visit('/nodes');
  await operator.page.getByText('One process, with its data in its folder').waitFor();
  assert.deepEqual(await operator.barriers(), []);
  await operator.picture('nodes-one-process');
  const load = await send<{ readonly node: string | null }>(operator, 'GET', '/load');
  assert.equal(load.node, null);
  await operator.leave();
});

test('two nodes are listed with their states, as one of them takes no calls and then stops', async (context) => {
  const { nodes, key, upstream, fileOf, close } = await startNodes(2, serverNames[0] ?? 18);
  context.after(() => close());
  const [first, second] = nodes as [OpenGateway, OpenGateway];
  await setUp((await first.app.setUpLink()) ?? '');
  const operator = await Person.at(first.url);
  await signIn(operator, OPERATOR);
  const { page } = operator;
  await operator.visit('/nodes');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('node-1').filter({ hasText: 'answers this page' }).filter({ hasText: 'live' }).waitFor();
  await row('node-2').filter({ hasText: 'live' }).waitFor();
  assert.equal(await row('node-2').filter({ hasText: 'answers this page' }).count(), 0);
  assert.ok(await isCurrentInView(operator), 'the menu shows which page this is');
  await operator.picture('nodes-two', false);
  for (const word of ['draining', 'silent', 'lost', 'gone', 'lent'])
    assert.equal(
      await page
        .getByRole('term')
        .filter({ hasText: new RegExp(`^${word}$`) })
        .count(),
      1,
      word,
    );
  const { data } = await send<{ readonly data: readonly { readonly version: string }[] }>(operator, 'GET', '/nodes');
  for (const { version } of data) await row(version).first().waitFor();

  const held = Promise.withResolvers<void>();
  upstream.play(async (exchange) => {
    await held.promise;
    await answerWell(exchange);
  });
  const arrived = upstream.nextExchange();
  const running = ask(second.url, key, 'Hello', OPEN_MODEL);
  await arrived;
  await row('node-2')
    .filter({ hasText: /\$\d*[.]?\d*[1-9]/ })
    .waitFor();
  const drained = second.app.drain({ graceMs: 0, deadlineMs: 60_000 });
  await row('node-2').filter({ hasText: 'draining' }).waitFor();
  assert.deepEqual(await operator.barriers(), []);
  await operator.picture('nodes-draining');

  const twin = await openGateway(fileOf('node-1'));
  context.after(() => twin.close());
  await operator.visit('/nodes');
  await page.getByText('Another node has this name').nth(1).waitFor();
  assert.deepEqual(await operator.barriers(), []);
  await operator.picture('nodes-of-one-name');

  await operator.visit('/load');
  await page.getByText('What the node node-1 has to do').waitFor();
  const load = await send<{ readonly node: string | null }>(operator, 'GET', '/load');
  assert.equal(load.node, 'node-1');

  held.resolve();
  const answer = await running;
  assert.equal(answer.status, 200);
  const id = answer.headers.get('x-generation-id') ?? '';
  type Call = { readonly data?: { readonly node: string | null } };
  // Its record is written a moment later.
  while ((await send<Call>(operator, 'GET', `/calls/${id}`)).data?.node !== 'node-2');
  await operator.visit(`/calls/${id}`);
  await page.getByText('node-2', { exact: true }).waitFor();
  assert.deepEqual(await operator.barriers(), []);
  await operator.picture('call-of-node');
  await drained;
  await operator.anew('/nodes', PHONE, 'dark');
  await row('node-2').filter({ hasText: 'gone' }).waitFor();
  assert.deepEqual(await operator.barriers(), []);
  await operator.picture('nodes-stopped');
  await page.getByRole('button', { name: 'Menu' }).click();
  assert.ok(await isCurrentInView(operator), 'so does the menu of a phone');
  await operator.picture('nodes-menu-on-phone', false);
  const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const last = (await entries.last().getAttribute('href')) ?? '';
  await operator.visit(last);
  await page.getByRole('button', { name: 'Menu' }).click();
  assert.ok(await isCurrentInView(operator), last);
  await operator.leave();
});

test('however low the window is, the menu shows the entry of the page, also of one that is opened from it', async (context) => {
  const stage = await openStage();
  context.after(() => stage.close());
  const operator = await stage.operator({ width: 1440, height: 500 });
  await operator.visit('/');
  const entries = operator.page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const last = (await entries.count()) - 1;
  assert.ok(last > 15, `${last}`);
  for (const index of [last, 0, last - 1]) {
    const entry = entries.nth(index);
    await operator.visit(`${await entry.getAttribute('href')}`);
    assert.ok(await isCurrentInView(operator), `entry ${index}`);
  }
  await entries.nth(last - 4).focus();
  await operator.page.keyboard.press('Enter');
  await entries
    .nth(last - 4)
    .and(operator.page.locator('[aria-current]'))
    .waitFor();
  assert.ok(await isCurrentInView(operator));
  await operator.leave();
});

/** Whether the entry of the page is within what the menu shows now, and within the window. */
function isCurrentInView({ page }: Person): Promise<boolean> {
  return page
    .getByRole('navigation', { name: 'Main' })
    .locator('[aria-current="page"]')
    .evaluate((entry) => {
      const { top, bottom } = entry.getBoundingClientRect();
      const menu = entry.closest('nav')?.getBoundingClientRect();
      return menu !== undefined && top >= menu.top && bottom <= menu.bottom && top >= 0 && bottom <= window.innerHeight;
    });
}
