// Goal: what the *Connect* page says of tools is true: those that list models find them, with the fields they read; the
// routes that they call are served. Method: the real gateway with its demo, called as the tools call it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isChatPath } from '../../src/gateway/routes.ts';
import { tools } from '../../web/src/pages/connect/tools.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

let gateway: OpenGateway;
before(async () => {
  gateway = await openGateway({ demo: true });
});
after(async () => gateway?.close());

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly pricing: { readonly prompt: unknown; readonly completion: unknown };
  readonly context_length: unknown;
}

/** Open WebUI needs `data[].id`; LibreChat reads prices and context windows if every model has them, as here. */
test('Open WebUI and LibreChat list the models that the key may call, with prices as text and context windows', async () => {
  const response = await fetch(`${gateway.url}/api/v1/models`, { headers: { authorization: `Bearer ${gateway.key}` } });
  assert.equal(response.status, 200);
  const { data } = (await response.json()) as { readonly data: readonly Listed[] };
  assert.ok(data.some(({ id }) => id === 'demo/echo'));
  for (const { id, name, pricing, context_length } of data) {
    assert.equal(typeof name, 'string', id);
    assert.deepEqual([typeof pricing.prompt, typeof pricing.completion], ['string', 'string'], id);
    assert.equal(typeof context_length, 'number', id);
  }
});

/**
 * What each sends in addition to messages and tools: of aider 0.86.2 and the command lines of Cline 3.0.65 and Continue
 * 1.5.47 as seen on the wire, of the others as they document it.
 */
const REQUESTS: Readonly<Record<string, object>> = {
  aider: { stream: true, temperature: 0 },
  cline: { tool_choice: 'auto', stream: true, stream_options: { include_usage: true } },
  continue: { stream: true, stream_options: { include_usage: true } },
  zed: {
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 8192,
    parallel_tool_calls: false,
  },
  'open-webui': { stream: true, stream_options: { include_usage: true } },
  librechat: { stream: true, user: 'someone' },
};

for (const [id, fields] of Object.entries(REQUESTS))
  test(`a request as ${id} sends it is served`, async () => {
    const tool = { type: 'function', function: { name: 'read_file', parameters: { type: 'object', properties: {} } } };
    const response = await gateway.post(
      '/api/v1/chat/completions',
      {
        model: 'demo/echo',
        messages: [{ role: 'user', content: 'Hello' }],
        ...(tools.find((each) => each.id === id)?.needsTools ? { tools: [tool] } : {}),
        ...fields,
      },
      { authorization: `Bearer ${gateway.key}` },
    );
    const text = await response.text();
    assert.equal(response.status, 200, text);
    assert.match(text, /Hello/);
    assert.match(text, /data: \[DONE\]/);
  });

test('the routes of command-line assistants are served', () => {
  for (const path of ['/api/v1/responses', '/v1/responses', '/v1beta/models/demo/echo:streamGenerateContent'])
    assert.equal(isChatPath(path), true, path);
});
