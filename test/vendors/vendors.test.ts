/**
 * Goal: every built-in vendor is called as its own documentation says, and its usage is charged to the token. Method: one gateway with all of
 * them, each with a credential of its own, over one stand-in on loopback that answers in the shape of whoever the credential belongs to; the
 * table has what is expected.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ProviderKind, providerKinds } from '../../src/providers/index.ts';
import type { ProviderDeclaration } from '../../src/providers/provider.ts';
import type { CallRecord } from '../../src/stats/record.ts';
import { headerOf } from '../support/http-reader.ts';
import { eventsOf, type OpenBench, openBenchWith } from '../support/open-gateway.ts';
import { type Exchange, startScriptedUpstream } from '../support/scripted-upstream.ts';
import {
  answerChat,
  answerCompletion,
  answerEmbeddings,
  answerImages,
  answerMessages,
  answerModeration,
  answerRerank,
  answerSpeech,
  SOUND,
  TEXT,
  THOUGHT,
} from './vendor-answers.ts';
import { type Counts, type ElsewhereTested, VENDORS, type VendorRow, type WholeRow } from './vendor-table.ts';

const ROWS: readonly (readonly [kind: string, row: VendorRow])[] = Object.entries(VENDORS);
const ELSEWHERE: readonly ElsewhereTested[] = ['anthropic', 'google', 'azure', 'bedrock', 'vertex', 'custom', 'demo'];

/** Operations whose bodies are no JSON: `test/operations` calls them. */
const OTHERS_TESTED: ReadonlySet<string> = new Set(['image_edits', 'transcriptions', 'translations']);

/** US dollars per million tokens. */
const PRICES = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 2 };
const NANO_PER_TOKEN = { input: 1000n, output: 5000n, cached: 100n, written: 2000n };

let bench: OpenBench;
before(async () => {
  const upstream = await startScriptedUpstream(answer);
  const providers = ROWS.map(([kind, { fields, embeddings, images, moderations, rerank, speech }]) => ({
    name: kind,
    origin: upstream.origin,
    credential: credentialOf(kind),
    ...fields,
    models: [
      { id: modelOf(kind), upstream: 'some-model', prices: PRICES, outputCap: 8192, contextWindow: 32_768 },
      ...purposed(embeddings, { id: vectorsOf(kind), upstream: 'some-vectors', outputModalities: ['embeddings'] }),
      ...purposed(images, { id: painterOf(kind), upstream: 'some-painter', outputModalities: ['image'] }),
      ...purposed(speech, { id: speakerOf(kind), upstream: 'some-speaker', outputModalities: ['audio'] }),
      ...purposed(moderations, { id: judgeOf(kind), upstream: 'some-judge', outputModalities: ['moderation'] }),
      ...purposed(rerank, { id: rerankerOf(kind), upstream: 'some-reranker', outputModalities: ['rerank'] }),
    ],
  }));
  bench = await openBenchWith(upstream, { providers });
});
after(() => bench.close());

test('every kind has a row, or a test elsewhere', () => {
  assert.deepEqual([...ROWS.map(([kind]) => kind), ...ELSEWHERE].sort(), Object.keys(providerKinds).sort());
});

test('every operation that a kind declares has its row, and no other', () => {
  for (const [kind, { completions, embeddings, images, moderations, rerank, speech, fields = {} }] of ROWS) {
    const { operations = {} }: ProviderDeclaration = providerKinds[kind as ProviderKind];
    const rows = Object.entries({ completions, embeddings, images, moderations, rerank, speech }).flatMap(
      ([name, row]) => (row === undefined ? [] : [[name, row.path]]),
    );
    const paths = Object.entries(operations).flatMap(([name, path]) =>
      OTHERS_TESTED.has(name) ? [] : [[name, path.replace(/\{(\w+)\}/g, (_, field: string) => fields[field] ?? '')]],
    );
    assert.deepEqual(Object.fromEntries(paths), Object.fromEntries(rows), kind);
  }
});

test('a kind is listed with the address of what it has', async () => {
  const listed = new Map(bench.app.providers.list().map((provider) => [provider.name, provider]));
  for (const [kind, { chat, embeddings, speech, transcriptions }] of ROWS) {
    const { callsTo = [], problem } = listed.get(kind) ?? {};
    assert.equal(problem, null, kind);
    const path = (chat ?? embeddings ?? speech ?? transcriptions)?.path ?? '';
    assert.ok(callsTo.includes(bench.upstream.origin + path), `${kind}: ${callsTo}`);
  }
});

for (const [kind, { chat, messages, completions, embeddings, images, moderations, rerank, speech }] of ROWS) {
  describe(kind, () => {
    for (const stream of chat === null ? [] : [false, true])
      test(`a ${stream ? 'streamed' : 'whole'} conversation has its path, its cap and its charge`, async () => {
        assert(chat !== null);
        const { exchange, record, text } = await call('/api/v1/chat/completions', {
          ...{ model: modelOf(kind), stream, messages: [{ role: 'user', content: 'hi' }] },
          // Under the name that this vendor does not have, where it has one alone.
          [chat.cap === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens']: 99,
        });
        assertSent(exchange, chat.path, 'authorization', `Bearer ${credentialOf(kind)}`);
        const { max_tokens: old, max_completion_tokens: renamed, model } = exchange.json;
        assert.equal(model, 'some-model');
        const isEither = obeysBoth(kind);
        if (!isEither) assert.deepEqual(chat.cap === 'max_tokens' ? [old, renamed] : [renamed, old], [99, undefined]);
        else
          assert.deepEqual(
            [old, renamed].filter((cap) => cap !== undefined),
            [99],
          );
        const said = stream ? streamedText(text) : wholeText(text);
        assert.equal(said.content, TEXT);
        if (chat.thoughts !== undefined) assert.equal(said[chat.thoughts], THOUGHT);
        assertCharged(record, chat.counts);
      });

    if (chat !== null)
      test('a translated conversation is capped by the name that it obeys', async () => {
        const { exchange, text } = await call('/v1/messages', {
          ...{ model: modelOf(kind), max_tokens: 99, messages: [{ role: 'user', content: 'hi' }] },
        });
        if (messages === undefined && kind !== 'openai') {
          assertSent(exchange, chat.path, 'authorization', `Bearer ${credentialOf(kind)}`);
          const names = Object.keys(exchange.json).filter((name) => /^max_/.test(name));
          assert.equal(names.length, 1);
          if (!obeysBoth(kind)) assert.deepEqual(names, [chat.cap]);
        } else if (messages !== undefined) {
          const value = messages.header === 'x-api-key' ? credentialOf(kind) : `Bearer ${credentialOf(kind)}`;
          assertSent(exchange, messages.path, messages.header, value);
        }
        const { content } = JSON.parse(text) as { content: { type: string; text?: string }[] };
        assert.equal(content.find(({ type }) => type === 'text')?.text, TEXT);
      });

    if (embeddings !== undefined)
      test('vectors have their path and their charge', async () => {
        const { exchange, record, text } = await call('/api/v1/embeddings', { model: vectorsOf(kind), input: 'hi' });
        assertSent(exchange, embeddings.path, 'authorization', `Bearer ${credentialOf(kind)}`);
        assert.equal(exchange.json['model'], 'some-vectors');
        assert.deepEqual((JSON.parse(text) as { data: { embedding: number[] }[] }).data[0]?.embedding, [0.25, -0.5]);
        assertCharged(record, { input: embeddings.tokens, output: 0 });
      });

    for (const stream of completions === undefined ? [] : [false, true])
      test(`a ${stream ? 'streamed' : 'whole'} text has its path, its cap and its charge`, async () => {
        assert(completions !== undefined);
        const asked = { model: modelOf(kind), stream, prompt: 'hi', max_tokens: 99 };
        const { exchange, record, text } = await call('/api/v1/completions', asked);
        assertSent(exchange, completions.path, 'authorization', `Bearer ${credentialOf(kind)}`);
        assert.deepEqual([exchange.json['model'], exchange.json['max_tokens']], ['some-model', 99]);
        assert.equal(completedText(text, stream), TEXT);
        assertCharged(record, completions.counts);
      });

    if (images !== undefined)
      test('images have their path and their charge', async () => {
        const asked = { model: painterOf(kind), prompt: 'hi' };
        const { exchange, record, text } = await call('/api/v1/images/generations', asked);
        assertSent(exchange, images.path, 'authorization', `Bearer ${credentialOf(kind)}`);
        assert.equal(exchange.json['model'], 'some-painter');
        assert.equal((JSON.parse(text) as { data: { b64_json: string }[] }).data[0]?.b64_json, 'aGk=');
        assertWhole(record, images);
      });

    if (speech !== undefined)
      test('speech has its path', async () => {
        const asked = { model: speakerOf(kind), input: 'hi', voice: 'some-voice' };
        const { exchange, record, text } = await call('/api/v1/audio/speech', asked);
        const { path, below = '', header, modelField = 'model' } = speech;
        const credential = header === undefined ? `Bearer ${credentialOf(kind)}` : credentialOf(kind);
        assertSent(exchange, path + below, header ?? 'authorization', credential);
        assert.equal(exchange.json[modelField], 'some-speaker');
        assert.equal(text, SOUND);
        assert.equal(record.ending, 'complete');
      });

    if (moderations !== undefined)
      test('a judgement has its path and its charge', async () => {
        const { exchange, record, text } = await call('/api/v1/moderations', { model: judgeOf(kind), input: 'hi' });
        assertSent(exchange, moderations.path, 'authorization', `Bearer ${credentialOf(kind)}`);
        assert.equal(exchange.json['model'], 'some-judge');
        assert.equal((JSON.parse(text) as { results: { flagged: boolean }[] }).results[0]?.flagged, false);
        assertWhole(record, moderations);
      });

    if (rerank !== undefined)
      test('documents in order have their path and their charge', async () => {
        const asked = { model: rerankerOf(kind), query: 'hi', documents: ['one', 'two'] };
        const { exchange, record, text } = await call('/api/v1/rerank', asked);
        assertSent(exchange, rerank.path, 'authorization', `Bearer ${credentialOf(kind)}`);
        assert.equal(exchange.json['model'], 'some-reranker');
        const order = (JSON.parse(text) as Record<string, { index: number }[]>)[rerank.list];
        assert.deepEqual(
          order?.map(({ index }) => index),
          [1, 0],
        );
        assertWhole(record, rerank);
      });

    if (chat === null)
      test('a conversation is refused in every format, whatever is said of the model', async () => {
        const said = [{ role: 'user', content: 'hi' }];
        const others = [embeddings && vectorsOf(kind), speech && speakerOf(kind)].filter((id) => id !== undefined);
        for (const model of [modelOf(kind), ...others, ...(KNOWN_VECTORS[kind] ?? [])])
          for (const [path, body] of [
            ['/v1/chat/completions', { model, messages: said }],
            ['/v1/messages', { model, messages: said, max_tokens: 9 }],
            ['/v1/responses', { model, input: 'hi' }],
            [`/v1beta/models/${model}:generateContent`, { contents: [{ parts: [{ text: 'hi' }] }] }],
          ] as const) {
            const seen = bench.upstream.exchanges.length;
            const response = await bench.post(path, body);
            assert.equal(response.status, 400, `${model} at ${path}`);
            assert.match(
              await response.text(),
              /no conversation|writes no text|No provider of this model accepts chat requests/,
            );
            assert.equal(bench.upstream.exchanges.length, seen, 'nothing is sent');
          }
      });
  });
}

function answer(exchange: Exchange): Promise<void> {
  const named = ['authorization', 'x-api-key', 'xi-api-key'].map((name) => headerOf(exchange.request, name));
  const sent = named.find((value) => value !== null) ?? '';
  const found = ROWS.find(([kind]) => sent.endsWith(credentialOf(kind)));
  const path = pathOf(exchange);
  const [, row] = found ?? [];
  if (row?.embeddings?.path === path) return answerEmbeddings(exchange, row.embeddings);
  if (row?.completions?.path === path) return answerCompletion(exchange, row.completions);
  if (row?.images?.path === path) return answerImages(exchange, row.images);
  if (row?.speech !== undefined && row.speech.path + (row.speech.below ?? '') === path) return answerSpeech(exchange);
  if (row?.moderations?.path === path) return answerModeration(exchange, row.moderations);
  if (row?.rerank?.path === path) return answerRerank(exchange, row.rerank);
  if (row?.messages?.path === path) return answerMessages(exchange);
  if (row?.chat?.path === path) return answerChat(exchange, row.chat);
  if (path === '/v1/responses') return exchange.whole(200, JSON.stringify(RESPONSE));
  throw new Error(`nothing was scripted for ${path}`);
}

/** Models for vectors that the catalogue has. */
const KNOWN_VECTORS: Readonly<Record<string, readonly string[]>> = {
  voyage: ['voyage/voyage-3.5'],
  perplexity: ['perplexity/pplx-embed-v1-4b'],
};

/** OpenAI's own calls are translated to its other format. */
const RESPONSE = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'some-model' },
  output: [
    {
      ...{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant' },
      content: [{ type: 'output_text', text: TEXT, annotations: [] }],
    },
  ],
  usage: { input_tokens: 12, output_tokens: 7, total_tokens: 19 },
};

async function call(path: string, body: object): Promise<{ exchange: Exchange; record: CallRecord; text: string }> {
  const recorded = bench.nextRecord();
  const seen = bench.upstream.exchanges.length;
  const response = await bench.post(path, body);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const exchange = bench.upstream.exchanges[seen];
  assert(exchange !== undefined, `nothing arrived: ${text}`);
  return { exchange, record: await recorded, text };
}

function assertSent(exchange: Exchange, path: string, header: string, value: string): void {
  assert.equal(pathOf(exchange), path);
  assert.equal(headerOf(exchange.request, header), value);
}

function assertCharged(record: CallRecord, { input, cached = 0, written = 0, output, thoughts = 0 }: Counts): void {
  const { usage } = record;
  assert.deepEqual(
    {
      ...{ input: usage.inputTokens, cached: usage.cacheReadTokens, written: usage.cacheWriteTokens },
      ...{ output: usage.outputTokens, thoughts: usage.reasoningTokens, from: record.usageSource },
    },
    { input, cached, written, output, thoughts, from: 'reported' },
  );
  const nano =
    BigInt(input) * NANO_PER_TOKEN.input +
    BigInt(cached) * NANO_PER_TOKEN.cached +
    BigInt(written) * NANO_PER_TOKEN.written +
    BigInt(output) * NANO_PER_TOKEN.output;
  assert.equal(record.charge, nano);
  assert.equal(record.ending, 'complete');
}

/** Their documentation has both names of the cap. */
function obeysBoth(kind: string): boolean {
  return ['openai', 'openrouter', 'groq', 'xai', 'moonshot', 'fireworks', 'vllm', 'sglang'].includes(kind);
}

interface Said {
  readonly content: string;
  readonly reasoning?: string;
  readonly reasoning_content?: string;
}

function wholeText(text: string): Said {
  const [choice] = (JSON.parse(text) as { choices: { message: Said }[] }).choices;
  assert(choice !== undefined);
  return choice.message;
}

function streamedText(text: string): Said {
  const events = eventsOf(text) as (string | { choices: { delta: Partial<Said> }[] })[];
  assert.equal(events.at(-1), '[DONE]');
  const deltas = events.flatMap((event) => (typeof event === 'string' ? [] : event.choices.map(({ delta }) => delta)));
  const joined = (field: keyof Said) => deltas.map((delta) => delta[field] ?? '').join('');
  return {
    content: joined('content'),
    reasoning: joined('reasoning'),
    reasoning_content: joined('reasoning_content'),
  };
}

function pathOf({ request }: Exchange): string {
  return request.startLine.split(' ')[1] ?? '';
}

function credentialOf(kind: string): string {
  return `canary-credential-of-${kind}`;
}

function modelOf(kind: string): string {
  return `tested/${kind}`;
}

function purposed(row: Pick<WholeRow, 'path'> | undefined, model: object): object[] {
  return row === undefined ? [] : [{ ...model, prices: PRICES }];
}

/** Without usage, what was counted is charged. */
function assertWhole(record: CallRecord, { usage, tokens }: WholeRow): void {
  if (usage !== null) assertCharged(record, { input: tokens, output: 0 });
  else assert.deepEqual([record.ending, record.usageSource], ['complete', 'estimated']);
}

function completedText(text: string, stream: boolean): string {
  const answers = (stream ? eventsOf(text).filter((event) => typeof event !== 'string') : [JSON.parse(text)]) as {
    choices: { text: string }[];
  }[];
  return answers.flatMap(({ choices }) => choices.map((choice) => choice.text)).join('');
}

function painterOf(kind: string): string {
  return `tested/${kind}-painter`;
}

function speakerOf(kind: string): string {
  return `tested/${kind}-speaker`;
}

function judgeOf(kind: string): string {
  return `tested/${kind}-judge`;
}

function rerankerOf(kind: string): string {
  return `tested/${kind}-reranker`;
}

function vectorsOf(kind: string): string {
  return `tested/${kind}-vectors`;
}
