// Goal: an operator sets markups where accounts are edited, and sees what they earn and how prices changed; a member sees none of it.
// Method: the real program with its demo provider, a real Chromium on a desk and a phone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, DESK, Person, PHONE, textOf } from './browser.ts';
import { ask, OPERATOR, send, setUp, signIn } from './operator.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

const MODEL = 'demo/echo';
const PRICED = 'lab/a-model-with-a-rather-long-name-2026-11-23';

let server: SeededServer;
let person: Person;
before(async () => {
  server = await startSeededServer(0, { demo: true, billing: { firstRunCredit: '1000', markup: 12.5 } });
  await setUp(server.setUpLink);
  person = await Person.at(server.url);
  await signIn(person, OPERATOR);
});
after(async () => {
  await closeBrowser();
  await server?.remove();
});

async function callOnce(): Promise<void> {
  const answer = await ask(server.url, server.key, 'one two three four', MODEL);
  assert.equal(answer.status, 200, await answer.text());
}

interface Listed {
  readonly data: readonly { readonly rates: object }[];
}

test('the markups of an account are set, refused with words beside the field, and shown in the list', async () => {
  for (const [name, size] of [
    ['desk', DESK],
    ['phone', PHONE],
  ] as const) {
    await person.anew('/accounts', size);
    const { page } = person;
    const open = async () => {
      await page.getByRole('button', { name: /^Actions for / }).click();
      await page.getByRole('menuitem', { name: 'Edit name, limits and markup' }).click();
      const dialog = page.getByRole('dialog', { name: /^Edit / });
      await dialog.getByText('Markup', { exact: true }).first().click();
      return dialog;
    };
    const dialog = await open();
    const lines = await dialog
      .locator('details')
      .evaluateAll((sections) => sections.map((section) => getComputedStyle(section).borderBottomWidth));
    assert.equal(lines.filter((width) => width !== '0px').length, 1, 'one line between two sections, and one below');
    await person.picture(`account-form-${name}`);
    for (const [wrong, complaint] of [
      ['20000', /a percentage from 0 to 10000/],
      ['much', /a number/],
    ] as const) {
      await dialog.getByLabel('Markup in percent').fill(wrong);
      await dialog.getByRole('button', { name: 'Save changes' }).click();
      await dialog.getByText(complaint).waitFor();
    }
    await dialog.getByLabel('Markup in percent').fill('7,5 %');
    await dialog.getByLabel('Fee for own credentials in percent').fill('2');
    const models = dialog.getByLabel('Markups of single models');
    await models.fill(`${MODEL}=`);
    await models.press('Enter');
    await dialog.getByText('Write a model and a percentage: acme/large=20').waitFor();
    await models.fill(`${MODEL}=50`);
    await models.press('Enter');
    assert.deepEqual(await person.barriers(), []);
    assert.equal(await person.overflow(), 0);
    await dialog.getByLabel('Markups of single models').scrollIntoViewIfNeeded();
    await person.picture(`rates-account-${name}`, false);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = await send<Listed>(person, 'GET', '/accounts');
    assert.deepEqual(data[0]?.rates, { markup: 7.5, models: { [MODEL]: 50 }, own_credential_fee: 2 });
    await page.getByText(`+7.5 %, ${MODEL} +50 %, own credentials 2 %`).waitFor();
    assert.equal(await person.overflow(), 0);
    await person.picture(`rates-accounts-${name}`);

    const again = await open();
    assert.equal(await again.getByLabel('Markup in percent').inputValue(), '7.5');
    await again.getByLabel('Markup in percent').fill('');
    await again.getByLabel('Fee for own credentials in percent').fill('');
    await again.getByRole('button', { name: `Remove ${MODEL}=50` }).click();
    await again.getByRole('button', { name: 'Save changes' }).click();
    await again.waitFor({ state: 'detached' });
    const { data: without } = await send<Listed>(person, 'GET', '/accounts');
    assert.deepEqual(without[0]?.rates, { markup: null, models: {}, own_credential_fee: null });
  }
});

test('the margin is in the usage of operators, on the page and in its tables, and nowhere for members', async () => {
  await callOnce();
  const { link } = await send<{ readonly link: string }>(person, 'POST', '/invitations', { role: 'owner' });
  const who = { email: 'grace@example.com', name: 'Grace', password: 'a plain long sentence' };
  const member = await Person.at(server.url);
  await send(member, 'POST', '/invitations/accept', { token: new URL(link).hash.slice('#token='.length), ...who });
  await signIn(member, who);
  for (const [name, size] of [
    ['desk', DESK],
    ['phone', PHONE],
  ] as const) {
    for (const [reader, isOperator] of [
      [person, true],
      [member, false],
    ] as const) {
      await reader.anew('/usage?group_by=model&range=24h', size);
      const { page } = reader;
      await page
        .getByRole('button', { name: `Show only ${MODEL}` })
        .or(page.getByText(MODEL))
        .first()
        .waitFor();
      assert.equal((await page.content()).includes('Margin'), isOperator, `${name} of ${who.name}`);
      assert.equal(await reader.overflow(), 0);
      await reader.picture(`rates-usage-${isOperator ? 'operator' : 'member'}-${name}`);
      if (name === 'phone') continue;
      assert.deepEqual(await reader.barriers(), []);
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export CSV' }).click();
      const [head = '', line = ''] = (await textOf(await download)).split('\r\n');
      assert.equal(head.endsWith(',margin_usd'), isOperator, head);
      const spend = Number(line.split(',')[3]);
      // 12.5 % of the list price is a ninth of what is charged.
      if (isOperator) assert.ok(Math.abs(Number(line.split(',').at(-1)) - spend / 9) < 2e-9, line);
      assert.equal(line.split(',').length, head.split(',').length);
    }
  }
  await member.leave();
});

test('the panel of a model shows operators its prices, where they are from, and the earlier ones', async () => {
  await send(person, 'POST', '/providers', {
    name: 'lab',
    kind: 'custom',
    origin: 'http://127.0.0.1:9',
    dialects: ['openai-chat'],
    model_settings: [],
  });
  for (const input of ['0.15', '1234.567891', '0'])
    await send(person, 'PATCH', '/providers/lab', {
      model_settings: [{ upstream: PRICED.slice('lab/'.length), price: { input, output: '12.000001' } }],
    });
  for (const [name, size] of [
    ['desk', DESK],
    ['phone', PHONE],
  ] as const) {
    await person.anew(`/models?model=${encodeURIComponent(PRICED)}`, size);
    const drawer = person.page
      .getByRole('dialog', { name: PRICED.slice('lab/'.length) })
      .or(person.page.getByRole('dialog'));
    await drawer.getByText('List prices, input / output').waitFor();
    await drawer.getByText('$0 / $12.000001, set in the configuration or with the provider').waitFor();
    await drawer.getByText('3 price versions').click();
    for (const prices of ['$0.15 / $12.000001', '$1234.567891 / $12.000001']) await drawer.getByText(prices).waitFor();
    assert.deepEqual(await person.barriers(), []);
    assert.equal(await person.overflow(), 0);
    await person.picture(`rates-prices-${name}`, false);
  }
  assert.deepEqual(person.complaints, []);
});
