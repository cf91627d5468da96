/**
 * Goal: whoever can replace a credential learns by email that its provider rejects it, once a day, without the secret: operators of theirs, the
 * owners and admins of an account of its own; pages show it until it is accepted or replaced. Method: the whole program with people of every
 * role, a mail server and a provider on loopback, on a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { headerOf } from '../support/http-reader.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { chatBody } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';
import type { Json } from './ask.ts';
import { good, openTown, type Town } from './two-accounts.ts';

const FIRST = 'canary-of-the-operator-first-1111';
const OWN = 'canary-of-the-team-4444';
const MODEL = 'openai/gpt-5';

const clock = new ManualClock(Date.UTC(2026, 10, 23));
let mail: MailServer;
let upstream: ScriptedUpstream;
let town: Town;
/** By the end of a credential: the status with which it is refused. */
let refused: Readonly<Record<string, number>> = {};
let seen = 0;

before(async () => {
  mail = await startMailServer();
  upstream = await startScriptedUpstream((exchange) => {
    const status = refused[(headerOf(exchange.request, 'authorization') ?? '').slice(-4)];
    return status === undefined
      ? answerWell(exchange)
      : refuse(status, { error: { message: `no: ${headerOf(exchange.request, 'authorization')}` } })(exchange);
  });
  const smtp = { url: mail.url, from: 'turnpike@example.com' };
  town = await openTown({ smtp, publicUrl: 'https://gateway.test' }, { clock });
  const openai = { name: 'openai', kind: 'openai', origin: upstream.origin, credential: FIRST };
  good(await town.control('POST', '/providers', openai));
  for (const { id, credential } of [town.a, town.b])
    good(await town.control('DELETE', `/byok/${credential}?account=${id}`));
});
after(async () => {
  await town.close();
  await upstream.close();
  await mail.close();
});
beforeEach(() => {
  refused = {};
  clock.advance(60_000);
  seen = mail.mails.length;
});

async function call(secret = town.b.keys.active.secret): Promise<number> {
  const recorded = town.bench.nextRecord();
  const response = await town.bench.post('/api/v1/chat/completions', chatBody(false, 'hi', MODEL), {
    authorization: `Bearer ${secret}`,
  });
  await response.arrayBuffer();
  await recorded;
  return response.status;
}

/** What has arrived since the test began, when so many have; without any secret. */
async function mails(count: number): Promise<readonly ReceivedMail[]> {
  const arrived = (await mail.arrived(seen + count)).slice(seen);
  assert.equal(arrived.length, count);
  for (const { text } of arrived) assert.doesNotMatch(text, /canary/);
  return arrived;
}

const recipients = (arrived: readonly ReceivedMail[]) =>
  arrived.map(({ envelope }) => envelope.at(-1)?.slice('RCPT TO:<'.length, -1)).toSorted();

async function listed(): Promise<Json> {
  const { data } = good(await town.control('GET', '/providers')).json;
  return data.find(({ name }: { name: string }) => name === 'openai');
}

for (const [status, advice] of [
  [401, /wrong, expired or revoked/],
  [402, /no credit left/],
  [403, /lacks a right/],
] as const)
  test(`a ${status} is told to the operator once a day, with what to do, and shown until the credential is accepted`, async () => {
    const end = `-${status}`;
    const credential = `canary-of-the-operator${end}`;
    const added = good(await town.control('POST', '/providers/openai/credentials', { credential })).json.data;
    refused = { [end]: status };
    for (let count = 0; count < 8; count += 1) assert.equal(await call(), 200, 'the other credential answers');
    const told = await mails(1);
    assert.deepEqual(recipients(told), [town.operator.email]);
    const [{ text } = assert.fail('none')] = told;
    assert.match(text, /^Subject: Provider openai: a credential is rejected$/m);
    assert.match(text, new RegExp(`rejects the credential …${end} .*with status ${status}`));
    assert.match(text, advice);
    assert.match(text, /https:\/\/gateway\.test\/providers\?provider=openai/);
    assert.equal(text.includes(MODEL), status === 403);
    const [first, second] = (await listed()).credentials;
    assert.deepEqual([first.state, first.rejected_for], ['ready', []]);
    assert.deepEqual([second.state, second.rejected_for], status === 403 ? ['ready', [MODEL]] : ['rejected', []]);
    // It works again, and is rejected again: not a second email that day.
    refused = {};
    clock.advance(60_000);
    for (let count = 0; count < 4; count += 1) await call();
    const well = (await listed()).credentials[1];
    assert.deepEqual([well.state, well.rejected_for], ['ready', []]);
    refused = { [end]: status };
    for (let count = 0; count < 4; count += 1) await call();
    await mails(1);
    good(await town.control('DELETE', `/providers/openai/credentials/${added.credentials[1].id}`));
  });

test('a replaced credential is told of by itself, the same day, and the page forgets the old one', async () => {
  refused = { '1111': 401, '3333': 401 };
  assert.equal(await call(), 502);
  assert.match((await mails(1))[0]?.text ?? '', /…1111/);
  assert.equal((await listed()).credentials[0].state, 'rejected');
  good(await town.control('PATCH', '/providers/openai', { credential: 'canary-of-the-operator-third-3333' }));
  assert.equal((await listed()).credentials[0].state, 'ready');
  assert.equal(await call(), 502);
  assert.match((await mails(2))[1]?.text ?? '', /…3333/);
});

test('a rejected own credential is told to the owners and admins of its account, and to no operator', async () => {
  const own = { provider: 'openai', name: 'evil.example/team', key: OWN, base_url: upstream.origin };
  const { id } = good(await town.control('POST', `/byok?account=${town.a.id}`, own)).json.data;
  refused = { '4444': 401, '5555': 401 };
  assert.equal(await call(town.a.keys.active.secret), 502);
  const told = await mails(2);
  assert.deepEqual(recipients(told), [town.a.people.admin.email, town.a.people.owner.email].toSorted());
  const [{ text = '' } = {}] = told;
  assert.match(text, /Subject: Your own credential for openai is rejected/);
  assert.match(text, /"evil example team" \(…4444\) of the account "Account of alder" with status 401/);
  assert.match(text, /https:\/\/gateway\.test\/own-credentials/);
  assert.doesNotMatch(text, /evil\.example/);
  good(await town.control('POST', `/byok/${id}/rotate?account=${town.a.id}`, { key: 'canary-of-the-team-5555' }));
  assert.equal(await call(town.a.keys.active.secret), 502);
  assert.match((await mails(4)).at(-1)?.text ?? '', /…5555/);
  good(await town.control('DELETE', `/byok/${id}?account=${town.a.id}`));
});

test('an operator who is disabled gets none', async () => {
  good(await town.control('PATCH', `/people/${town.b.people.owner.id}`, { operator: true }));
  good(await town.control('PATCH', '/providers/openai', { credential: 'canary-of-the-operator-7777' }));
  refused = { '7777': 401, '8888': 401 };
  assert.equal(await call(), 502);
  assert.deepEqual(recipients(await mails(2)), [town.operator.email, town.b.people.owner.email].toSorted());
  good(await town.control('PATCH', `/people/${town.b.people.owner.id}`, { disabled: true }));
  good(await town.control('PATCH', '/providers/openai', { credential: 'canary-of-the-operator-8888' }));
  assert.equal(await call(), 502);
  assert.deepEqual(recipients((await mails(3)).slice(2)), [town.operator.email]);
});
