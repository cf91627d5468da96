/** Goal: a scrape shows what was counted. Method: count, scrape, read the lines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FinishedCall } from './call-tallies.ts';
import { Metrics } from './metrics.ts';

test('calls are counted by target and ending; tokens and cost by provider and model', async () => {
  const lines = await scrape((metrics) => {
    metrics.callFinished(call());
    metrics.callFinished(call({ ending: 'caller_left', outputTokens: 0, costUsd: 0.25 }));
    metrics.callFinished(call({ dialect: 'anthropic-messages' }));
    metrics.callFinished(call({ provider: 'other', inputTokens: 5 }));
  });
  assert.deepEqual(starting(lines, 'turnpike_calls_total'), [
    'turnpike_calls_total{dialect="openai-chat",provider="acme",model="acme/large",ending="complete"} 1',
    'turnpike_calls_total{dialect="openai-chat",provider="acme",model="acme/large",ending="caller_left"} 1',
    'turnpike_calls_total{dialect="anthropic-messages",provider="acme",model="acme/large",ending="complete"} 1',
    'turnpike_calls_total{dialect="openai-chat",provider="other",model="acme/large",ending="complete"} 1',
  ]);
  assert.deepEqual(starting(lines, 'turnpike_tokens_total'), [
    'turnpike_tokens_total{direction="input",provider="acme",model="acme/large"} 30',
    'turnpike_tokens_total{direction="input",provider="other",model="acme/large"} 5',
    'turnpike_tokens_total{direction="output",provider="acme",model="acme/large"} 40',
    'turnpike_tokens_total{direction="output",provider="other",model="acme/large"} 20',
  ]);
  assert.deepEqual(starting(lines, 'turnpike_cost_usd_total'), [
    'turnpike_cost_usd_total{provider="acme",model="acme/large"} 1.25',
    'turnpike_cost_usd_total{provider="other",model="acme/large"} 0.5',
  ]);
});

test('a bucket counts everything up to its bound, the bound included', async () => {
  const lines = await scrape((metrics) => {
    for (const durationMs of [0, 5, 5.1, 10, 599_999, 600_000, 600_001]) metrics.callFinished(call({ durationMs }));
  });
  const bucket = (bound: string) =>
    lines
      .find((line) => line.startsWith(`turnpike_call_duration_seconds_bucket{le="${bound}",`))
      ?.split(' ')
      .at(-1);
  const bounds = ['0.005', '0.01', '0.025', '300', '600', '+Inf'];
  assert.deepEqual(bounds.map(bucket), ['2', '4', '4', '4', '6', '7']);
  const labels = '{dialect="openai-chat",provider="acme",model="acme/large"}';
  assert.ok(lines.includes(`turnpike_call_duration_seconds_count${labels} 7`));
  const sum = lines
    .find((line) => line.startsWith(`turnpike_call_duration_seconds_sum${labels} `))
    ?.split(' ')
    .at(-1);
  assert.equal(Number(sum).toFixed(4), '1800.0201');
});

test('a call without a first byte is in no bucket of the first-byte histogram', async () => {
  const lines = await scrape((metrics) => metrics.callFinished(call({ firstByteMs: null })));
  assert.deepEqual(starting(lines, 'turnpike_first_byte_seconds'), []);
  assert.ok(lines.includes('# TYPE turnpike_first_byte_seconds histogram'));
});

test('errors and alerts are counted independently of calls', async () => {
  const lines = await scrape((metrics) => {
    for (const code of ['not_found', 'not_found', 'invalid_api_key']) metrics.errorAnswered('openai-chat', code);
    metrics.errorAnswered('none', 'not_found');
    metrics.alert('usage_invalid');
    for (const provider of ['acme', 'acme', 'other']) metrics.providerAlert('provider_dead', provider);
  });
  assert.deepEqual(starting(lines, 'turnpike_errors_total'), [
    'turnpike_errors_total{dialect="openai-chat",code="not_found"} 2',
    'turnpike_errors_total{dialect="openai-chat",code="invalid_api_key"} 1',
    'turnpike_errors_total{dialect="none",code="not_found"} 1',
  ]);
  assert.deepEqual(starting(lines, 'turnpike_alerts_total'), [
    'turnpike_alerts_total{kind="usage_invalid"} 1',
    'turnpike_alerts_total{kind="provider_dead",provider="acme"} 2',
    'turnpike_alerts_total{kind="provider_dead",provider="other"} 1',
  ]);
  assert.deepEqual(starting(lines, 'turnpike_calls_total'), []);
});

test('a name with quotes, backslashes and line ends is escaped in its label', async () => {
  const lines = await scrape((metrics) => metrics.callFinished(call({ model: 'a"b\\c\nd' })));
  assert.deepEqual(starting(lines, 'turnpike_cost_usd_total'), [
    'turnpike_cost_usd_total{provider="acme",model="a\\"b\\\\c\\nd"} 0.5',
  ]);
});

test('gauges are read at each scrape, and the text is well formed to its end', async () => {
  const shed = new Map([['in_flight', 5]]);
  const running = {
    count: 3,
    max: 64,
    arriving: 2,
    waiting: 1,
    load: { view: { admittedPart: 0.5, memoryUse: 0.25, shed } },
  };
  const metrics = new Metrics({
    running,
    upstream: { connections: () => new Map([['http://acme', 2]]) },
    memory: { used: 4096, bytesMax: 1 << 30 },
    connections: { open: 7, max: Number.POSITIVE_INFINITY, refused: 2 },
    responseCache: { bytes: 500, recordingBytes: 70, bytesMax: 1000 },
  });
  try {
    assert.match(await metrics.text(), /^turnpike_calls_running 3$/m);
    running.count = 4;
    const text = await metrics.text();
    assert.match(text, /^turnpike_calls_running 4$/m);
    assert.match(text, /^turnpike_calls_running_limit 64$/m);
    assert.match(text, /^turnpike_calls_arriving 2$/m);
    assert.match(text, /^turnpike_calls_waiting 1$/m);
    assert.match(text, /^turnpike_calls_admitted_ratio 0.5$/m);
    assert.match(text, /^turnpike_memory_used_ratio 0.25$/m);
    assert.match(text, /^turnpike_connections_limit \+Inf$/m);
    assert.match(text, /^turnpike_response_cache_bytes 500$/m);
    assert.match(text, /^turnpike_response_cache_recording_bytes 70$/m);
    assert.match(text, /^turnpike_response_cache_limit_bytes 1000$/m);
    assert.match(text, /^turnpike_shed_total\{shortage="in_flight"\} 5$/m);
    assert.match(text, /^turnpike_connections 7$/m);
    assert.match(text, /^turnpike_connections_refused_total 2$/m);
    assert.match(text, /^turnpike_upstream_connections\{origin="http:\/\/acme"\} 2$/m);
    assert.match(text, /^turnpike_body_memory_bytes 4096$/m);
    assert.match(text, /^turnpike_body_memory_limit_bytes 1073741824$/m);
    assert.match(metrics.contentType, /^text\/plain/);
    for (const line of text.split('\n')) assert.match(line, /^(?:|# (?:HELP|TYPE) .+|turnpike_\w+(?:\{.*\})? \S+)$/);
    assert.ok(text.endsWith('\n') && !text.endsWith('\n\n'));
  } finally {
    metrics.close();
  }
});

test('each model at a provider has its pace, and whether it rests', async () => {
  const pace = { firstTokenMs: 250, firstTokenP95Ms: 900, tokensPerSecond: 80 };
  const target = { provider: 'acme', model: 'acme/large' };
  const lines = await scrape((metrics) => {
    metrics.showTargets(() => [
      { ...target, pace, isResting: true },
      { ...target, model: 'acme/small', pace: null, isResting: false },
    ]);
  });
  assert.deepEqual(
    ['turnpike_first_token', 'turnpike_output_tokens_per', 'turnpike_provider_resting'].flatMap((name) =>
      starting(lines, name),
    ),
    [
      'turnpike_first_token_seconds{provider="acme",model="acme/large",quantile="0.5"} 0.25',
      'turnpike_first_token_seconds{provider="acme",model="acme/large",quantile="0.95"} 0.9',
      'turnpike_output_tokens_per_second{provider="acme",model="acme/large"} 80',
      'turnpike_provider_resting{provider="acme",model="acme/large"} 1',
      'turnpike_provider_resting{provider="acme",model="acme/small"} 0',
    ],
  );
});

async function scrape(count: (metrics: Metrics) => void): Promise<string[]> {
  const metrics = new Metrics({
    running: {
      count: 0,
      max: 1,
      arriving: 0,
      waiting: 0,
      load: { view: { admittedPart: 1, memoryUse: 0, shed: new Map() } },
    },
    upstream: { connections: () => new Map() },
    memory: { used: 0, bytesMax: 1 },
    connections: { open: 0, max: 1, refused: 0 },
    responseCache: { bytes: 0, recordingBytes: 0, bytesMax: 1 },
  });
  try {
    count(metrics);
    return (await metrics.text()).split('\n');
  } finally {
    metrics.close();
  }
}

function starting(lines: readonly string[], name: string): string[] {
  return lines.filter((line) => line.startsWith(name));
}

function call(changes: Partial<FinishedCall> = {}): FinishedCall {
  return {
    dialect: 'openai-chat',
    provider: 'acme',
    model: 'acme/large',
    ending: 'complete',
    status: 200,
    errorCode: null,
    durationMs: 12,
    firstByteMs: 8,
    inputTokens: 10,
    outputTokens: 20,
    costUsd: 0.5,
    ...changes,
  };
}
