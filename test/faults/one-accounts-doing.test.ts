/**
 * Goal: what one account's requests make a provider answer costs other accounts nothing: neither their further attempts, nor a provider that
 * answers them. Method: two accounts, two scripted providers of one model, on a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { chatBody, type OpenGateway, openGateway, PATHS, scriptedProvider } from '../support/open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';

const clock = new ManualClock(Date.UTC(2026, 11, 1));
let upstreams: readonly ScriptedUpstream[];
let gateway: OpenGateway;
let others: Record<string, string>;

before(async () => {
  upstreams = await Promise.all([1, 2].map(() => startScriptedUpstream(answerWell)));
  gateway = await openGateway(
    { providers: upstreams.map(({ origin }, index) => scriptedProvider(`target-${index + 1}`, origin)) },
    { clock },
  );
  const account = await control('/accounts', { name: 'Others' });
  await control(`/balance/entries?account=${account.data?.['id']}`, { amount: '5', reference: 'test', note: 'a test' });
  const { key } = await control(`/keys?account=${account.data?.['id']}`, {});
  others = { authorization: `Bearer ${key}` };
});
after(async () => {
  await gateway.close();
  for (const upstream of upstreams) await upstream.close();
});
beforeEach(() => {
  // What rested is well again, and the retry budget is whole.
  clock.advance(400_000);
  play(answerWell, answerWell);
});

async function control(path: string, payload: object) {
  const answer = await gateway.app.control.inject({ method: 'POST', url: `/control/api${path}`, payload });
  assert.ok(answer.statusCode < 300, answer.body);
  return answer.json<{ readonly data?: Readonly<Record<string, unknown>>; readonly key?: string }>();
}

function play(...scripts: readonly Script[]): void {
  for (const [index, script] of scripts.entries()) upstreams[index]?.play(script);
}

/** What the provider answers to a prompt, and to any other. */
const to =
  (prompt: string, script: Script, otherwise: Script = answerWell): Script =>
  (exchange) =>
    JSON.stringify(exchange.json).includes(prompt) ? script(exchange) : otherwise(exchange);

async function call(prompt: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const settled = gateway.nextRecord();
  const response = await gateway.post(PATHS['openai-chat'], chatBody(false, prompt), headers);
  await response.arrayBuffer();
  await settled;
  return response.status;
}

const reached = () => upstreams.map(({ exchanges }) => exchanges.length);

test('requests that fail everywhere do not use up what another account may try again', async () => {
  const broken = refuse(500, {});
  play(to('poison', broken, to('unlucky', broken)), to('poison', broken));
  // Both providers answer them.
  await call('hello', others);
  await call('unlucky', others);
  clock.advance(10_000);
  await call('hello', others);
  for (let time = 0; time < 60; time += 1) assert.equal(await call('poison'), 502);
  assert.equal(await call('unlucky', others), 200);
});

test('a further provider that one account’s requests made rest still answers another, whose first provider fails', async () => {
  const broken = refuse(500, {});
  play(to('poison', broken, to('unlucky', broken)), to('poison', broken));
  for (let time = 0; time < 20; time += 1) await call('poison');
  clock.advance(2_000);
  assert.equal(await call('unlucky', others), 200);
});

const flagged = refuse(403, { error: { message: 'Your input was flagged', code: 403 } });

test('a refusal of what one account asks for (403) does not keep others from a provider that answers them, and alerts nobody', async () => {
  play(to('flagged', flagged));
  const from = gateway.log.length;
  await call('hello', others);
  for (let time = 0; time < 8; time += 1) {
    await call('flagged');
    const before = reached()[0] as number;
    assert.equal(await call('hello', others), 200);
    assert.equal(reached()[0], before + 1, `${time}: the first provider answers`);
    clock.advance(1_000);
  }
  assert.deepEqual(
    gateway.log.slice(from).filter((line) => /"msg":"(credential|provider)_(?!recovered)/.test(line)),
    [],
  );
});

test('a credential that is refused (403) to every account rests, and that is reported', async () => {
  await call('hello');
  await call('hello', others);
  play(flagged);
  const from = gateway.log.length;
  for (const headers of [{}, others, {}, others]) assert.equal(await call('hello', headers), 200);
  const [first] = reached();
  assert.equal(await call('hello', others), 200);
  assert.equal(reached()[0], first);
  assert.equal(gateway.log.slice(from).filter((line) => line.includes('"credential_rejected"')).length, 1);
});
