/**
 * Goal: a conversation goes on with the credential that served it, the operator's or an own one, because a prompt cache belongs to its account
 * at the provider; calls without a conversation take turns. Method: the real program; one server that notes with which credential it is
 * asked, and refuses some.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { ask, type Json } from '../dashboard/ask.ts';
import { headerOf } from '../support/http-reader.ts';
import { chatBody, openGateway } from '../support/open-gateway.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';

const MODEL = 'openai/gpt-5';
const KEYS = ['sk-operators-first-1111', 'sk-operators-second-2222', 'sk-operators-third-3333'] as const;
const [credential, ...credentials] = KEYS;

let used: string[] = [];
/** Ends of the credentials that are refused, and with what status. */
let refused: Readonly<Record<string, number>> = {};
const upstream = await startScriptedUpstream((exchange) => {
  const end = (headerOf(exchange.request, 'authorization') ?? '').slice(-4);
  used.push(end);
  const status = refused[end];
  return status === undefined ? answerWell(exchange) : refuse(status, { error: { message: 'no' } })(exchange);
});
const clock = new ManualClock(Date.UTC(2026, 10, 23));
const gateway = await openGateway(
  {
    egress: { allow: ['127.0.0.1/32'], http: true },
    providers: [{ name: 'openai', kind: 'openai', origin: upstream.origin, credential, credentials }],
  },
  { clock },
);
after(async () => {
  await gateway.close();
  await upstream.close();
});
const control = async (method: string, path: string, body?: object): Promise<Json> => {
  const reply = await ask(join(gateway.dataFolder, 'control.sock'), { method, path: `/control/api${path}`, body });
  assert.ok(reply.status < 300, reply.text);
  return reply.json.data;
};
const own = (name: string, key: string, more: object = {}) =>
  control('POST', '/byok', { provider: 'openai', name, key, base_url: upstream.origin, ...more });

beforeEach(async () => {
  for (const { id } of await control('GET', '/byok')) await control('DELETE', `/byok/${id}`);
  refused = {};
  clock.advance(400_000);
  used = [];
});

/** Which credentials were used for so many calls of a conversation; null: of none. */
async function turns(count: number, conversation: string | null): Promise<string[]> {
  const from = used.length;
  for (let turn = 0; turn < count; turn += 1) {
    const recorded = gateway.nextRecord();
    const headers: Record<string, string> = conversation === null ? {} : { 'x-session-id': conversation };
    const response = await gateway.post('/api/v1/chat/completions', chatBody(turn % 2 === 1, 'hi', MODEL), headers);
    assert.equal(response.status, 200, await response.text());
    await recorded;
  }
  return used.slice(from);
}

test('conversations are spread over the credentials, and each stays with its own', async () => {
  const firsts: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const [first = '', ...more] = await turns(6, name);
    assert.deepEqual(more, Array(5).fill(first), name);
    firsts.push(first);
  }
  assert.deepEqual(firsts.toSorted(), ['1111', '2222', '3333']);
  assert.deepEqual((await turns(3, null)).toSorted(), ['1111', '2222', '3333']);
  for (const [index, name] of ['a', 'b', 'c'].entries())
    assert.deepEqual(await turns(2, name), Array(2).fill(firsts[index]));
});

for (const status of [401, 402, 403, 429])
  test(`after a ${status} it goes on with another one, and stays with that`, async () => {
    const name = `refused with ${status}`;
    const [first = ''] = await turns(1, name);
    refused = { [first]: status };
    const [again, second = '', ...more] = await turns(3, name);
    assert.deepEqual([again, more], [first, Array(2).fill(second)]);
    assert.notEqual(second, first);
    refused = {};
    clock.advance(60_000);
    assert.deepEqual(await turns(3, name), Array(3).fill(second));
  });

test('a conversation stays with the own credential that served it, and another one with another', async () => {
  await own('one', 'sk-of-the-team-one-4444', { fallback: true });
  await own('two', 'sk-of-the-team-two-5555', { fallback: true });
  assert.deepEqual(await turns(2, 'own one'), ['4444', '4444']);
  refused = { '4444': 429 };
  assert.deepEqual(await turns(2, 'own two'), ['4444', '5555', '5555']);
  refused = {};
  clock.advance(60_000);
  assert.deepEqual(await turns(3, 'own two'), ['5555', '5555', '5555']);
  assert.deepEqual(await turns(2, 'own one'), ['4444', '4444']);
  refused = { '5555': 429 };
  assert.deepEqual(await turns(2, 'own two'), ['5555', '4444', '4444']);
});

test('the owner’s policy comes before the conversation: one that the operator served goes to a new own credential', async () => {
  await turns(2, 'moves');
  await own('mine', 'sk-of-the-team-one-4444');
  assert.deepEqual(await turns(2, 'moves'), ['4444', '4444']);
});
