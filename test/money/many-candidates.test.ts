/**
 * Goal: a request for which nothing is held costs the gateway about as much work as one that names a single model, however many candidates it
 * has; and a candidate that the balance covers is found behind many that it does not. Method: a caller of one format, models of another at
 * several providers; the requests that are written are counted.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, mock, test } from 'node:test';
import { ATTEMPTS_MAX } from '../../src/gateway/admission/admit.ts';
import { WRITTEN_MAX } from '../../src/gateway/admission/translate-request.ts';
import { Translation } from '../../src/gateway/admission/translation.ts';
import { NOTED_MAX } from '../../src/gateway/exchange/note-attempt.ts';
import { errorCode, type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';

const DEAR = Array.from({ length: 15 }, (_, index) => `dear-${index}`);

const SOUND = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
const written = mock.method(Translation.prototype, 'writeValue');
const offer = (name: string, price: number) => ({
  id: `scripted/${name}`,
  upstream: name,
  prices: { input: price, output: price },
  outputCap: 1_000,
});

before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  const models = [...DEAR.map((name) => offer(name, 10_000)), offer('cheap', 1)];
  gateway = await openGateway({
    billing: { firstRunCredit: '5' },
    providers: [1, 2, 3].map((number) => ({
      name: `target-${number}`,
      kind: 'custom',
      origin: upstream.origin,
      credential: `canary-credential-${number}`,
      dialects: ['anthropic-messages'],
      models,
    })),
  });
});
after(async () => {
  mock.restoreAll();
  await gateway.close();
  await upstream.close();
});
beforeEach(() => written.mock.resetCalls());

async function call(names: readonly string[], more: object = {}) {
  const models = names.map((name) => `scripted/${name}`);
  const messages = [{ role: 'user', content: 'hi' }];
  const answer = await gateway.post('/api/v1/chat/completions', {
    model: models[0],
    models,
    messages,
    max_tokens: 99,
    ...more,
  });
  const json = (await answer.json()) as object;
  // Each request is written in two steps, the first of which does nothing the second time.
  const writes = new Set(written.mock.calls.map(({ arguments: [candidate] }) => candidate)).size;
  return { status: answer.status, code: errorCode(json), model: (json as { model?: string }).model, writes };
}

test('a request that no candidate is affordable for is written a few times, and refused', async () => {
  const { status, code, writes } = await call(DEAR, { max_tokens: 1_000 });
  assert.deepEqual([status, code], [402, 'insufficient_balance']);
  assert.ok(writes <= WRITTEN_MAX, `written for ${writes} of ${3 * DEAR.length} candidates`);
});

test('a request that no candidate can express is written a few times, and refused', async () => {
  const { status, writes } = await call(['cheap', ...DEAR], {
    messages: [{ role: 'user', content: [SOUND] }],
    max_tokens: 9,
  });
  assert.equal(status, 400);
  assert.ok(writes <= WRITTEN_MAX, `written for ${writes} of ${3 * DEAR.length + 3} candidates`);
});

test('a candidate that the balance covers serves behind many that it does not', async () => {
  const recorded = gateway.nextRecord();
  const { status, model, writes } = await call([...DEAR, 'cheap'], { max_tokens: 1_000 });
  assert.deepEqual([status, model], [200, 'scripted/cheap']);
  assert.ok(writes <= WRITTEN_MAX, `written for ${writes}`);
  const { attempts } = await recorded;
  assert.equal(attempts.at(-1)?.status, 200);
  assert.ok(attempts.length <= NOTED_MAX + ATTEMPTS_MAX, `${attempts.length} rows on the record`);
});
