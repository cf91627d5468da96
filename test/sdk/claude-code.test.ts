/**
 * Goal: Claude Code works with the settings of the spec: base address, auth token, empty api key.
 * Method: its requests, written by hand from what it was seen to send (route, headers, betas,
 * system blocks, turns of role `system`, parallel tools, omitted thinking), over two turns.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { headerOf } from '../support/http-reader.ts';
import { type Bench, SCRIPTED_MODEL, startGatewayWithUpstream } from '../support/start-gateway-with-upstream.ts';

let bench: Bench;
before(async () => {
  bench = await startGatewayWithUpstream();
});
after(() => bench.stop());

const BETAS = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'mid-conversation-tool-changes-2026-07-01',
  'effort-2025-11-24',
].join(',');

const tools = ['Read', 'Bash'].map((name) => ({
  name,
  description: `The tool ${name}.`,
  input_schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { target: { type: 'string' }, timeout: { type: 'number', exclusiveMinimum: 0, maximum: 2 ** 53 - 1 } },
    required: ['target'],
    additionalProperties: false,
  },
}));

const firstTurn = [
  {
    role: 'user',
    content: [
      { type: 'text', text: '<system-reminder>\nA reminder.\n</system-reminder>' },
      { type: 'text', text: 'parallel: read and run' },
    ],
  },
  {
    role: 'system',
    content: [{ type: 'text', text: '# Environment', cache_control: { type: 'ephemeral' } }],
  },
];

function request(model: string, messages: readonly unknown[]): object {
  return {
    model,
    messages,
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.329.00; cc_entrypoint=sdk-cli;' },
      { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Be of use.', cache_control: { type: 'ephemeral' } },
    ],
    tools,
    metadata: { user_id: '{"device_id":"00","account_uuid":"","session_id":"00000000-0000-4000-8000-000000000000"}' },
    max_tokens: 32000,
    thinking: { type: 'adaptive', display: 'omitted' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'high' },
    stream: true,
  };
}

function send(body: object): Promise<Response> {
  return fetch(`${bench.gateway.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${bench.gateway.key}`,
      // The api key is empty: an empty header counts as absent.
      'x-api-key': '',
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': BETAS,
      'anthropic-dangerous-direct-browser-access': 'true',
      'x-app': 'cli',
      'x-claude-code-session-id': '00000000-0000-4000-8000-000000000000',
      'x-stainless-lang': 'js',
      'user-agent': 'claude-cli/2.1.329 (external, sdk-cli)',
      'accept-encoding': 'gzip, deflate, br, zstd',
    },
    body: JSON.stringify(body),
  });
}

test('a session of two turns with parallel tools and omitted thinking goes through', async () => {
  const first = await collect(await send(request('demo/tools', firstTurn)));
  assert.deepEqual(
    first.blocks.map((block) => block['type']),
    ['thinking', 'tool_use', 'tool_use'],
  );
  assert.equal(first.stopReason, 'tool_use');
  assert.equal(first.blocks[0]?.['thinking'], '');
  assert.equal(typeof first.blocks[0]?.['signature'], 'string');

  const [thinking, ...calls] = first.blocks;
  const secondTurn = [
    ...firstTurn,
    { role: 'assistant', content: [thinking, ...calls.map((call) => ({ ...call, caller: { type: 'direct' } }))] },
    {
      role: 'user',
      // Results of parallel calls may come back in another order.
      content: calls.toReversed().map((call) => ({
        type: 'tool_result',
        tool_use_id: call['id'],
        content: [{ type: 'text', text: 'done' }],
      })),
    },
    { role: 'system', content: [{ type: 'text', text: '<total_tokens>1000 tokens left</total_tokens>' }] },
  ];
  const second = await collect(await send(request('demo/tools', secondTurn)));
  assert.equal(second.stopReason, 'end_turn');
  assert.equal(second.blocks.at(-1)?.['text'], 'Bash: done\nRead: done');
});

test('the body reaches the provider as it was, but for the model; headers of its features pass, the key does not', async () => {
  const arrived = bench.upstream.nextExchange();
  const sent = request(SCRIPTED_MODEL, firstTurn);
  const answered = await send(sent);
  const exchange = await arrived;
  await answered.text();
  const received = exchange.request;
  assert.equal(
    received.body.toString(),
    JSON.stringify(sent).replace(JSON.stringify(SCRIPTED_MODEL), JSON.stringify('scripted-1')),
  );
  assert.equal(headerOf(received, 'anthropic-beta'), BETAS);
  assert.equal(headerOf(received, 'anthropic-version'), '2023-06-01');
  assert.equal(headerOf(received, 'x-claude-code-session-id'), '00000000-0000-4000-8000-000000000000');
  assert.equal(headerOf(received, 'accept-encoding'), 'identity');
  assert.ok(!received.rawHeaders.flat().some((text) => text.includes(bench.gateway.key)));
});

test('the small probe it sends when a model is chosen is answered within its cap', async () => {
  const response = await send({
    model: 'demo/echo',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'hello there' }],
  });
  assert.equal(response.status, 200);
  assert.equal((JSON.parse(await response.text()) as { stop_reason: string }).stop_reason, 'max_tokens');
});

test('the stream is not compressed, whatever encodings are offered', async () => {
  const response = await send(request('demo/echo', firstTurn));
  assert.equal(response.headers.get('content-encoding'), null);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  await response.text();
});

interface Collected {
  readonly blocks: Record<string, unknown>[];
  readonly stopReason: unknown;
}

/** Joins a stream's blocks as Claude Code does; an event it would stop at fails the test. */
async function collect(response: Response): Promise<Collected> {
  assert.equal(response.status, 200, await (response.ok ? '' : response.text()));
  const blocks: Record<string, unknown>[] = [];
  const texts: string[] = [];
  let stopReason: unknown = null;
  for (const event of eventsOf(await response.text())) {
    const index = Number(event['index']);
    switch (event['type']) {
      case 'content_block_start':
        assert.equal(index, blocks.length, 'blocks open in order');
        blocks.push({ ...(event['content_block'] as object) });
        texts.push('');
        break;
      case 'content_block_delta':
        for (const [name, value] of Object.entries(event['delta'] as Record<string, string>)) {
          if (name === 'signature') Object.assign(blocks[index] ?? {}, { signature: value });
          else if (name !== 'type') texts[index] += value;
        }
        break;
      case 'content_block_stop': {
        const block = blocks[index];
        assert.ok(block !== undefined, 'only an open block is closed');
        if (block['type'] === 'text') block['text'] = texts[index];
        if (block['type'] === 'tool_use') block['input'] = JSON.parse(texts[index] || '{}');
        break;
      }
      case 'message_delta':
        stopReason = (event['delta'] as Record<string, unknown>)['stop_reason'];
        break;
    }
  }
  return { blocks, stopReason };
}

function eventsOf(text: string): Record<string, unknown>[] {
  return text.split('\n\n').flatMap((frame) => {
    const line = frame.split('\n').find((each) => each.startsWith('data: '));
    return line === undefined ? [] : [JSON.parse(line.slice('data: '.length))];
  });
}
