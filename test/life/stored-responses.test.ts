/**
 * Goal: the id of a stored response is known to its project from the moment of the settlement until the provider has deleted the response,
 * however its stream ended, and for as long as the project is open. Method: the gateway in process with a clock that the test moves; a
 * provider that counts how often it is asked for a stored response.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { framesOf, wholeAnswer } from '../prove/support/numbered-formats.ts';
import { control } from '../support/control.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { StreamReader } from '../support/stream-reader.ts';

const MODEL = 'lab/keeper';
const PATH = '/api/v1/responses';
const DAY_MS = 86_400_000;
const DAY_START_MS = Date.UTC(2026, 10, 23);
const FAILED = { error: { code: 'server_error', message: 'The model failed.' }, status: 'failed', output: [] };

/** What becomes of a stream after its first piece. */
type Rest = 'end' | 'nothing' | 'break' | 'fail';
let rest: Rest = 'end';
let number = 0;
/** Requests for stored responses that have reached the provider. */
let asked = 0;

async function provider(exchange: Exchange): Promise<void> {
  if (!exchange.request.startLine.startsWith('POST')) {
    asked += 1;
    return exchange.whole(200, JSON.stringify({ id: 'resp', object: 'response', output: [] }));
  }
  number += 1;
  if (exchange.json['stream'] !== true)
    return exchange.whole(200, JSON.stringify(wholeAnswer('openai-responses', number, 2)));
  const frames = framesOf('openai-responses', number, 1);
  await exchange.openStream();
  await exchange.chunk(frames.before + frames.piece);
  if (rest === 'nothing') return;
  if (rest === 'break') return exchange.reset();
  const failed = { type: 'response.failed', response: { id: `resp_numbered_${number}`, ...FAILED } };
  await exchange.chunk(rest === 'end' ? frames.after : `event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`);
  await exchange.lastChunk();
}

/** The time of day jumps; timers do not notice. */
let aheadMs = 0;
const clock: Clock = { ...systemClock, now: () => DAY_START_MS + aheadMs };
let upstream: ScriptedUpstream;
let gateway: OpenGateway;

before(async () => {
  upstream = await startScriptedUpstream(provider);
  const models = [{ id: MODEL, upstream: 'keeper-1', prices: { input: 1, output: 5 } }];
  const keeper = { name: 'keeper', kind: 'openai', origin: upstream.origin, credential: 'canary-of-keeper', models };
  gateway = await openGateway({ providers: [keeper], billing: { mode: 'prepaid', firstRunCredit: '5' } }, { clock });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  rest = 'end';
  asked = 0;
});

function body(fields: object = {}): object {
  return { model: MODEL, input: 'hi', max_output_tokens: 99, ...fields };
}

function ask(method: string, id: string, key = gateway.key): Promise<Response> {
  return fetch(`${gateway.url}${PATH}/${id}`, { method, headers: { authorization: `Bearer ${key}` } });
}

/** A stream whose caller leaves when it has seen the id. Returns the id. */
async function leave(fields: object = {}): Promise<string> {
  const json = JSON.stringify(body({ stream: true, ...fields }));
  const settled = gateway.nextRecord();
  const reader = await StreamReader.open(
    gateway.url,
    `POST ${PATH} HTTP/1.1\r\nHost: ${new URL(gateway.url).host}\r\nAuthorization: Bearer ${gateway.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
  );
  await reader.sees('response.output_text.delta');
  reader.leave();
  assert.equal((await settled).ending, 'caller_left');
  return `resp_numbered_${number}`;
}

async function stream(): Promise<string> {
  const settled = gateway.nextRecord();
  await (await gateway.post(PATH, body({ stream: true }))).text().catch(() => '');
  await settled;
  return `resp_numbered_${number}`;
}

async function whole(key = gateway.key): Promise<string> {
  const answered = await gateway.post(PATH, body(), { authorization: `Bearer ${key}` });
  assert.equal(answered.status, 200, await answered.clone().text());
  return ((await answered.json()) as { id: string }).id;
}

async function expectKnown(id: string, key?: string): Promise<void> {
  asked = 0;
  assert.equal((await ask('GET', id, key)).status, 200);
  assert.equal(asked, 1);
}

async function expectUnknown(id: string, status = 404, key?: string): Promise<void> {
  asked = 0;
  for (const method of ['GET', 'DELETE']) assert.equal((await ask(method, id, key)).status, status);
  assert.equal(asked, 0, 'the provider is not asked');
}

describe('a stream that was cut off after its id was seen: the id is known, and what is kept can be deleted', () => {
  test('by its caller', async () => {
    rest = 'nothing';
    const id = await leave();
    await expectKnown(id);
    assert.equal((await ask('DELETE', id)).status, 200);
    await expectUnknown(id);
  });

  for (const how of ['break', 'fail'] as const)
    test(how === 'break' ? 'by the provider’s connection' : 'by an error of the provider', async () => {
      rest = how;
      await expectKnown(await stream());
    });

  test('but not if the caller wanted nothing stored', async () => {
    rest = 'nothing';
    await expectUnknown(await leave({ store: false }));
  });
});

test('a deleted response is unknown at once, in a conversation too', async () => {
  const id = await whole();
  assert.equal((await ask('DELETE', id)).status, 200);
  await expectUnknown(id);
  const calls = upstream.exchanges.length;
  const next = await gateway.post(PATH, body({ previous_response_id: id }));
  assert.equal(next.status, 400);
  assert.match(await next.text(), /previous_response_not_found/);
  assert.equal(upstream.exchanges.length, calls);
});

test('a response is known for 30 days, and not a millisecond longer', async () => {
  const id = await whole();
  aheadMs += 30 * DAY_MS - 1;
  await expectKnown(id);
  aheadMs += 1;
  await expectUnknown(id);
});

test('a project that was archived cannot name its responses, and knows them again when it is open again', async () => {
  const project = await manage('POST', '/projects?account=1', { name: 'shelf' });
  const key = await makeKey(1, { project: 'shelf' });
  const id = await whole(key);
  await manage('PATCH', `/projects/${project}?account=1`, { archived: true });
  const refused = (await ask('GET', id, key)).status;
  assert.ok(refused === 401 || refused === 403, String(refused));
  await expectUnknown(id, refused, key);
  await expectUnknown(id);
  await manage('PATCH', `/projects/${project}?account=1`, { archived: false });
  await expectKnown(id, key);
});

test('nobody can name the responses of an account that was closed', async () => {
  const account = await manage('POST', '/accounts', { name: 'Leaving' });
  await manage('POST', `/balance/entries?account=${account}`, { amount: '1', reference: 'first' });
  const key = await makeKey(account, {});
  const id = await whole(key);
  await manage('POST', `/account/close?account=${account}`, { name: 'Leaving' });
  await expectUnknown(id, 401, key);
  await expectUnknown(id);
});

/** Returns the id of what was made or changed. */
async function manage(method: string, path: string, fields: object): Promise<number> {
  const { status, body: made } = await control(gateway.dataFolder, method, `/control/api${path}`, fields);
  assert.ok(status < 300, JSON.stringify(made));
  return (made as { data?: { id: number } }).data?.id ?? 0;
}

async function makeKey(account: number, fields: object): Promise<string> {
  const path = `/control/api/keys?account=${account}`;
  const { status, body: made } = await control(gateway.dataFolder, 'POST', path, { name: 'k', ...fields });
  assert.equal(status, 201, JSON.stringify(made));
  return (made as { key: string }).key;
}
