// Goal: a page of another origin calls models with a key that allows it, in a real browser: whole, streamed, with headers and errors; another
// page cannot. Method: the dashboard's form, two small web servers as the pages, and a real Chromium, which asks with preflights itself.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, openBrowser, Person } from './browser.ts';
import { OPERATOR, send, setUp, signIn } from './operator.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

let server: SeededServer;
let friend: Site;
let stranger: Site;
before(async () => {
  [friend, stranger] = await Promise.all([startSite(), startSite()]);
  server = await startSeededServer(0, { demo: true });
  await setUp(server.setUpLink);
});
after(async () => {
  await closeBrowser();
  await server?.remove();
  friend?.server.close();
  stranger?.server.close();
});

interface Site {
  readonly server: Server;
  readonly origin: string;
}

async function startSite(): Promise<Site> {
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A page</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return { server: site, origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}` };
}

interface Seen {
  readonly status: number;
  readonly body: string;
  readonly parts: number;
  readonly generation: string | null;
}

/** What the script of a page gets; the message of the error if the browser keeps the answer from it. */
function seenBy(page: Page, path: string, key: string, body: object | null): Promise<Seen | string> {
  return page.evaluate(
    async ({ url, secret, sent }) => {
      try {
        const answer = await fetch(url, {
          method: sent === null ? 'GET' : 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'x-title': 'A page' },
          ...(sent !== null && { body: JSON.stringify(sent) }),
        });
        let text = '';
        let parts = 0;
        const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
        for (;;) {
          const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
          if (done) break;
          text += value;
          parts += 1;
        }
        return { status: answer.status, body: text, parts, generation: answer.headers.get('x-generation-id') };
      } catch (error) {
        return String(error);
      }
    },
    { url: server.url + path, secret: key, sent: body },
  );
}

const HELLO = { model: 'demo/echo', messages: [{ role: 'user', content: 'hello from a page' }] };

test('a key is made for a web page, and the page can use it', async () => {
  const person = await Person.at(server.url);
  await signIn(person, OPERATOR);
  await person.visit('/keys');
  await person.page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = person.page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name optional').fill('web chat');
  const field = dialog.getByLabel('Allowed web pages');
  await field.fill('https://example.com/path');
  await field.press('Enter');
  await dialog.getByText('Enter an origin such as https://app.example.com, without a path.').waitFor();
  await field.fill(`${friend.origin}/`);
  await field.press('Enter');
  assert.deepEqual(await person.barriers(), []);
  await person.picture('page-origins-form', false);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const made = person.page.getByRole('dialog', { name: 'web chat created' });
  const secret = await made.getByLabel('API key').inputValue();
  await made.getByRole('button', { name: 'I’ve saved it' }).click();

  const context = await (await openBrowser()).newContext();
  const page = await context.newPage();
  await page.goto(friend.origin);
  const whole = await seenBy(page, '/api/v1/chat/completions', secret, HELLO);
  assert.ok(typeof whole === 'object' && whole.status === 200, JSON.stringify(whole));
  assert.match(whole.body, /hello from a page/);
  assert.match(whole.generation ?? '', /^gen-/);
  const stream = await seenBy(page, '/v1/messages', secret, { ...HELLO, max_tokens: 50, stream: true });
  assert.ok(typeof stream === 'object' && stream.body.includes('message_stop'), JSON.stringify(stream));
  const models = await seenBy(page, '/api/v1/models', secret, null);
  assert.ok(typeof models === 'object' && models.body.includes('demo/echo'), JSON.stringify(models));
  const unknown = await seenBy(page, '/api/v1/chat/completions', secret, { ...HELLO, model: 'nobody/none' });
  assert.ok(typeof unknown === 'object' && unknown.status === 404, JSON.stringify(unknown));
  const wrong = await seenBy(page, '/api/v1/chat/completions', 'sk-tp-wrong', HELLO);
  assert.ok(typeof wrong === 'object' && wrong.status === 401, JSON.stringify(wrong));
  // The dashboard and its API are for its own pages only.
  for (const path of ['/api/dashboard/session', '/api/v1/keys'])
    assert.match(String(await seenBy(page, path, secret, null)), /Failed to fetch/, path);

  await page.goto(stranger.origin);
  for (const body of [HELLO, { ...HELLO, stream: true }])
    assert.match(String(await seenBy(page, '/api/v1/chat/completions', secret, body)), /Failed to fetch/);
  assert.match(String(await seenBy(page, '/api/v1/models', secret, null)), /Failed to fetch/);

  const { data } = await send<{ data: { id: number; name: string; origins: string[] | null }[] }>(
    person,
    'GET',
    '/keys',
  );
  const key = data.find(({ name }) => name === 'web chat') ?? assert.fail();
  assert.deepEqual(key.origins, [friend.origin]);
  await person.visit(`/keys/${key.id}`);
  await person.page.getByText(friend.origin, { exact: true }).waitFor();
  await person.page.getByRole('button', { name: 'Edit' }).first().click();
  const edit = person.page.getByRole('dialog', { name: 'Edit web chat' });
  await edit.getByRole('button', { name: `Remove ${friend.origin}` }).click();
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await edit.waitFor({ state: 'detached' });
  await page.goto(friend.origin);
  assert.match(String(await seenBy(page, '/api/v1/models', secret, null)), /Failed to fetch/);
  assert.deepEqual(person.complaints, []);
  await context.close();
  await person.leave();
});
