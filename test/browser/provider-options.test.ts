// Goal: an operator sets up each cloud in the form, with what that cloud needs besides a credential: Bedrock's region, Vertex's project and
// location, Azure's API version; what is wrong is said at its field, and what was entered is stored and shown. Method: a real Chromium that
// fills in the form, and the API's own list of providers.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { closeBrowser, DESK, Person, PHONE } from './browser.ts';
import { OPERATOR, send, setUp, signIn } from './operator.ts';
import { COLOUR_RULES } from './page-tour.ts';
import { type SeededServer, startSeededServer } from './seeded-server.ts';

let server: SeededServer;
let person: Person;
before(async () => {
  server = await startSeededServer(0, { demo: false });
  await setUp(server.setUpLink);
  person = await Person.at(server.url, DESK);
  await signIn(person, OPERATOR);
});
after(async () => {
  await closeBrowser();
  await server?.remove();
});
beforeEach(() => person.anew('/providers?new=1'));

interface Cloud {
  readonly kind: string;
  readonly title: string;
  readonly address?: string;
  /** By the label of the field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly credential: string;
  /** A value that is refused, the field, and the words at it. */
  readonly wrong: readonly [label: string, value: string, words: RegExp];
  /** As the API returns them. */
  readonly stored: Readonly<Record<string, string>>;
}

const CLOUDS: readonly Cloud[] = [
  {
    kind: 'bedrock',
    title: 'Amazon Bedrock',
    fields: { 'AWS region': 'eu-central-1' },
    credential: 'AKIABROWSERTEST00001:canary/secret+of/the-browser-test',
    wrong: ['AWS region', 'Frankfurt', /eu-central-1|region/i],
    stored: { region: 'eu-central-1' },
  },
  {
    kind: 'vertex',
    title: 'Google Vertex AI',
    fields: { 'Google Cloud project': 'my-project-123', Location: 'europe-west1' },
    credential: 'ya29.canary-token-of-the-browser-test',
    wrong: ['Location', 'Belgium!', /location|europe-west1|global/i],
    stored: { project: 'my-project-123', location: 'europe-west1' },
  },
  {
    kind: 'azure',
    title: 'Azure OpenAI',
    address: 'https://my-resource.openai.azure.com',
    fields: { 'API version': '2025-03-01-preview' },
    credential: 'canary-key-of-the-browser-test',
    wrong: ['API version', 'yesterday', /api version|2024-10-21/i],
    stored: { api_version: '2025-03-01-preview' },
  },
];

function dialogIn({ page }: Person) {
  return page.getByRole('dialog', { name: 'Add provider' });
}

async function fillIn({ kind, address, fields, credential }: Cloud): Promise<void> {
  const dialog = dialogIn(person);
  await dialog.getByLabel('Provider').selectOption(kind);
  if (address !== undefined) await dialog.getByLabel('Base URL').fill(address);
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
  await dialog.getByLabel('Credential').fill(credential);
}

describe('a cloud is set up in the form', () => {
  for (const cloud of CLOUDS)
    test(cloud.title, async () => {
      const { page } = person;
      const dialog = dialogIn(person);
      await fillIn(cloud);
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        assert.deepEqual(await person.barriers(scheme === 'light' ? null : COLOUR_RULES), []);
        await person.picture(`desk-add-${cloud.kind}-${scheme}`, false);
      }

      const [label, wrong, words] = cloud.wrong;
      const field = dialog.getByLabel(label);
      await field.fill(wrong);
      await dialog.getByRole('button', { name: 'Add provider' }).click();
      await dialog.locator('[aria-invalid="true"]').waitFor();
      assert.equal(await field.getAttribute('aria-invalid'), 'true', 'the complaint is at its field');
      assert.match(await dialog.innerText(), words);
      await person.picture(`desk-add-${cloud.kind}-wrong`, false);
      person.complaints.length = 0;

      await field.fill(cloud.fields[label] ?? '');
      await dialog.getByRole('button', { name: 'Add provider' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { data } = await send<{ data: { kind: string; options: object }[] }>(person, 'GET', '/providers');
      assert.deepEqual(data.find(({ kind }) => kind === cloud.kind)?.options, cloud.stored);
      for (const value of Object.values(cloud.stored)) await page.getByText(value).first().waitFor();
      assert.ok(!(await page.content()).includes(cloud.credential), 'the credential is not shown again');
      assert.deepEqual(person.complaints, []);
    });
});

test('another kind has the fields of that kind alone, and the form fits a phone', async () => {
  const dialog = dialogIn(person);
  const [bedrock, vertex] = CLOUDS;
  assert.ok(bedrock !== undefined && vertex !== undefined);
  await fillIn(bedrock);
  await dialog.getByLabel('Provider').selectOption(vertex.kind);
  assert.equal(await dialog.getByLabel('AWS region').count(), 0);
  assert.equal(await dialog.getByLabel('Location').inputValue(), '');
  assert.equal(await dialog.getByLabel('Credential').inputValue(), '', 'a credential does not move to another kind');
  await person.page.setViewportSize(PHONE);
  assert.equal(await person.overflow(), 0);
  await person.picture('phone-add-vertex', false);
});
