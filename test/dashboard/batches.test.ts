/**
 * Goal: members see batches of their account with what waits and what they cost, cancel those of keys that they may revoke, and no other account's exist
 * for them; commands see all. Method: the whole gateway with two accounts, and a provider that a test scripts.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { asker, awaitEnd, createBatch, inputOf, pause, upload } from '../batches/batch-fixture.ts';
import { chatBody } from '../support/open-gateway.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';
import type { Json } from './ask.ts';
import { ask } from './ask.ts';
import { bearer, good, openTown } from './two-accounts.ts';

const town = await openTown();
after(() => town.close());
const { a, b, bench, control } = town;
const caller = asker(town.url, a.keys.active.secret);
const LINES = [chatBody(false, 'one'), chatBody(false, 'two')];
const BUSY = refuse(429, { error: { message: 'a secret of the provider' } }, { 'retry-after': '1' });

const make = async () => (await createBatch(caller, await upload(caller, inputOf(LINES)))).id;
const at = (id: string, below = '') => `/account-batches/${id}${below}?account=${a.id}`;
const read = async (id: string): Promise<Json> => good(await control('GET', at(id))).json.data;

async function until(id: string, holds: (batch: Json) => boolean): Promise<Json> {
  for (let time = 0; time < 2_000; time += 1) {
    const batch = await read(id);
    if (holds(batch)) return batch;
    await pause(20);
  }
  assert.fail('the batch is never so');
}

test('a batch that has ended has its tokens and its exact charge', async () => {
  bench.upstream.play(answerWell);
  const id = await make();
  const ended = await awaitEnd(caller, id);
  const batch = await read(id);
  assert.deepEqual([batch.status, batch.total, batch.completed, batch.failed], ['completed', 2, 2, 0]);
  assert.deepEqual([batch.key.id, batch.project.id, batch.can_cancel], [a.keys.active.id, a.project.id, false]);
  assert.deepEqual([batch.tokens.input, batch.tokens.output], [ended.usage?.input_tokens, ended.usage?.output_tokens]);
  assert.equal(batch.model, ended.model);
  const { data: calls } = good(await control('GET', `/calls?account=${a.id}&key=${a.keys.active.id}`)).json;
  const charges = calls.slice(0, 2).map((call: Json) => call.charge);
  assert.ok(batch.charge > 0);
  assert.equal(batch.charge, charges[0] + charges[1]);
  const conflict = await control('POST', at(id, '/cancel'));
  assert.deepEqual(
    [conflict.status, conflict.json.error.message],
    [409, `The batch ${id} cannot be cancelled: it is completed.`],
  );
});

test('lines that wait are shown with a code; an admin cancels the batch, with an entry; others may not', async () => {
  bench.upstream.play(BUSY);
  const id = await make();
  const waits = await until(id, ({ waiting }) => waiting > 0);
  assert.deepEqual(
    [waits.status, waits.waiting_for, waits.charge, waits.tokens],
    ['in_progress', 'upstream_rate_limited', null, null],
  );
  assert.ok(!JSON.stringify(waits).includes('a secret'));
  const { owner, admin, developer, viewer } = a.people;
  const path = `/account-batches/${id}`;
  for (const { browser } of [developer, viewer]) {
    const seen = good(await browser.ask('GET', path)).json.data;
    assert.deepEqual([seen.id, seen.can_cancel], [id, false]);
    assert.equal((await browser.ask('POST', `${path}/cancel`)).status, 403);
  }
  for (const method of ['GET', 'POST']) {
    const foreign = await b.people.owner.browser.ask(method, method === 'GET' ? path : `${path}/cancel`);
    assert.equal(foreign.status, 404);
  }
  const open = good(await owner.browser.ask('GET', '/account-batches?status=open')).json.data;
  assert.deepEqual(
    open.map((each: Json) => [each.id, each.can_cancel]),
    [[id, true]],
  );
  const cancelled = good(await admin.browser.ask('POST', `${path}/cancel`)).json.data;
  assert.deepEqual([cancelled.status, cancelled.can_cancel], ['cancelling', false]);
  const [entry] = good(await owner.browser.ask('GET', '/audit?action=batch.')).json.data;
  assert.deepEqual(
    [entry.action, entry.subject.id, entry.actor.name, entry.before, entry.after],
    ['batch.cancel', id, admin.email, { status: 'in_progress' }, { status: 'cancelling' }],
  );
  const ended = await until(id, ({ ended_at: endedAt }) => endedAt !== null);
  assert.deepEqual([ended.status, ended.waiting, ended.waiting_for, ended.charge], ['cancelled', 0, null, 0]);
  assert.equal(good(await admin.browser.ask('POST', `${path}/cancel`)).json.data.status, 'cancelled');
  assert.equal(good(await owner.browser.ask('GET', '/audit?action=batch.')).json.data.length, 1);
});

test('a developer cancels a batch of a key that they created', async () => {
  bench.upstream.play(BUSY);
  const { browser } = a.people.developer;
  const made = good(await browser.ask('POST', '/keys', { name: 'mine', project: a.project.id })).json;
  const own = asker(town.url, made.key);
  const { id } = await createBatch(own, await upload(own, inputOf(LINES)));
  const [listed] = good(await browser.ask('GET', `/account-batches?key=${made.data.id}`)).json.data;
  assert.deepEqual([listed.id, listed.can_cancel], [id, true]);
  assert.equal(good(await browser.ask('POST', `/account-batches/${id}/cancel`)).json.data.status, 'cancelling');
  await until(id, ({ status }) => status === 'cancelled');
});

test('a list is filtered and read page by page; a management key has the account’s, commands have all', async () => {
  const headers = bearer(a.keys.management.secret);
  const listed = async (query: string): Promise<Json> =>
    good(await ask(town.url, { path: `/api/v1/account-batches?${query}`, headers })).json;
  const all = (await listed('')).data.map(({ id }: Json) => id);
  assert.equal(all.length, 4);
  const first = await listed('limit=3');
  const second = await listed(`limit=3&cursor=${first.next_cursor}`);
  assert.deepEqual(
    [...first.data, ...second.data].map(({ id }: Json) => id),
    all,
  );
  assert.equal(second.next_cursor, null);
  assert.deepEqual(
    (await listed('status=failed')).data.map(({ id }: Json) => id),
    [a.batch],
  );
  assert.equal((await listed('status=ended')).data.length >= 2, true);
  assert.deepEqual((await listed(`project=${b.project.id}`)).data, []);
  assert.deepEqual((await listed(`key=${b.keys.active.id}`)).data, []);
  const everywhere = good(await control('GET', '/all/batches')).json.data;
  assert.deepEqual(new Set(everywhere.map(({ account }: Json) => account.id)), new Set([a.id, b.id]));
  const [one] = good(await control('GET', `/all/batches?reference=${b.batch}`)).json.data;
  assert.deepEqual([one.id, one.account.id], [b.batch, b.id]);
  const { errors } = good(await control('GET', `/account-batches/${b.batch}?account=${b.id}`)).json.data;
  assert.deepEqual(
    errors.map(({ code, line }: Json) => [code, line]),
    [['invalid_json_line', 1]],
  );
});
