/**
 * Goal: an own credential whose address is the gateway's own does not make a call call itself. Method: the whole program, whose address is
 * public for this test, with a key of the account as own credential.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ask } from '../dashboard/ask.ts';
import { wholeAnswer } from '../prove/support/numbered-formats.ts';
import { chatBody, openGateway } from '../support/open-gateway.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';

const MODEL = 'anthropic/claude-haiku-4-5';
const operators = await startScriptedUpstream(answerWell);
const stores = await startScriptedUpstream((exchange) =>
  exchange.whole(200, JSON.stringify(wholeAnswer('openai-responses', 1, 2))),
);
const gateway = await openGateway({
  limits: { inFlightMax: 64 },
  egress: { allow: ['127.0.0.1/32'], http: true },
  providers: [
    { name: 'anthropic', kind: 'anthropic', origin: operators.origin, credential: 'operators' },
    { name: 'openai', kind: 'openai', origin: stores.origin, credential: 'operators-too' },
  ],
});
after(async () => {
  await gateway.close();
  await operators.close();
  await stores.close();
});
const socket = join(gateway.dataFolder, 'control.sock');
const made = await ask(socket, {
  method: 'POST',
  path: '/control/api/byok',
  body: { provider: 'anthropic', key: gateway.key, base_url: gateway.url },
});
assert.equal(made.status, 201, made.text);

for (const path of ['/v1/messages', '/v1/messages/count_tokens', '/api/v1/chat/completions'])
  for (const stream of [false, true])
    test(`${path}${stream ? ', streamed' : ''}: refused when it comes back`, async () => {
      const before = gateway.calls.length;
      const { max_tokens: _, ...counted } = chatBody(false, 'hi', MODEL) as { readonly max_tokens: number };
      const answer = await gateway.post(path, path.endsWith('tokens') ? counted : chatBody(stream, 'hi', MODEL));
      const text = await answer.text();
      assert.equal(
        gateway.calls.length - before,
        1,
        `${gateway.calls.length - before} calls: ${answer.status} ${text}`,
      );
    });

test('what is stored: a request to read or to delete it is refused when it comes back', async () => {
  const { id } = wholeAnswer('openai-responses', 1, 2) as { id: string };
  const credential = await ask(socket, {
    method: 'POST',
    path: '/control/api/byok',
    body: { provider: 'openai', key: gateway.key, base_url: stores.origin },
  });
  assert.equal(credential.status, 201, credential.text);
  const stored = await gateway.post('/v1/responses', {
    model: 'openai/gpt-5',
    input: 'hi',
    max_output_tokens: 100,
    store: true,
  });
  assert.equal(stored.status, 200, await stored.text());
  const moved = await ask(socket, {
    method: 'PATCH',
    path: `/control/api/byok/${credential.json.data.id}`,
    body: { base_url: gateway.url, key: gateway.key },
  });
  assert.equal(moved.status, 200, moved.text);
  for (const method of ['GET', 'DELETE']) {
    const answer = await fetch(`${gateway.url}/v1/responses/${id}`, {
      method,
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    const text = await answer.text();
    assert.equal(answer.status, 400, `${method}: ${text}`);
    assert.match(text, /has come through this gateway before/);
  }
  await ask(socket, { method: 'DELETE', path: `/control/api/byok/${credential.json.data.id}` });
});

test('a request that came through another gateway is served, unless it came through too many', async () => {
  await ask(socket, { method: 'DELETE', path: `/control/api/byok/${made.json.data.id}` });
  const through = (via: string) => gateway.post('/v1/messages', chatBody(false, 'hi', MODEL), { via });
  const answer = await through('1.1 turnpike-of-another, 1.1 a-proxy');
  assert.equal(answer.status, 200, await answer.text());
  assert.equal((await through('1.1 gateway, '.repeat(200))).status, 400);
});
