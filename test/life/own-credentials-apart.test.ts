/**
 * Goal: what a member's own server answers is nobody else's problem: other accounts are served as before, no operator is alerted, and the
 * ledger stays exact. Method: the whole program; the operator's provider and a member's server on loopback, which answers as it likes.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { ask, type Json } from '../dashboard/ask.ts';
import { verifyClean } from '../prove/support/verify-clean.ts';
import { chatBody, openGateway } from '../support/open-gateway.ts';
import { PLENTY } from '../support/plenty.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, anthropicBody, refuse } from '../support/upstream-scripts.ts';

const MODEL = 'anthropic/claude-haiku-4-5';
const OTHER_MODEL = 'anthropic/claude-sonnet-4-5';
const OWN = 'canary-credential-of-the-team-one';

const operators = await startScriptedUpstream(answerWell);
const members = await startScriptedUpstream(answerWell);
const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
const gateway = await openGateway(
  {
    egress: { allow: ['127.0.0.1/32'], http: true },
    billing: { ...PLENTY.billing, ownCredentialFee: 5 },
    providers: [{ name: 'anthropic', kind: 'anthropic', origin: operators.origin, credential: 'operators' }],
  },
  { clock },
);
after(async () => {
  await gateway.close();
  await operators.close();
  await members.close();
});
const socket = join(gateway.dataFolder, 'control.sock');
const control = async (method: string, path: string, body?: object): Promise<Json> => {
  const reply = await ask(socket, { method, path: `/control/api${path}`, body });
  assert.ok(reply.status < 300, reply.text);
  return reply.json;
};
const { id: otherAccount } = (await control('POST', '/accounts', { name: 'Other' })).data;
await control('POST', `/balance/entries?account=${otherAccount}`, { amount: '5', reference: 'test', note: 'a test' });
const others = { authorization: `Bearer ${(await control('POST', `/keys?account=${otherAccount}`, {})).key}` };

const own = async (body: object = {}): Promise<Json> =>
  (await control('POST', '/byok', { provider: 'anthropic', key: OWN, base_url: members.origin, ...body })).data;

beforeEach(async () => {
  for (const { id } of (await control('GET', '/byok')).data) await control('DELETE', `/byok/${id}`);
  operators.play(answerWell);
  members.play(answerWell);
  clock.advance(400_000);
});

async function call(body: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const settled = gateway.nextRecord();
  const response = await gateway.post('/v1/messages', { ...chatBody(false, 'hi', MODEL), ...body }, headers);
  const text = await response.text();
  return { status: response.status, text, headers: response.headers, record: await settled };
}

const alerts = async () =>
  (await (await fetch(`${gateway.url}/metrics`)).text())
    .split('\n')
    .filter((line) => /alerts_total\{.*[1-9]$/.test(line));

test('a server that counts no tokens does not end the counting for others', async () => {
  operators.play((exchange) => exchange.whole(200, '{"input_tokens":7}'));
  members.play(refuse(404, { type: 'error', error: { type: 'not_found_error', message: 'none' } }));
  await own();
  const count = (headers: Readonly<Record<string, string>> = {}) =>
    gateway.post('/v1/messages/count_tokens', { model: MODEL, messages: [{ role: 'user', content: 'hi' }] }, headers);
  await (await count()).arrayBuffer();
  const counted = await count(others);
  assert.equal(counted.headers.get('x-turnpike-estimated'), null);
  assert.deepEqual(await counted.json(), { input_tokens: 7 });
});

const claiming = (usage: object) => {
  const answer = { ...JSON.parse(anthropicBody('Hi')), usage };
  return refuse(200, answer);
};

test('what a server claims to have used alerts no operator, and is no loss of the operator', async () => {
  await own();
  const usages = [
    { input_tokens: 5, output_tokens: 900_000_000 },
    { input_tokens: -5, output_tokens: 9e99 },
  ];
  for (const usage of usages) {
    members.play(claiming(usage));
    const { record } = await call();
    assert.equal(record.ownCredential, true);
    assert.deepEqual([record.variance, record.fault], [0n, 0n]);
    assert.ok(record.hold !== null && record.charge <= record.hold);
  }
  members.play(refuse(400, { type: 'error', error: { type: 'invalid_request_error', message: `no: ${OWN}` } }));
  const { text } = await call();
  assert.ok(!text.includes(OWN));
  assert.deepEqual(await alerts(), []);
  assert.ok(gateway.log.every((line) => !line.includes('repeated its credential')));
});

test('after an attempt of the operator’s that cost something, the ledger of a call that an own credential served is exact', async () => {
  await own({ allowed_models: [OTHER_MODEL] });
  // A whole answer to a caller that wants a stream.
  operators.play(claiming({ input_tokens: 500, output_tokens: 40 }));
  const { record, status, text } = await call({ models: [OTHER_MODEL], stream: true });
  assert.equal(status, 200, text);
  assert.equal(record.ownCredential, true);
  assert.ok(record.fault > 0n);
  await verifyClean(gateway.dataFolder);
});

test('an answer that an own credential’s server gave is not kept for calls to the operator’s provider, or to another server', async () => {
  const cached = { 'x-turnpike-cache': 'true' };
  const { id } = await own();
  members.play(refuse(200, JSON.parse(anthropicBody('from the team'))));
  const ask = async () => {
    const { headers, text } = await call({ messages: [{ role: 'user', content: 'who?' }] }, cached);
    return [headers.get('x-turnpike-cache'), JSON.parse(text).content[0].text];
  };
  assert.deepEqual(await ask(), ['miss', 'from the team']);
  assert.deepEqual(await ask(), ['hit', 'from the team']);
  await control('DELETE', `/byok/${id}`);
  assert.deepEqual(await ask(), ['miss', 'Hi you']);
});
