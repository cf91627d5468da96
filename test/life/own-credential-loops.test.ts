/**
 * Goal: an own credential whose address is the gateway's own does not make a call call itself. Method: the whole program, whose address is
 * public for this test, with a key of the account as own credential.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ask } from '../dashboard/ask.ts';
import { chatBody, openGateway } from '../support/open-gateway.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';

const MODEL = 'anthropic/claude-haiku-4-5';
const operators = await startScriptedUpstream(answerWell);
const gateway = await openGateway({
  limits: { inFlightMax: 64 },
  egress: { allow: ['127.0.0.1/32'], http: true },
  providers: [{ name: 'anthropic', kind: 'anthropic', origin: operators.origin, credential: 'operators' }],
});
after(async () => {
  await gateway.close();
  await operators.close();
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

test('a request that came through another gateway is served, unless it came through too many', async () => {
  await ask(socket, { method: 'DELETE', path: `/control/api/byok/${made.json.data.id}` });
  const through = (via: string) => gateway.post('/v1/messages', chatBody(false, 'hi', MODEL), { via });
  const answer = await through('1.1 turnpike-of-another, 1.1 a-proxy');
  assert.equal(answer.status, 200, await answer.text());
  assert.equal((await through('1.1 gateway, '.repeat(200))).status, 400);
});
