/**
 * Goal: OpenAI's package gets completions through the gateway as from OpenAI, whole and as streams, and exactly what was made is charged: by the
 * provider's count, otherwise by what was delivered. Method: the official package against a provider as strict as OpenAI, and the demo, which
 * also fails on request.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import OpenAI from 'openai';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { TOKENS_OF_ANSWER, TOKENS_OF_PROMPT, WRITTEN } from '../support/operations/completions.ts';
import { type OperationsBench, openOperationsBench } from '../support/operations/operations-bench.ts';

let bench: OperationsBench;
let demo: OpenGateway;
before(async () => {
  const prices = { input: 1, output: 5 };
  bench = await openOperationsBench([
    { id: 'strict/writer', upstream: 'writer', prices, contextWindow: 1000, outputCap: 100 },
    { id: 'strict/uncapped', upstream: 'uncapped', prices, contextWindow: 1000 },
    { id: 'strict/missing', upstream: 'missing', prices },
  ]);
  demo = await openGateway({ demo: true });
});
after(async () => {
  await bench.close();
  await demo.close();
});

const MODEL = 'strict/writer';
const NANO = { input: 1_000n, output: 5_000n };

function charged(): { charge: bigint; hold: bigint; usage: unknown; source: string | undefined } {
  const record = bench.records.at(-1);
  const { charge = 0n, hold = 0n, usage, usageSource } = record ?? {};
  assert.ok((charge ?? 0n) <= (hold ?? 0n), `${charge} of ${hold}`);
  assert.equal(record?.operation, 'completions');
  return {
    charge: charge ?? 0n,
    hold: hold ?? 0n,
    usage: [usage?.inputTokens, usage?.outputTokens],
    source: usageSource,
  };
}

test('each prompt, text or tokens, is answered as often as asked, with the caller’s model, and all of it is charged', async () => {
  for (const [asked, prompts, answers] of [
    [{ prompt: 'one' }, 1, 1],
    [{ prompt: ['one', 'two'], n: 3, max_tokens: 20 }, 2, 6],
    [{ prompt: [1, 2, 3], n: 2 }, 1, 2],
    [{ prompt: [[1, 2], [3]], suffix: 'end' }, 2, 2],
    [{ prompt: 'one', n: 2, best_of: 5 }, 1, 5],
  ] as const) {
    const answer = await bench.openai.completions.create({ model: MODEL, ...(asked as unknown as { prompt: string }) });
    const shown = 'best_of' in asked ? asked.n : answers;
    assert.deepEqual(
      answer.choices.map(({ text, index, finish_reason }) => [text, index, finish_reason]),
      Array.from({ length: shown }, (_, index) => [WRITTEN, index, 'stop']),
    );
    assert.equal(answer.model, MODEL);
    assert.deepEqual(bench.strict.last().body, { model: 'writer', ...asked });
    const tokens = [TOKENS_OF_PROMPT * prompts, TOKENS_OF_ANSWER * answers] as const;
    const { charge, usage, source } = charged();
    assert.deepEqual([usage, source], [tokens, 'reported']);
    assert.equal(charge, BigInt(tokens[0]) * NANO.input + BigInt(tokens[1]) * NANO.output);
  }
});

test('every field of the format reaches the provider as it was sent', async () => {
  const sent = {
    ...{ model: MODEL, prompt: 'one', suffix: ' end', max_tokens: 9, n: 1, best_of: 1, echo: true, logprobs: 2 },
    ...{ stop: ['\n'], temperature: 0.5, top_p: 1, frequency_penalty: 0, presence_penalty: 0, seed: 7, user: 'me' },
    logit_bias: { '50256': -100 },
  };
  const response = await bench.post('/v1/completions', { ...sent, provider: { order: ['strict'] } });
  const answer = (await response.json()) as { choices: { logprobs: object }[]; usage: { cost: number } };
  assert.deepEqual(bench.strict.last().body, { ...sent, model: 'writer' });
  assert.ok(answer.choices[0]?.logprobs);
  assert.equal(answer.usage.cost, 0.000025);
});

test('a stream has every text, and its usage whether or not the caller asked for it', async () => {
  for (const [options, wantsUsage] of [
    [{}, false],
    [{ stream_options: { include_usage: true } }, true],
  ] as const) {
    const asked = { model: MODEL, prompt: ['one', 'two'], n: 2, stream: true as const, ...options };
    const texts = ['', '', '', ''];
    let usages = 0;
    for await (const { choices, model, usage } of await bench.openai.completions.create(asked)) {
      assert.equal(model, MODEL);
      for (const { index, text } of choices) texts[index] += text;
      if (!wantsUsage) assert.equal(typeof choices[0]?.text, 'string');
      if (usage) usages += 1;
    }
    assert.deepEqual(texts, Array(4).fill(WRITTEN));
    assert.equal(usages, 1);
    assert.deepEqual(bench.strict.last().body['stream_options'], { include_usage: true });
    const { usage, source } = charged();
    assert.deepEqual([usage, source], [[2 * TOKENS_OF_PROMPT, 4 * TOKENS_OF_ANSWER], 'reported']);
  }
});

test('if the provider counts nothing, what was delivered is counted, without the prompt that it repeats', async () => {
  const output = async (more: object) => {
    const sent = { model: MODEL, prompt: 'word '.repeat(40), user: 'uncounted', ...more };
    await (await bench.post('/v1/completions', sent)).text();
    const { usage, source } = charged();
    assert.equal(source, 'estimated');
    return usage as readonly [number, number];
  };
  const [prompt, plain] = await output({});
  assert.ok(prompt > 40 && plain >= 4 && plain <= 6, `${prompt}, ${plain}`);
  assert.deepEqual(await output({ stream: true }), [prompt, plain]);
  const [, echoed] = await output({ echo: true });
  assert.ok(echoed <= plain, String(echoed));
  assert.deepEqual(await output({ n: 3 }), [prompt, Math.ceil((3 * WRITTEN.length) / 4.3)]);
});

test('a prompt that is only measured, with an echo and no output, is charged as a prompt', async () => {
  for (const prompt of ['one two three', [1, 2, 3]]) {
    const sent = { model: MODEL, prompt, echo: true, max_tokens: 0, logprobs: 1 };
    const answer = (await (await bench.post('/v1/completions', sent)).json()) as { choices: { text: string }[] };
    assert.equal(answer.choices[0]?.text, typeof prompt === 'string' ? prompt : 'words of tokens');
    assert.deepEqual(charged(), {
      ...{ charge: BigInt(TOKENS_OF_PROMPT) * NANO.input, hold: bench.records.at(-1)?.hold ?? 0n },
      ...{ usage: [TOKENS_OF_PROMPT, 0], source: 'reported' },
    });
  }
});

test('what is held is what is sent: a cap for a model whose own is unknown, and none for others', async () => {
  for (const [model, cap] of [
    ['strict/uncapped', 250],
    [MODEL, undefined],
  ] as const) {
    await (await bench.post('/v1/completions', { model, prompt: 'one' })).text();
    assert.equal(bench.strict.last().body['max_tokens'], cap);
  }
});

test('no answer to any honest request costs more than was held for it', async () => {
  const asked = fc.record(
    {
      prompt: fc.oneof(
        fc.string({ maxLength: 30 }),
        fc.array(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(90_000), { minLength: 1, maxLength: 9 }),
        fc.array(fc.array(fc.nat(90_000), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      ),
      suffix: fc.string({ maxLength: 30 }),
      n: fc.integer({ min: 1, max: 4 }),
      best_of: fc.integer({ min: 0, max: 6 }),
      max_tokens: fc.integer({ min: TOKENS_OF_ANSWER, max: 40 }),
      echo: fc.boolean(),
      user: fc.constantFrom('uncounted', 'me'),
    },
    { requiredKeys: ['prompt', 'max_tokens'] },
  );
  await fc.assert(
    fc.asyncProperty(asked, async (fields) => {
      const response = await bench.post('/v1/completions', { model: MODEL, ...fields });
      assert.equal(response.status, 200, await response.clone().text());
      await response.text();
      const { charge, hold } = charged();
      // The provider's count of the answers fits the hold without the prompt's part.
      const [, output] = charged().usage as readonly [number, number];
      assert.ok(BigInt(output) * NANO.output <= hold && charge > 0n);
      assert.equal(bench.records.at(-1)?.variance, 0n);
    }),
    { numRuns: 60 },
  );
});

test('what asks for more than it says is refused before a provider is asked', async () => {
  const { length } = bench.strict.requests;
  for (const [body, param] of [
    [{ prompt: [] }, 'prompt'],
    [{ prompt: 'a', max_completion_tokens: 7 }, 'max_completion_tokens'],
    [{ prompt: 'a', best_of: 3, stream: true }, 'best_of'],
    [{ prompt: 'a', api_base: 'http://127.0.0.1:9' }, 'api_base'],
    [{ prompt: 'a', service_tier: 'priority' }, 'service_tier'],
  ] as const) {
    const response = await bench.post('/v1/completions', { model: MODEL, ...body });
    assert.equal(response.status, 400, JSON.stringify(body));
    assert.equal(((await response.json()) as { error: { param: string } }).error.param, param);
  }
  assert.equal(bench.strict.requests.length, length);
});

test('a refusal of the provider is the package’s error, and nothing is charged', async () => {
  await assert.rejects(
    () => bench.openai.completions.create({ model: 'strict/missing', prompt: 'x' }),
    (error) => error instanceof OpenAI.APIError && error.status === 404,
  );
  assert.equal(bench.records.at(-1)?.charge ?? 0n, 0n);
});

test('a model that the provider has in another format only is a clear 400', async () => {
  const gateway = await openGateway({
    providers: [
      {
        ...{ name: 'messages', kind: 'anthropic', origin: 'http://127.0.0.1:9', credential: 'x' },
        models: [{ id: 'm/only', upstream: 'm', prices: 'free' }],
      },
    ],
  });
  try {
    const response = await gateway.post('/v1/completions', { model: 'm/only', prompt: 'x', max_tokens: 5 });
    const { error } = (await response.json()) as { error: { message: string; param: string } };
    assert.deepEqual([response.status, error.param], [400, 'model']);
    assert.match(error.message, /completions requests/);
  } finally {
    await gateway.close();
  }
});

test('the demo goes on with each prompt, and a stream of it ends as a conversation’s would, whatever happens', async () => {
  const openai = new OpenAI({ baseURL: `${demo.url}/api/v1`, apiKey: demo.key, maxRetries: 0 });
  const { choices } = await openai.completions.create({ model: 'demo/echo', prompt: ['a b', 'c'], n: 2, echo: true });
  assert.deepEqual(
    choices.map(({ text }) => text),
    ['a ba b', 'a ba b', 'cc', 'cc'],
  );
  for (const [word, ending, charge] of [
    ['', 'complete', 4n * 1_000n + 4n * 5_000n],
    ['cut', 'upstream_failed', 0n],
    ['truncate', 'upstream_failed', 0n],
    ['garbage', 'upstream_failed', 0n],
    ['error-in-stream', 'upstream_failed', 0n],
    ['no-usage', 'complete', null],
    ['bad-usage', 'complete', null],
    ['empty', 'empty', 0n],
    ['400', 'refused_upstream', 0n],
  ] as const) {
    const ended = demo.nextRecord();
    const sent = { model: 'demo/flaky', prompt: `${word} one two three four`.trim(), stream: true };
    await (await demo.post('/api/v1/completions', sent)).text().catch(() => '');
    const record = await ended;
    assert.equal(record.ending, ending, word);
    if (charge !== null) assert.equal(record.charge ?? 0n, charge, word);
    else assert.ok((record.charge ?? 0n) > 0n && record.usageSource === 'estimated', word);
  }
});

test('a caller that leaves a stream is charged for what it got', async () => {
  const ended = demo.nextRecord();
  const leaving = new AbortController();
  const response = await fetch(`${demo.url}/api/v1/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo/flaky', prompt: 'stall after=2 three four', stream: true }),
    signal: leaving.signal,
  });
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes('after')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
  leaving.abort();
  const record = await ended;
  assert.deepEqual([record.ending, record.usageSource], ['caller_left', 'estimated']);
  assert.ok(record.usage.outputTokens >= 1 && record.usage.outputTokens <= 2);
  assert.ok((record.charge ?? 0n) > 0n);
});
