/**
 * Goal: a stream that fails in its middle is an error to every client, whichever lane it came by, and never a good end. Method: the
 * packages themselves against strict providers that fail or break off; each client looks for the error in a place of its own.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OpenRouter } from '@openrouter/sdk';
import OpenAI from 'openai';
import { errorCode } from '../support/open-gateway.ts';
import { CLAUDE, GPT, openTranslateBench, type TranslateBench } from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

/** Of Vercel's packages what is used here; the names are kept from the compiler, which would read all their types. */
interface LanguageModel {
  doStream(options: { readonly prompt: readonly object[] }): Promise<{ readonly stream: AsyncIterable<StreamPart> }>;
}
interface StreamPart {
  readonly type: string;
  readonly finishReason?: { readonly unified: string };
}
interface VercelPackage {
  createOpenAI(options: object): { chat(model: string): LanguageModel };
  createOpenAICompatible(options: object): { chatModel(model: string): LanguageModel };
}
const vercel = async (name: string) => (await import(`@ai-sdk/${name}`)) as VercelPackage;
const options = () => ({ name: 'turnpike', baseURL: `${bench.url}/api/v1`, apiKey: bench.key });

const CASES = [
  { lane: 'translated', model: CLAUDE, prompt: 'fail-in-stream', status: 503, code: 'upstream_overloaded' },
  { lane: 'translated', model: CLAUDE, prompt: 'cut', status: 502, code: 'bad_gateway' },
  { lane: 'relayed', model: GPT, prompt: 'cut', status: 502, code: 'bad_gateway' },
] as const;

for (const { lane, model, prompt, status, code } of CASES) {
  describe(`a ${lane} stream that ends on "${prompt}"`, () => {
    const messages = [{ role: 'user' as const, content: prompt }];

    test('raises in openai, with the status as code', async () => {
      const stream = await bench.openai.chat.completions.create({ model, messages, stream: true });
      const error = await Array.fromAsync(stream).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof OpenAI.APIError);
      assert.equal(error.code, status);
      assert.equal(errorCode({ error: error.error }), code);
    });

    test('is told in @openrouter/sdk by a chunk that passes its validation', async () => {
      const client = new OpenRouter({
        serverURL: `${bench.url}/api/v1`,
        apiKey: bench.key,
        retryConfig: { strategy: 'none' },
      });
      const stream = await client.chat.send({ chatRequest: { model, messages, stream: true } });
      assert.ok(Symbol.asyncIterator in stream);
      const told: unknown[] = [];
      // What follows it has no choices, which this package refuses.
      await assert.rejects(async () => {
        for await (const { error } of stream)
          if (error !== undefined) told.push([error.code, error.metadata?.errorType]);
      });
      assert.deepEqual(told, [[status, code]]);
    });

    const makers: readonly (readonly [string, () => Promise<LanguageModel>])[] = [
      ['openai', async () => (await vercel('openai')).createOpenAI(options()).chat(model)],
      [
        'openai-compatible',
        async () => (await vercel('openai-compatible')).createOpenAICompatible(options()).chatModel(model),
      ],
    ];
    for (const [name, make] of makers) {
      test(`is an error in @ai-sdk/${name}`, async () => {
        const { stream } = await (await make()).doStream({
          prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
        });
        const parts = await Array.fromAsync(stream);
        assert.ok(parts.some(({ type }) => type === 'error'));
        assert.equal(parts.at(-1)?.finishReason?.unified, 'error');
      });
    }
  });
}
