/**
 * Goal: a stream that fails in its middle is an error to every client, in either lane, and never a normal end. Method: the
 * packages themselves against strict providers that fail or break off; each client looks for the error in a different place.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenRouter } from '@openrouter/sdk';
import OpenAI from 'openai';
import {
  errorCode,
  OPEN_MODEL,
  type OpenBench,
  type OpenGateway,
  openBench,
  openGateway,
  scriptedProvider,
} from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { CLAUDE, GPT, openTranslateBench, type TranslateBench } from '../support/translate-bench.ts';
import { openaiFrames, stream } from '../support/upstream-scripts.ts';

let bench: TranslateBench;
/** With a provider that behaves like OpenRouter, and a gateway whose provider is that gateway. */
let near: OpenBench;
let far: OpenGateway;
before(async () => {
  bench = await openTranslateBench();
  near = await openBench();
  const provider = { ...scriptedProvider('second', near.url), credential: near.key };
  far = await openGateway({
    providers: [
      {
        ...provider,
        dialects: ['openai-chat'],
        chatPaths: { 'openai-chat': '/api/v1/chat/completions' },
        models: [{ id: OPEN_MODEL, upstream: OPEN_MODEL, prices: { input: 1, output: 5 }, outputCap: 1000 }],
      },
    ],
  });
});
after(async () => {
  await bench.close();
  await far.close();
  await near.close();
});

/** A provider's error as OpenRouter reports it: https://openrouter.ai/docs/api-reference/streaming */
const said = { code: 503, message: 'The harbour is closed.', metadata: { error_type: 'upstream_overloaded' } };
const saysError = (form: 'chunk' | 'choice'): Script => {
  const head = { id: 'gen-1', object: 'chat.completion.chunk', created: 1, model: 'scripted-1', provider: 'Harbour' };
  const choice = { index: 0, delta: { content: '' }, finish_reason: 'error' };
  const forms = {
    chunk: { ...head, error: said, choices: [choice] },
    choice: { ...head, choices: [{ ...choice, error: said }] },
  };
  return stream([...openaiFrames(['Hi']).slice(0, 2), `data: ${JSON.stringify(forms[form])}\n\n`, 'data: [DONE]\n\n']);
};

interface Case {
  readonly lane: string;
  readonly gateway: () => Pick<OpenGateway, 'url' | 'key'>;
  readonly model: string;
  readonly prompt: string;
  readonly script?: Script;
  readonly status: number;
  readonly code: string;
}

const strict = { gateway: () => bench };
const FAILED = { status: 502, code: 'bad_gateway' };
const CLOSED = { status: 503, code: 'upstream_overloaded' };
const CASES: readonly Case[] = [
  { ...strict, ...CLOSED, lane: 'translated', model: CLAUDE, prompt: 'fail-in-stream' },
  { ...strict, ...FAILED, lane: 'translated', model: CLAUDE, prompt: 'cut' },
  { ...strict, ...FAILED, lane: 'relayed', model: GPT, prompt: 'cut' },
  ...[() => near, () => far].flatMap((gateway, index): Case[] => {
    const lane = index === 0 ? 'relayed' : 'twice relayed';
    const common = { gateway, lane, model: OPEN_MODEL };
    return [
      { ...common, ...CLOSED, prompt: 'an error in a chunk', script: saysError('chunk') },
      { ...common, ...FAILED, prompt: 'an error in a choice', script: saysError('choice') },
      { ...common, ...FAILED, prompt: 'nothing', script: stream(openaiFrames(['Hi']).slice(0, 2)) },
    ];
  }),
];

interface Options {
  readonly name: string;
  readonly baseURL: string;
  readonly apiKey: string;
}

const VERCEL = [
  ['openai', (options: Options, model: string) => createOpenAI(options).chat(model)],
  ['openai-compatible', (options: Options, model: string) => createOpenAICompatible(options).chatModel(model)],
] as const;

for (const { lane, gateway, model, prompt, script, status, code } of CASES) {
  describe(`a ${lane} stream that ends on "${prompt}"`, () => {
    const messages = [{ role: 'user' as const, content: prompt }];
    before(() => {
      if (script !== undefined) near.upstream.play(script);
    });
    const options = () => ({ name: 'turnpike', baseURL: `${gateway().url}/api/v1`, apiKey: gateway().key });

    test('raises in openai, with the status as code', async () => {
      const stream = await new OpenAI(options()).chat.completions.create({ model, messages, stream: true });
      const error = await Array.fromAsync(stream).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof OpenAI.APIError);
      assert.equal(error.code, status);
      assert.equal(errorCode({ error: error.error }), code);
    });

    test('is reported in @openrouter/sdk by a chunk that passes its validation', async () => {
      const client = new OpenRouter({
        serverURL: options().baseURL,
        apiKey: options().apiKey,
        retryConfig: { strategy: 'none' },
      });
      const stream = await client.chat.send({ chatRequest: { model, messages, stream: true } });
      assert.ok(Symbol.asyncIterator in stream);
      const errors: unknown[] = [];
      // What follows it has no choices, which this package refuses.
      await assert.rejects(async () => {
        for await (const { error } of stream)
          if (error !== undefined) errors.push([error.code, error.metadata?.errorType]);
      });
      assert.deepEqual(errors, [[status, code]]);
    });

    for (const [name, make] of VERCEL) {
      test(`is an error in @ai-sdk/${name}`, async () => {
        const { stream } = await make(options(), model).doStream({
          prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
        });
        const parts = await Array.fromAsync(stream);
        assert.ok(parts.some(({ type }) => type === 'error'));
        const last = parts.at(-1);
        assert.ok(last?.type === 'finish');
        assert.equal(last.finishReason.unified, 'error');
      });
    }
  });
}
