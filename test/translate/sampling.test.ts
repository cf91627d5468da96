/**
 * Goal: a strict server serves an unknown model whatever its caller says of sampling, and its operator can
 * say what it takes. Method: a provider of each format that refuses what newer models refuse; entries with and without `sampling`.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type DialectUnderTest, type OpenGateway, openGateway, PATHS } from '../support/open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';

const REFUSED = ['top_p', 'top_k'];
const strict: Script = (exchange) => {
  const refused = REFUSED.filter((name) => name in exchange.json);
  if (refused.length === 0) return answerWell(exchange);
  const error = { type: 'invalid_request_error', message: `Unsupported parameter: '${refused[0]}'` };
  return refuse(400, { type: 'error', error })(exchange);
};

let upstream: ScriptedUpstream;
let gateway: OpenGateway;
before(async () => {
  upstream = await startScriptedUpstream(strict);
  gateway = await openGateway({
    providers: (['openai-chat', 'anthropic-messages'] as const).flatMap((dialect) => [
      provider(`closed-${dialect}`, dialect, {}, {}),
      provider(`open-${dialect}`, dialect, { sampling: ['top_k', 'temperature', 'top_p'] }, {}),
      provider(`one-${dialect}`, dialect, {}, { sampling: ['top_k'] }),
      provider(`listed-${dialect}`, dialect, { sampling: ['top_k'] }, { parameters: ['top_p', 'tools'] }),
    ]),
  });
});
after(async () => {
  await gateway.close();
  await upstream.close();
});

function provider(name: string, dialect: DialectUnderTest, fields: object, model: object): object {
  const models = [{ id: `lab/${name}`, upstream: 'm', prices: { input: 1, output: 5 }, outputCap: 100, ...model }];
  return { name, kind: 'custom', origin: upstream.origin, dialects: [dialect], ...fields, models };
}

async function ask(kind: string, spoken: DialectUnderTest) {
  const caller = spoken === 'openai-chat' ? 'anthropic-messages' : 'openai-chat';
  const messages = [{ role: 'user', content: 'hi' }];
  const sampled = { temperature: 0.5, top_p: 0.9, top_k: 5 };
  const recorded = gateway.nextRecord();
  const body = { model: `lab/${kind}-${spoken}`, max_tokens: 9, messages, ...sampled };
  const response = await gateway.post(PATHS[caller], body);
  await response.text();
  const { json } = upstream.exchanges.at(-1) ?? assert.fail('nothing was sent');
  const sent = Object.keys(sampled).filter((name) => name in json);
  const { warnings } = await recorded;
  assert.equal(response.headers.get('x-turnpike-warnings'), response.ok ? warnings.join('; ') || null : null);
  return { status: response.status, sent, warned: warnings.map((warning) => warning.split(' ')[0]) };
}

for (const spoken of ['openai-chat', 'anthropic-messages'] as const) {
  test(`a strict server of ${spoken} serves a request with sampling, and what was left out is reported`, async () => {
    const { status, sent, warned } = await ask('closed', spoken);
    assert.deepEqual([status, sent, warned], [200, ['temperature'], ['top_p', 'top_k']]);
  });

  test(`of ${spoken} a provider, or one model, takes what its entry says`, async () => {
    upstream.play(answerWell);
    const open = await ask('open', spoken);
    // The Messages API takes one of temperature and top_p.
    const both = spoken === 'openai-chat' ? ['temperature', 'top_p', 'top_k'] : ['temperature', 'top_k'];
    assert.deepEqual([open.status, open.sent], [200, both]);
    assert.deepEqual((await ask('one', spoken)).sent, ['top_k']);
    // A list of parameters decides, whatever else is configured, and names all that is sent.
    const listed = await ask('listed', spoken);
    assert.deepEqual([listed.status, listed.sent, listed.warned], [200, ['top_p'], ['temperature', 'top_k']]);
    upstream.play(strict);
  });
}
