// Goal: a page says by itself that the connection is lost, and recovers by itself. Method: a real Chromium whose network is switched off, and
// the real program, killed and restarted at the same address. That it takes 3 s at most is judged with injected time, in `heartbeat.test.ts`.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from '../support/serve-process.ts';
import { closeBrowser, DESK, Person, PHONE } from './browser.ts';
import { OPERATOR, setUp, signIn } from './operator.ts';
import { COLOUR_RULES } from './page-tour.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

let server: SeededServer;
before(async () => {
  server = await startSeededServer(50, { demo: false });
  await setUp(server.setUpLink);
});
after(async () => {
  await closeBrowser();
  await server?.remove();
});

/** On a machine that other tests share. */
const SAID_WITHIN_MS = 20_000;

test('a page first opened without a network says so, and loads when the network is back', async () => {
  const person = await Person.at(server.url, DESK);
  await signIn(person, OPERATOR);
  const { page } = person;
  // Before anything was prefetched.
  let isAway = false;
  await page.route('**/assets/billing-*.js', (route) => (isAway ? route.abort() : route.continue()));
  isAway = true;
  await page.goto('/usage');
  await person.settled();
  await person.context.setOffline(true);
  await page.getByRole('link', { name: 'Billing' }).click();
  await page.getByText('This page needs a connection').waitFor();
  assert.doesNotMatch(await page.getByRole('main').innerText(), /module|http:/);
  isAway = false;
  await person.context.setOffline(false);
  await page.getByRole('heading', { name: 'Billing' }).waitFor();
  await page.getByRole('table', { name: 'Monthly statements' }).waitFor();
  await person.leave();
});

test('a lost network or server is reported, and the notice disappears when it is back', async () => {
  let again: Awaited<ReturnType<typeof startServer>> | null = null;
  try {
    const person = await Person.at(server.url, DESK);
    await signIn(person, OPERATOR);
    await person.visit('/usage');
    const { page } = person;
    const banner = page.getByText(/You are offline\.|The server cannot be reached\./);
    assert.equal(await banner.count(), 0);

    await person.context.setOffline(true);
    await page.getByText('You are offline.').waitFor({ timeout: SAID_WITHIN_MS });
    await person.context.setOffline(false);
    await banner.waitFor({ state: 'detached', timeout: SAID_WITHIN_MS });

    server.process.kill('SIGKILL');
    await page.getByText('Cannot reach the server.').waitFor({ timeout: SAID_WITHIN_MS });
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      assert.deepEqual(await person.barriers(scheme === 'light' ? null : COLOUR_RULES), []);
      await person.picture(`desk-connection-${scheme}`, false);
    }
    await page.setViewportSize(PHONE);
    assert.equal(await person.overflow(), 0);
    await person.picture('phone-connection-dark', false);
    await page.setViewportSize(DESK);

    await samePort(server.folder, server.url);
    again = await startServer(server);
    // Unless the page has already recovered, which removes the button.
    await Promise.race([
      page.getByRole('button', { name: 'Retry now' }).click(),
      banner.waitFor({ state: 'detached' }),
    ]);
    await banner.waitFor({ state: 'detached', timeout: SAID_WITHIN_MS });
    await person.visit('/keys');
    await page
      .getByRole('link', { name: 'Default key' })
      .or(page.getByRole('heading', { name: 'API keys' }))
      .first()
      .waitFor();
    assert.deepEqual(person.complaints, []);
    await person.leave();
  } finally {
    await again?.remove();
  }
});

/** Starts the program again at the same address, so that the page finds it. */
async function samePort(folder: string, url: string): Promise<void> {
  const path = join(folder, 'turnpike.yaml');
  const file = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  await writeFile(path, JSON.stringify({ ...file, port: Number(new URL(url).port) }));
}
