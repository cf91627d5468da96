// Goal: below a path of a shared host, everything works as at the root, whether the proxy keeps the path or strips
// it. Method: a real Chromium, by https through a plain proxy and through nginx where it is installed; no request may leave
// the path.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { trust } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { OPEN_MODEL, type OpenBench, openBench, PATHS } from '../support/open-gateway.ts';
import { hasNginx, NEIGHBOUR, type RunningProxy, startNginx, startPlainProxy } from '../support/sub-path-proxy.ts';
import { closeBrowser, Person } from './browser.ts';
import { OPERATOR } from './operator.ts';

const BASE = '/llm';
trust('trusted');

after(closeBrowser);

/**
 * Both forms: everything through the first, and a request of each kind through the second. With nginx as the proxy if it is
 * installed, else with a plain one.
 */
const [proxy, start] = hasNginx ? (['nginx', startNginx] as const) : (['a plain proxy', startPlainProxy] as const);
const FORMS = [
  { name: `${proxy} that strips the path`, start, keepsPath: false },
  { name: `${proxy} that keeps the path`, start, keepsPath: true },
];

for (const { name, start, keepsPath } of FORMS)
  describe(`behind ${name}`, () => {
    test('the dashboard, calls and links', async (t) => {
      const port = await freePort();
      const publicUrl = `https://127.0.0.1:${port}${BASE}`;
      const bench = await openBench({ publicUrl: `${publicUrl}/` });
      let proxy: RunningProxy | null = null;
      try {
        proxy = await start({ port, basePath: BASE, upstream: bench.url, keepsPath });
        await walk(t, bench, publicUrl, !keepsPath);
      } finally {
        await proxy?.close();
        await bench.close();
      }
    });
  });

async function walk(
  t: { test(name: string, run: () => Promise<void>): Promise<void> },
  bench: OpenBench,
  url: string,
  isWhole: boolean,
) {
  const { origin } = new URL(url);
  const person = await Person.at(origin);
  const { page } = person;
  const outside: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname !== BASE && !pathname.startsWith(`${BASE}/`)) outside.push(pathname);
  });
  const at = () => page.url().slice(origin.length);

  await t.test('the printed link creates the operator, signed in by a cookie of this path', async () => {
    const link = (await bench.app.setUpLink()) ?? '';
    assert.ok(link.startsWith(`${url}/setup#token=`), link);
    await page.goto(link);
    await page.getByLabel('Your name').fill(OPERATOR.name);
    await page.getByLabel('Email').fill(OPERATOR.email);
    await page.getByLabel('Password', { exact: true }).fill(OPERATOR.password);
    await page.getByRole('button', { name: 'Create admin account' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const cookies = await person.context.cookies(url);
    assert.deepEqual(cookies.map((cookie) => [cookie.name, cookie.path, cookie.secure]).sort(), [
      ['__Secure-turnpike', BASE, true],
      ['__Secure-turnpike-device', BASE, true],
    ]);
  });

  await t.test('pages keep their addresses through a reload, a query and a deep link', async () => {
    for (const [name, path] of [
      ['API keys', 'keys'],
      ['Requests', 'calls'],
      ['Providers', 'providers'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      assert.equal(at(), `${BASE}/${path}`);
    }
    await page.getByRole('link', { name: 'scripted' }).click();
    await page.getByRole('dialog', { name: 'scripted' }).waitFor();
    assert.equal(at(), `${BASE}/providers?provider=scripted`);
    await page.reload();
    await page.getByRole('dialog', { name: 'scripted' }).waitFor();
    await page.goto(`${url}/keys/1`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(url);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  await t.test('a key, its snippets, a call, and the call in the live list', async () => {
    await page.goto(`${url}/keys?new=1`);
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name optional').fill('helpdesk');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const made = page.getByRole('dialog', { name: 'helpdesk created' });
    const secret = await made.getByLabel('API key').inputValue();
    assert.ok((await made.innerText()).includes(url), 'snippets have the address');
    await made.getByRole('button', { name: 'I’ve saved it' }).click();
    await page.goto(`${url}/calls`);
    await page.getByText('Live', { exact: true }).waitFor();
    for (const path of Object.values(PATHS)) {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: OPEN_MODEL, max_tokens: 20, messages: [{ role: 'user', content: 'hi' }] }),
      });
      assert.equal(response.status, 200, await response.text());
    }
    await page.getByRole('row').filter({ hasText: OPEN_MODEL }).first().click();
    await page.waitForURL((address) => address.pathname === `${BASE}/calls` && address.searchParams.has('call'));
    await page.goBack();
    assert.equal(at(), `${BASE}/calls`);
  });

  await t.test('files, the API description, and links in errors', async () => {
    await page.goto(`${url}/keys`);
    const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    assert.ok(href?.startsWith(`${BASE}/api/dashboard/keys?`), href ?? '');
    const csv = await page.evaluate(async (address) => (await fetch(address)).text(), href ?? '');
    assert.match(csv, /helpdesk/);
    await page.goto(`${url}/docs`);
    await page.getByRole('heading', { level: 1, name: 'Turnpike documentation' }).waitFor();
    if (isWhole) await throughTheDocs(person, url);
    const refused = await fetch(`${url}/api/v1/models`);
    const { error } = (await refused.json()) as { error: { metadata: { docs_url: string } } };
    assert.equal(error.metadata.docs_url, `${url}/docs/reference/errors#invalid_api_key`);
    assert.match(await (await fetch(error.metadata.docs_url)).text(), /invalid_api_key/);
    const wrong = (await (await fetch(`${url}/v1/nothing`)).json()) as { error: { message: string } };
    assert.ok(wrong.error.message.includes(`${url}/api/v1 as the base URL`), wrong.error.message);
    const described = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: unknown };
    assert.deepEqual(described.servers, [{ url }]);
  });

  if (isWhole)
    await t.test('an invitation leads here, and so does the redirect after signing in', () =>
      invitationAndRedirect(person, url),
    );

  await t.test('nothing outside the path was requested, and there were no complaints', async () => {
    assert.deepEqual(outside, []);
    assert.deepEqual(person.complaints, []);
    assert.equal(await (await fetch(`${origin}/keys`)).text(), NEIGHBOUR);
  });

  await t.test('requests that bypass the proxy are redirected below the path', async () => {
    const direct = await Person.at(bench.url);
    await direct.page.goto('/usage?range=30d');
    await direct.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(new URL(direct.page.url()).pathname, `${BASE}/sign-in`);
    await direct.leave();
  });
  await person.leave();
}

/** From the docs' first page, by the search to an error, then to the API explorer. */
async function throughTheDocs({ page }: Person, url: string): Promise<void> {
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search the docs' }).fill('invalid_api_key');
  await page.getByRole('option', { name: /^invalid_api_key/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/docs/reference/errors#invalid_api_key`);
  await page.getByRole('link', { name: 'API', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'API explorer' }).waitFor();
  await page.getByText(url, { exact: true }).waitFor();
}

async function invitationAndRedirect(person: Person, url: string): Promise<void> {
  const { page } = person;
  const { origin } = new URL(url);
  await page.goto(`${url}/members?new=1`);
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('Email').fill('grace@example.com');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const handed = page.getByRole('dialog', { name: 'Share this link' });
  const link = await handed.getByLabel('Invitation link').inputValue();
  assert.ok(link.startsWith(`${url}/invite#token=`), link);
  await handed.getByRole('button', { name: 'Done' }).click();

  await person.context.clearCookies();
  await page.goto(`${url}/usage?range=30d`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(page.url().slice(origin.length), `${BASE}/sign-in?next=${encodeURIComponent('/usage?range=30d')}`);
  await page.getByLabel('Email').fill(OPERATOR.email);
  await page.getByLabel('Password', { exact: true }).fill(OPERATOR.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  assert.equal(page.url().slice(origin.length), `${BASE}/usage?range=30d`);
  await person.settled();
}
