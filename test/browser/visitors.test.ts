// Goal: somebody without an account sees the models if the operator shows them, finds and compares them, on a desk and on a phone, in light
// and in dark, also where there are 4,000. Method: the real program with made-up models and real calls to the demo, a real Chromium, axe-core.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, counted, DESK, Person, PHONE } from './browser.ts';
import { ask, OPERATOR, setUp, signIn } from './operator.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

const MANY = 4_000;

let server: SeededServer;
before(async () => {
  server = await startSeededServer(0, {
    demo: true,
    dashboard: { publicModels: true },
    providers: [{ name: 'lab', kind: 'custom', origin: 'http://127.0.0.1:9', models: models() }],
  });
  await setUp(server.setUpLink);
  for (const stream of [true, true, false]) await call('demo/echo', stream);
});
after(async () => {
  await closeBrowser();
  await server?.remove();
});

function models() {
  return Array.from({ length: MANY }, (_, index) => ({
    id: `lab-${index % 40}/model-${String(index).padStart(5, '0')}`,
    upstream: `model-${index}`,
    name: `Model ${index}`,
    contextWindow: [8_000, 128_000, 1_000_000][index % 3],
    outputCap: 8_000,
    prices: index % 10 === 0 ? 'free' : { input: String((index % 50) / 10), output: String((index % 70) / 5) },
    inputModalities: index % 4 === 0 ? ['text', 'image'] : ['text'],
    parameters: index % 2 === 0 ? ['max_tokens', 'temperature', 'tools'] : ['max_tokens', 'reasoning'],
  }));
}

async function call(model: string, stream: boolean): Promise<void> {
  const answer = stream
    ? await fetch(`${server.url}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'hello there' }] }),
      })
    : await ask(server.url, server.key, 'hello', model);
  assert.equal(answer.status, 200, await answer.text());
}

for (const [size, name, scheme] of [
  [DESK, 'desk', 'light'],
  [DESK, 'desk', 'dark'],
  [PHONE, 'phone', 'light'],
  [PHONE, 'phone', 'dark'],
] as const)
  test(`a visitor sees, finds and compares models: ${name}, ${scheme}`, async () => {
    const person = await Person.at(server.url, size, scheme);
    const { page } = person;
    await person.visit('/models');
    await page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
    await page
      .getByText(/4,0\d\d models/)
      .first()
      .waitFor();
    // No more rows than somebody reads.
    await counted(page.locator('tbody tr'), 100);
    await person.picture(`visitors-${name}-${scheme}`, false);
    await faultless(person, 'the list');

    await page.getByLabel('Search by name or ID').fill('demo');
    await page.getByRole('checkbox', { name: /Compare Demo: echo/ }).check();
    await page.getByLabel('Search by name or ID').fill('model-0001');
    for (const model of ['Model 10', 'Model 11', 'Model 12'])
      await page.getByRole('checkbox', { name: `Compare ${model}`, exact: true }).check();
    const fifth = page.getByRole('checkbox', { name: 'Compare Model 13', exact: true });
    await fifth.and(page.locator(':disabled')).waitFor();
    const comparison = page.getByRole('region', { name: 'Comparison of models' });
    const heads = comparison.getByRole('columnheader');
    await counted(heads, 4);
    await comparison
      .getByRole('row', { name: /Uptime/ })
      .filter({ hasText: '100 %' })
      .waitFor();
    await person.picture(`visitors-comparison-${name}-${scheme}`);
    await faultless(person, 'the comparison');

    // The link has all of it.
    await person.anew(page.url().slice(server.url.length), size, scheme);
    await counted(heads, 4);
    await page.getByRole('button', { name: 'Remove Model 11' }).click();
    await counted(heads, 3);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await counted(comparison, 0);
    await person.leave();
  });

test('filters and orders are in the address, and leave what they say', async () => {
  const person = await Person.at(server.url, DESK);
  const { page } = person;
  await person.visit('/models?input=image&ability=tools&price=1&context=1000000&sort=-output');
  const status = page.getByRole('status').first();
  const expected = models().filter(
    ({ inputModalities, parameters, prices, contextWindow }) =>
      inputModalities.includes('image') &&
      parameters.includes('tools') &&
      contextWindow === 1_000_000 &&
      (typeof prices === 'string' || (Number(prices.input) <= 1 && Number(prices.output) <= 1)),
  ).length;
  await page.getByText(`${expected.toLocaleString('en-US')} models`, { exact: true }).waitFor();
  await page.getByLabel('Ability').selectOption('Any ability');
  await page.getByLabel('Input').selectOption('Any input');
  await page.getByRole('button', { name: 'Context' }).click();
  await page.waitForURL(/sort=-context/);
  await page.getByLabel('Search by name or ID').fill('nothing has this name');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page
    .getByText(/4,0\d\d models/)
    .first()
    .waitFor();
  await status.waitFor();
  await page.getByRole('button', { name: 'Show 100 more' }).click();
  await counted(page.locator('tbody tr'), 200);
  assert.deepEqual(person.complaints, []);
  await person.leave();
});

test('somebody who is signed in has the models of the account at the same address', async () => {
  const person = await Person.at(server.url, DESK);
  await signIn(person, OPERATOR);
  await person.visit('/models?model=demo/echo');
  await person.page.getByText('Models available to this account').waitFor();
  await person.leave();
});

test('from the page of models one signs in, and every other page still needs it', async () => {
  const person = await Person.at(server.url, DESK);
  await person.visit('/models');
  await person.page.getByRole('link', { name: 'Sign in' }).click();
  await person.page.getByLabel('Email').fill(OPERATOR.email);
  await person.page.getByLabel('Password').fill(OPERATOR.password);
  await person.page.getByRole('button', { name: 'Sign in' }).click();
  await person.page.getByText('Models available to this account').waitFor();
  await person.leave();
  const other = await Person.at(server.url, DESK);
  await other.visit('/keys');
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.leave();
});

test('unless the operator shows them, a visitor is asked to sign in, and gets no data', async () => {
  const closed = await startSeededServer(0, { demo: true });
  try {
    await setUp(closed.setUpLink);
    const person = await Person.at(closed.url, PHONE);
    await person.visit('/models');
    await person.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await person.leave();
    const answer = await fetch(`${closed.url}/api/public/models`);
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /dashboard\.publicModels/);
  } finally {
    await closed.remove();
  }
});

async function faultless(person: Person, what: string): Promise<void> {
  assert.deepEqual(await person.barriers(), [], what);
  assert.equal(await person.overflow(), 0, what);
  assert.deepEqual(person.complaints, [], what);
}
