// Goal: a member sees how far batches are, what waits and why, what they cost, and cancels one after a question; one who may not does not see the
// button. Method: a provider that limits requests when a test says so, and a real Chromium.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asker, awaitEnd, createBatch, inputOf, upload } from '../batches/batch-fixture.ts';
import { chatBody } from '../support/open-gateway.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';
import { closeBrowser, type Person, PHONE } from './browser.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let owner: Person;
let caller: ReturnType<typeof asker>;
before(async () => {
  stage = await openStage({});
  owner = await stage.operator();
  caller = asker(stage.url, stage.key);
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

const make = async (input: string) => (await createBatch(caller, await upload(caller, input))).id;

test('without batches the page says what they are for', async () => {
  await owner.visit('/account-batches');
  await owner.page.getByText('No batches yet').waitFor();
});

test('batches are listed with their lines, their charge, and what waits', async () => {
  const { page } = owner;
  stage.upstream.play(answerWell);
  const unknown = { ...chatBody(false), model: 'no/such-model' };
  const done = await make(inputOf([chatBody(false), chatBody(false), unknown]));
  await awaitEnd(caller, done);
  const wrong = await make('no line of a batch');
  await awaitEnd(caller, wrong);
  stage.upstream.play(refuse(429, { error: { message: 'slow down' } }, { 'retry-after': '30' }));
  const waits = await make(inputOf([chatBody(false), chatBody(false)]));
  await owner.visit('/account-batches');
  const row = (id: string) => page.getByRole('row').filter({ hasText: id.slice(-8) });
  await row(waits)
    .getByText(/lines? waits? for the provider's rate limit/)
    .waitFor();
  assert.match(await row(done).innerText(), /completed[\s\S]*3 of 3[\s\S]*1 failed[\s\S]*\$0\.\d+/);
  assert.match(await row(wrong).innerText(), /failed/);
  assert.deepEqual(await owner.barriers(), []);
  await owner.picture('batches');
  await page.getByRole('group', { name: 'State' }).getByText('Ended').click();
  await row(waits).waitFor({ state: 'detached' });
  await row(done).getByRole('link').click();
  const drawer = page.getByRole('dialog', { name: 'Batch' });
  await drawer.getByText(/\d+ in, \d+ out/).waitFor();
  assert.deepEqual(await owner.barriers(), []);
  await owner.picture('batch-open', false);
  await owner.visit(`/account-batches?batch=${wrong}`);
  await drawer.getByText('This line is not parseable as valid JSON.').waitFor();
  assert.equal(await drawer.getByRole('button', { name: 'Cancel batch' }).count(), 0);
});

test('a batch is cancelled after a question, on a phone, too', async () => {
  const phone = await stage.operator(PHONE);
  await phone.visit('/account-batches?state=open');
  assert.equal(await phone.overflow(), 0);
  await phone.page.getByRole('button', { name: /Actions for batch/ }).click();
  await phone.page.getByRole('menuitem', { name: 'Cancel batch' }).click();
  const question = phone.page.getByRole('dialog', { name: 'Cancel this batch?' });
  assert.deepEqual(await phone.barriers(), []);
  await phone.picture('batches-cancel', false);
  await question.getByRole('button', { name: 'Cancel batch' }).click();
  await phone.page.getByText('Batch is being cancelled').waitFor();
  await phone.visit('/account-batches?state=ended');
  await phone.page.getByText('cancelled', { exact: true }).waitFor();
  await phone.picture('batches-phone');
  await phone.leave();
  await owner.visit('/audit');
  await owner.page.getByText('cancelled batch').first().waitFor();
});
