// Goal: a dead provider is visible: in red on its page, above the overview for operators, and as failing models for members; and
// no longer once it is fixed. Method: a real Chromium for each of two people, a provider that rejects its credential.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { OPEN_MODEL } from '../support/open-gateway.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';
import { closeBrowser, Person } from './browser.ts';
import { OPERATOR, send, signIn } from './operator.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

const REASON = 'The provider rejects the credential';

test('a dead provider is red for operators, and its models fail for members, until it is fixed', async (t) => {
  const operator = await stage.operator();
  const viewer = await join(operator);
  await (await stage.ask(stage.key)).text();
  stage.upstream.play(refuse(401, { error: { message: 'no', type: 'authentication_error' } }));
  for (let time = 0; time < 6; time += 1) assert.equal((await stage.ask(stage.key)).status, 502);

  await t.test('the overview says so to the operator, with the reason, and leads to the provider', async () => {
    const { page } = operator;
    await operator.visit('/');
    const banner = page.getByRole('alert').filter({ hasText: 'scripted is down' });
    await banner.getByText(REASON).waitFor();
    assert.equal(await page.getByText('Requests are failing').count(), 0, 'said once');
    assert.deepEqual(await operator.barriers(), []);
    await banner.getByRole('link', { name: 'scripted' }).click();
    const drawer = page.getByRole('dialog', { name: 'scripted' });
    await drawer.getByText('6 of 7 requests in the last 5 minutes failed').first().waitFor();
    const model = drawer.getByRole('table', { name: 'Models used' }).getByRole('row');
    await model.filter({ hasText: OPEN_MODEL }).getByText('down', { exact: true }).waitFor();
    assert.deepEqual(await operator.barriers(), []);
    await page.keyboard.press('Escape');
    const row = page.getByRole('table', { name: 'Providers' }).getByRole('row').filter({ hasText: 'scripted' });
    await row.getByText('down', { exact: true }).waitFor();
    // Over the whole width below it, not squeezed under the name.
    const below = page.getByRole('table', { name: 'Providers' }).getByRole('row').filter({ hasText: REASON });
    assert.equal(await below.getByRole('cell').count(), 1);
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const table = page.getByRole('table', { name: 'Providers' }).locator('..');
      assert.ok(await table.evaluate((box) => box.scrollWidth <= box.clientWidth), `nothing is cut off at ${width}`);
      for (const cell of [below.getByRole('cell').locator('span'), row.getByText('file', { exact: true })])
        assert.equal(await linesOf(cell), 1, `${await cell.innerText()} at ${width}`);
    }
  });

  await t.test('a member sees which model fails, but not why', async () => {
    const { page } = viewer;
    await page.goto('/');
    await page.getByRole('alert').getByText(`Requests are failing for ${OPEN_MODEL}.`).waitFor();
    assert.equal(await page.getByText(REASON).count(), 0);
    assert.equal(await page.getByText('is down').count(), 0);
    assert.deepEqual(await viewer.barriers(), []);
  });

  await t.test('answered calls end the failure, a list of models does not', async () => {
    const { page } = operator;
    stage.upstream.play((exchange) =>
      exchange.request.startLine.includes('/models ') ? exchange.whole(200, '{"data":[]}') : answerWell(exchange),
    );
    await page.getByRole('link', { name: 'scripted' }).click();
    const drawer = page.getByRole('dialog', { name: 'scripted' });
    await drawer.getByRole('button', { name: 'Test connection' }).click();
    await drawer.getByText('Connected in').waitFor();
    await page.reload();
    await drawer.getByText('down', { exact: true }).first().waitFor();
    for (let time = 0; time < 60; time += 1) await (await stage.ask(stage.key)).text();
    await page.reload();
    await drawer.getByText('healthy', { exact: true }).first().waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await operator.settled();
    assert.equal(await page.getByRole('alert').count(), 0);
    await viewer.page.reload();
    await viewer.settled();
    assert.equal(await viewer.page.getByRole('alert').count(), 0);
  });

  for (const person of [operator, viewer]) {
    assert.deepEqual(person.complaints, []);
    await person.leave();
  }
});

/** How many lines of text an element takes. */
function linesOf(element: Locator): Promise<number> {
  return element.evaluate((node) => new Set([...node.getClientRects()].map(({ top }) => Math.round(top))).size);
}

async function join(operator: Person): Promise<Person> {
  const { link } = await send<{ readonly link: string }>(operator, 'POST', '/invitations', { role: 'viewer' });
  const token = new URL(link).hash.slice('#token='.length);
  const viewer = await Person.at(stage.url);
  const who = { email: 'grace@example.com', name: 'Grace', password: `${OPERATOR.password} too` };
  await send(viewer, 'POST', '/invitations/accept', { token, ...who });
  await signIn(viewer, who);
  return viewer;
}
