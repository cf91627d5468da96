/**
 * Goal: calls reach Bedrock as AWS specifies them, in both of its formats, and its answers reach callers in theirs. Method: the whole
 * gateway over loopback; signatures are checked with AWS's own implementation, answers are framed with AWS's own codec.
 */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import { SignatureV4 } from '@smithy/signature-v4';
import { endsProperly, errorCode, eventsOf, type OpenBench } from '../support/open-gateway.ts';
import type { Exchange, Script } from '../support/scripted-upstream.ts';
import { anthropicBody, refuse } from '../support/upstream-scripts.ts';
import { byPath, CLAUDE, openCloud, pathOf, sentHeader } from './cloud-bench.ts';

const ID = 'AKIAIOSFODNN7EXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const CLAUDE_THERE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const NOVA = 'amazon/nova-pro-v1';
const ARN = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3';

let bench: OpenBench;
before(async () => {
  bench = await openCloud({
    kind: 'bedrock',
    models: { [CLAUDE]: CLAUDE_THERE, [NOVA]: 'us.amazon.nova-pro-v1:0', 'mine/profile': ARN },
    fields: () => ({ region: 'us-east-1', credential: `${ID}:${SECRET}:session-token` }),
  });
});
after(() => bench.close());

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
);

function message(type: string, payload: unknown): Buffer {
  const value = (text: string) => ({ type: 'string' as const, value: text });
  return Buffer.from(
    codec.encode({
      headers: {
        ':message-type': value('event'),
        ':event-type': value(type),
        ':content-type': value('application/json'),
      },
      body: Buffer.from(JSON.stringify(payload)),
    }),
  );
}

/** In pieces of 7 bytes: cuts fall everywhere. */
function eventStream(messages: readonly Buffer[]): Script {
  return async (exchange) => {
    await exchange.openStream({ 'content-type': 'application/vnd.amazon.eventstream' });
    const bytes = Buffer.concat(messages);
    for (let at = 0; at < bytes.length; at += 7) await exchange.chunk(bytes.subarray(at, at + 7));
    await exchange.lastChunk();
  };
}

const claudeEvents = [
  {
    type: 'message_start',
    message: {
      ...{ id: 'msg_bdrk_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 5, output_tokens: 1 } },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' you' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 5, outputTokenCount: 7 } },
];
const chunks = claudeEvents.map((event) =>
  message('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcdef' }),
);

const converseBody = JSON.stringify({
  output: { message: { role: 'assistant', content: [{ text: 'Hi you' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 },
  metrics: { latencyMs: 1 },
});
const converseStream = [
  message('messageStart', { role: 'assistant' }),
  message('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi you' } }),
  message('contentBlockStop', { contentBlockIndex: 0 }),
  message('messageStop', { stopReason: 'end_turn' }),
  message('metadata', { usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 }, metrics: { latencyMs: 1 } }),
];

const answerWell = byPath([
  [/\/invoke$/, (exchange) => exchange.whole(200, anthropicBody('Hi you', 'claude-sonnet-4-5-20250929'))],
  [/\/invoke-with-response-stream$/, eventStream(chunks)],
  [/\/converse$/, (exchange) => exchange.whole(200, converseBody)],
  [/\/converse-stream$/, eventStream(converseStream)],
]);

const messages = (model: string, more: object = {}) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
});

async function ask(path: string, body: object, headers: Readonly<Record<string, string>> = {}, script = answerWell) {
  bench.upstream.play(script);
  const before = bench.upstream.exchanges.length;
  const response = await bench.post(path, body, headers);
  const text = await response.text();
  const exchange = bench.upstream.exchanges[before];
  assert(exchange !== undefined, `nothing arrived: ${text}`);
  return { status: response.status, headers: response.headers, text, exchange };
}

/** AWS's implementation signs what arrived; the result must be what was sent. */
async function assertSigned({ request }: Exchange): Promise<void> {
  const headers = Object.fromEntries(request.rawHeaders.map(([name, value]) => [name.toLowerCase(), value]));
  const { authorization = '', 'x-amz-date': date = '' } = headers;
  const signed = /SignedHeaders=([^,]+),/.exec(authorization)?.[1]?.split(';') ?? [];
  const signer = new SignatureV4({
    service: 'bedrock',
    region: 'us-east-1',
    credentials: { accessKeyId: ID, secretAccessKey: SECRET, sessionToken: 'session-token' },
    sha256: Sha256,
    applyChecksum: false,
  });
  const [, path = ''] = request.startLine.split(' ');
  const sent = Object.fromEntries(
    signed.filter((name) => name !== 'x-amz-security-token').map((name) => [name, headers[name] ?? '']),
  );
  const time = new Date(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'));
  const expected = await signer.sign(
    { method: 'POST', protocol: 'http:', hostname: '127.0.0.1', path, query: {}, headers: sent, body: request.body },
    { signingDate: time },
  );
  assert.equal(authorization, expected.headers['authorization']);
  assert.equal(headers['x-amz-security-token'], 'session-token');
  assert.ok(signed.includes('host') && signed.includes('x-amz-date'));
}

class Sha256 {
  readonly #hash;
  constructor(secret?: unknown) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Buffer);
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }
  reset(): void {
    throw new Error('a hash is used once');
  }
}

test('every request has the signature that AWS’s own implementation computes, whatever is in its path', async () => {
  for (const [path, body] of [
    ['/v1/messages', messages(CLAUDE)],
    ['/v1/messages', messages(CLAUDE, { stream: true })],
    ['/api/v1/chat/completions', messages(NOVA)],
    [
      '/api/v1/chat/completions',
      messages('mine/profile', { stream: true, messages: [{ role: 'user', content: 'é🗼' }] }),
    ],
  ] as const) {
    const { status, text, exchange } = await ask(path, body);
    assert.equal(status, 200, text);
    await assertSigned(exchange);
  }
});

test('a model’s name is encoded once in the path, colons and slashes too', async () => {
  const claude = await ask('/v1/messages', messages(CLAUDE));
  assert.equal(pathOf(claude.exchange), '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke');
  const profile = await ask('/api/v1/chat/completions', messages('mine/profile'));
  assert.equal(
    pathOf(profile.exchange),
    '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Aapplication-inference-profile%2Fa1b2c3/converse',
  );
});

test('a caller of the Messages API is relayed to Claude: its bytes, with the version in the place of the model', async () => {
  const body = `{"max_tokens": 100,\n "model" : "${CLAUDE}", "stream":false ,"messages":[{"role":"user","content":"h\\u00e9"}], "n":1.50}`;
  bench.upstream.play(answerWell);
  const arrived = bench.upstream.nextExchange();
  const response = await fetch(`${bench.url}/v1/messages`, {
    method: 'POST',
    body,
    headers: { 'x-api-key': bench.key, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
  });
  assert.equal(((await response.json()) as { model: string }).model, CLAUDE);
  const exchange = await arrived;
  assert.equal(
    exchange.request.body.toString(),
    '{"max_tokens": 100,\n "anthropic_version":"bedrock-2023-05-31", "messages":[{"role":"user","content":"h\\u00e9"}], "n":1.50}',
  );
  assert.equal(sentHeader(exchange, 'anthropic-version'), null);
  assert.equal(sentHeader(exchange, 'x-api-key'), null);
});

test('Claude’s own events come out of the chunks, and are charged', async () => {
  const recorded = bench.nextRecord();
  const { headers, text, exchange } = await ask('/v1/messages', messages(CLAUDE, { stream: true }));
  assert.match(headers.get('content-type') ?? '', /^text\/event-stream/);
  assert.match(pathOf(exchange), /\/invoke-with-response-stream$/);
  assert.equal(exchange.json['stream'], undefined);
  assert.ok(endsProperly(text));
  const events = eventsOf(text) as { type: string; message?: { model: string } }[];
  assert.deepEqual(
    events.map(({ type }) => type),
    claudeEvents.map(({ type }) => type),
  );
  assert.equal(events[0]?.message?.model, CLAUDE);
  const record = await recorded;
  assert.deepEqual([record.ending, record.usage?.inputTokens, record.usage?.outputTokens], ['complete', 5, 7]);
});

test('betas that Bedrock knows are in the body, others are left out with a warning', async () => {
  const { headers, exchange } = await ask(
    '/v1/messages',
    messages(CLAUDE, {
      context_management: { edits: [] },
      tools: [
        {
          name: 'a',
          input_schema: { type: 'object' },
          eager_input_streaming: true,
          cache_control: { type: 'ephemeral' },
        },
      ],
    }),
    {
      'anthropic-beta':
        'context-management-2025-06-27, claude-code-20250219,advanced-tool-use-2025-11-20,fast-mode-2026-02-01',
    },
  );
  assert.deepEqual(exchange.json['anthropic_beta'], [
    'context-management-2025-06-27',
    'tool-search-tool-2025-10-19',
    'fine-grained-tool-streaming-2025-05-14',
  ]);
  assert.equal(sentHeader(exchange, 'anthropic-beta'), null);
  assert.deepEqual(exchange.json['context_management'], { edits: [] });
  assert.deepEqual(exchange.json['tools'], [
    { name: 'a', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } },
  ]);
  assert.match(
    headers.get('x-turnpike-warnings') ?? '',
    /the beta claude-code-20250219, fast-mode-2026-02-01: left out/,
  );
});

for (const stream of [false, true])
  test(`a caller of Chat Completions is translated to Converse, ${stream ? 'streamed' : 'whole'}`, async () => {
    const recorded = bench.nextRecord();
    const { text, exchange } = await ask('/api/v1/chat/completions', messages(NOVA, { stream }));
    assert.equal(pathOf(exchange), `/model/us.amazon.nova-pro-v1%3A0/converse${stream ? '-stream' : ''}`);
    assert.ok(text.includes('Hi you'), text);
    if (stream) assert.ok(endsProperly(text));
    const { ending, usage } = await recorded;
    assert.deepEqual([ending, usage?.inputTokens, usage?.outputTokens], ['complete', 5, 7]);
  });

test('a caller of Chat Completions gets Claude by Converse, and one of Messages gets other models by it', async () => {
  const claude = await ask('/api/v1/chat/completions', messages(CLAUDE));
  assert.equal(pathOf(claude.exchange), '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse');
  const nova = await ask('/v1/messages', messages(NOVA));
  assert.equal(pathOf(nova.exchange), '/model/us.amazon.nova-pro-v1%3A0/converse');
  assert.equal((JSON.parse(nova.text) as { content: { text: string }[] }).content[0]?.text, 'Hi you');
});

for (const [path, model] of [
  ['/v1/messages', CLAUDE],
  ['/api/v1/chat/completions', NOVA],
] as const)
  for (const [type, status, expected] of [
    ['ValidationException', 400, [400, 'bad_request']],
    ['AccessDeniedException', 403, [502, 'upstream_credential_rejected']],
    ['ThrottlingException', 429, [429, 'upstream_rate_limited']],
    ['ResourceNotFoundException', 404, [404, 'model_not_found']],
    ['ServiceUnavailableException', 503, [503, 'upstream_overloaded']],
    ['InternalServerException', 500, [502, 'bad_gateway']],
  ] as const)
    test(`${type} is understood on ${path}, and names nothing of the operator’s`, async () => {
      const words = `User: arn:aws:iam::123456789012:user/op is refused with ${SECRET}`;
      const { status: got, text } = await ask(
        path,
        messages(model),
        {},
        refuse(status, { message: words }, { 'x-amzn-errortype': `${type}:http://internal.amazon.com/` }),
      );
      assert.deepEqual([got, errorCode(JSON.parse(text))], expected);
      assert.ok(!text.includes(SECRET) && !text.includes('123456789012'), text);
    });

test('a signature refused for its time is made again by AWS’s clock, and the call succeeds', async () => {
  const there = Date.now() + 40 * 60_000;
  let refused = 0;
  const skewed: Script = (exchange) => {
    const date = sentHeader(exchange, 'x-amz-date') ?? '';
    const isLate = !date.startsWith(new Date(there).toISOString().slice(0, 16).replace(/[-:]/g, ''));
    if (!isLate) return answerWell(exchange);
    refused += 1;
    return exchange.whole(403, '{"message":"Signature expired"}', {
      'x-amzn-errortype': 'InvalidSignatureException',
      date: new Date(there).toUTCString(),
    });
  };
  const first = await ask('/v1/messages', messages(CLAUDE), {}, skewed);
  assert.equal(first.status, 200);
  assert.equal((await ask('/v1/messages', messages(CLAUDE), {}, skewed)).status, 200);
  assert.equal(refused, 1);
});
