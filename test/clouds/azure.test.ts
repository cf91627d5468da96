/**
 * Goal: calls reach a resource of Azure OpenAI at the path of its API version, and its filters' additions and refusals reach callers rightly.
 * Method: the whole gateway over loopback; answers are shaped as Azure's are recorded.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endsProperly, errorCode, eventsOf, type OpenBench } from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { refuse, stream } from '../support/upstream-scripts.ts';
import { byPath, openCloud, pathOf, sentHeader } from './cloud-bench.ts';

const MODEL = 'openai/gpt-4.1';
const KEY = '0123456789abcdef0123456789abcdef';

let deployments: OpenBench;
let v1: OpenBench;
before(async () => {
  const models = { [MODEL]: 'my deployment' };
  deployments = await openCloud({
    kind: 'azure',
    models,
    fields: () => ({ apiVersion: '2024-10-21', credential: KEY }),
  });
  v1 = await openCloud({ kind: 'azure', models, fields: () => ({ credential: KEY }) });
});
after(async () => {
  await deployments.close();
  await v1.close();
});

const filters = {
  hate: { filtered: false, severity: 'safe' },
  jailbreak: { filtered: false, detected: false },
};
const usage = { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 };
const whole = JSON.stringify({
  choices: [
    {
      content_filter_results: filters,
      finish_reason: 'stop',
      index: 0,
      logprobs: null,
      message: { annotations: [], content: 'Hi you', refusal: null, role: 'assistant' },
    },
  ],
  created: 1,
  id: 'chatcmpl-azure',
  model: 'gpt-4.1-2025-04-14',
  object: 'chat.completion',
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: filters }],
  usage,
});
const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
const head = { created: 1, id: 'chatcmpl-azure', model: 'gpt-4.1-2025-04-14', object: 'chat.completion.chunk' };
const choice = (delta: object | null, finish: string | null, more: object = {}) =>
  data({ ...head, choices: [{ index: 0, ...(delta !== null && { delta }), finish_reason: finish, ...more }] });
/** Azure's first chunk has no choice and empty names; one of an asynchronous filter has no delta. */
const streamed = [
  data({
    choices: [],
    created: 0,
    id: '',
    model: '',
    object: '',
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: filters }],
  }),
  choice({ role: 'assistant', content: '', refusal: null }, null),
  choice({ content: 'Hi' }, null, { content_filter_results: filters }),
  choice(null, null, { content_filter_offsets: { start_offset: 0, end_offset: 2 }, content_filter_results: filters }),
  choice({ content: ' you' }, null),
  choice({}, 'stop'),
  data({ ...head, choices: [], usage }),
  'data: [DONE]\n\n',
];
const answerWell: Script = byPath([
  [
    /\/chat\/completions/,
    (exchange) => (exchange.json['stream'] === true ? stream(streamed)(exchange) : exchange.whole(200, whole)),
  ],
]);

const body = (more: object = {}) => ({
  model: MODEL,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
});

async function ask(bench: OpenBench, path: string, request: object, script = answerWell) {
  bench.upstream.play(script);
  const seen = bench.upstream.exchanges.length;
  const response = await bench.post(path, request);
  const text = await response.text();
  const exchange = bench.upstream.exchanges[seen];
  assert(exchange !== undefined, `nothing arrived: ${text}`);
  return { status: response.status, headers: response.headers, text, exchange };
}

test('a dated API version calls the deployment by its path, with the key in its own header', async () => {
  const { exchange, text } = await ask(deployments, '/api/v1/chat/completions', body());
  assert.equal(pathOf(exchange), '/openai/deployments/my%20deployment/chat/completions?api-version=2024-10-21');
  assert.equal(sentHeader(exchange, 'api-key'), KEY);
  assert.equal(sentHeader(exchange, 'authorization'), null);
  const answer = JSON.parse(text) as { model: string; prompt_filter_results: unknown };
  assert.equal(answer.model, MODEL);
  assert.ok(Array.isArray(answer.prompt_filter_results), 'what the filter found passes');
});

test('without one, the v1 surface is called, with the deployment in the body', async () => {
  const { exchange } = await ask(v1, '/api/v1/chat/completions', body());
  assert.equal(pathOf(exchange), '/openai/v1/chat/completions');
  assert.equal(exchange.json['model'], 'my deployment');
});

test('a relayed stream passes the filter’s chunks as they are, and is charged', async () => {
  const recorded = deployments.nextRecord();
  const { text } = await ask(deployments, '/api/v1/chat/completions', body({ stream: true }));
  assert.ok(endsProperly(text));
  const events = eventsOf(text) as { choices?: unknown[]; prompt_filter_results?: unknown }[];
  assert.ok(events[0]?.prompt_filter_results !== undefined);
  assert.ok(text.includes('content_filter_offsets'));
  const record = await recorded;
  assert.deepEqual([record.ending, record.usage?.inputTokens, record.usage?.outputTokens], ['complete', 8, 5]);
});

test('a translated stream has the words, without the filter’s chunks', async () => {
  const { text, exchange } = await ask(deployments, '/v1/messages', body({ stream: true }));
  assert.match(pathOf(exchange), /^\/openai\/deployments\//);
  const events = eventsOf(text) as { type: string; delta?: { text?: string } }[];
  assert.equal(events.map(({ delta }) => delta?.text ?? '').join(''), 'Hi you');
  assert.deepEqual([events[0]?.type, events.at(-1)?.type], ['message_start', 'message_stop']);
});

const refusal = {
  error: {
    message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    type: null,
    param: 'prompt',
    code: 'content_filter',
    status: 400,
    innererror: {
      code: 'ResponsibleAIPolicyViolation',
      content_filter_result: { ...filters, jailbreak: { filtered: true, detected: true } },
    },
  },
};

test('a refusal of the content filter is relayed to the byte', async () => {
  const { status, text } = await ask(deployments, '/api/v1/chat/completions', body(), refuse(400, refusal));
  assert.equal(status, 400);
  assert.equal(text, JSON.stringify(refusal));
});

test('and is translated with Azure’s words', async () => {
  const { status, text } = await ask(deployments, '/v1/messages', body(), refuse(400, refusal));
  assert.equal(status, 400);
  const { error } = JSON.parse(text) as { error: { type: string; message: string } };
  assert.equal(error.type, 'invalid_request_error');
  assert.match(error.message, /content management policy/);
});

for (const [what, status, error, expected] of [
  [
    'a wrong key',
    401,
    { code: '401', message: `Access denied due to invalid subscription key ${KEY}` },
    [502, 'upstream_credential_rejected'],
  ],
  [
    'a deployment that does not exist',
    404,
    { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' },
    [404, 'model_not_found'],
  ],
  [
    'a limit',
    429,
    { code: '429', message: 'Requests have exceeded the call rate limit.' },
    [429, 'upstream_rate_limited'],
  ],
] as const)
  test(`${what} is understood, and the key is not repeated`, async () => {
    const { status: got, text } = await ask(deployments, '/api/v1/chat/completions', body(), refuse(status, { error }));
    assert.deepEqual([got, errorCode(JSON.parse(text))], expected);
    assert.ok(!text.includes(KEY));
  });
