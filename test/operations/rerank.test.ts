/**
 * Goal: documents are ranked through the gateway as by the vendor, and what the model reads is charged: the query with each document. Method:
 * requests in Cohere's and Jina's form against a strict provider that reports tokens in each vendor's way, and the demo.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { type OperationsBench, openOperationsBench } from '../support/operations/operations-bench.ts';
import { searchesOf, TOKENS_OF_DOCUMENT, TOKENS_OF_QUERY, tokensOf } from '../support/operations/rerank.ts';

const BY_SEARCH = ['cohere', 'openrouter', 'silent', 'no-search'];
const MODELS = ['jina', 'zero-prompt', 'cohere', 'zeros', 'nonsense', 'silent'];
let bench: OperationsBench;
let demo: OpenGateway;
before(async () => {
  const prices = { input: 0.05, output: 0 };
  const outputModalities = ['rerank'];
  bench = await openOperationsBench([
    ...MODELS.map((name) => ({ id: `strict/${name}`, upstream: name, prices, outputModalities })),
    ...BY_SEARCH.map((name) => ({ id: `by-search/${name}`, upstream: name, prices: { units: { search: 0.002 } } })),
    { id: 'strict/windowed', upstream: 'jina', prices, contextWindow: 100, outputModalities },
    { id: 'strict/by-image', upstream: 'jina', prices: { units: { image: 0.02 } }, outputModalities },
    { id: 'strict/writer', upstream: 'writer', prices, outputModalities: ['text'] },
    {
      id: 'strict/pictures',
      upstream: 'pictures',
      prices,
      outputModalities,
      inputModalities: ['text', 'image'],
      contextWindow: 1000,
    },
  ]);
  demo = await openGateway({ demo: true });
});
after(async () => {
  await bench.close();
  await demo.close();
});

const RERANK = '/api/v1/rerank';
const MODEL = 'strict/jina';
const NANO = 50n;
const SEARCH_NANO = 2_000_000n;
const DOCUMENTS = ['Berlin is a city.', 'Paris is the capital of France.', 'A llama.'];

interface Ranking {
  readonly model?: string;
  readonly results: readonly {
    readonly index: number;
    readonly relevance_score: number;
    readonly document?: unknown;
  }[];
  readonly usage?: { readonly total_tokens: number; readonly cost?: number };
}

async function ranked(body: object): Promise<Ranking> {
  const response = await bench.post(RERANK, body);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

test('documents as texts and as objects come back in order, with the caller’s model and the cost', async () => {
  const objects = DOCUMENTS.map((text, id) => ({
    title: `no. ${id}`,
    text,
    url: 'https://pages.example',
    source: 'wiki',
  }));
  for (const documents of [DOCUMENTS, objects]) {
    const sent = { query: 'the capital', documents, top_n: 2, return_documents: true, max_tokens_per_doc: 500 };
    const answer = await ranked({ model: MODEL, ...sent });
    assert.deepEqual(bench.strict.last().body, { model: 'jina', ...sent });
    assert.deepEqual(
      answer.results.map(({ index }) => index),
      [2, 1],
    );
    assert.deepEqual(
      answer.results.map(({ document }) => document),
      documents === objects ? [objects[2], objects[1]] : [{ text: DOCUMENTS[2] }, { text: DOCUMENTS[1] }],
    );
    assert.deepEqual([answer.model, answer.usage], [MODEL, { total_tokens: 42, cost: 0.0000021 }]);
    const record = bench.records.at(-1);
    assert.deepEqual(
      [record?.operation, record?.usage.inputTokens, record?.usageSource, record?.charge],
      ['rerank', tokensOf(3), 'reported', BigInt(tokensOf(3)) * NANO],
    );
  }
});

test('tokens are read where each vendor reports them; zeros, nonsense and nothing are estimated, the query with each document', async () => {
  const query = 'words of a query '.repeat(10);
  for (const model of MODELS) {
    await ranked({ model: `strict/${model}`, query, documents: DOCUMENTS });
    const record = bench.records.at(-1);
    const isReported = ['jina', 'zero-prompt', 'cohere'].includes(model);
    assert.equal(record?.usageSource, isReported ? 'reported' : 'estimated', model);
    if (isReported) assert.equal(record?.usage.inputTokens, tokensOf(3), model);
    else
      assert.ok((record?.usage.inputTokens ?? 0) >= (3 * query.length) / 4.5, `${model}: ${record?.usage.inputTokens}`);
    assert.ok((record?.charge ?? 0n) > 0n && (record?.charge ?? 0n) <= (record?.hold ?? 0n), model);
  }
});

test('the hold covers the query with every document, and each document’s own context window at most', async () => {
  const query = 'x'.repeat(2_000);
  const hold = async (model: string, documents: readonly unknown[]) => {
    await ranked({ model, query, documents });
    return bench.records.at(-1)?.hold ?? 0n;
  };
  const [one, ten] = [await hold(MODEL, ['a']), await hold(MODEL, Array(10).fill('a'))];
  assert.ok(ten >= one + 9n * 2_000n * NANO, `${one}, ${ten}`);
  assert.equal(await hold('strict/windowed', Array(10).fill('a')), 10n * 100n * NANO);
});

test('no honest count costs more than was held, whatever is ranked', async () => {
  const text = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constant('ﷺ'));
  const asked = fc.record(
    {
      query: text.filter((query) => query !== ''),
      documents: fc.array(fc.oneof(text, fc.record({ text, title: text })), { minLength: 1, maxLength: 8 }),
      instruction: text,
      top_n: fc.integer({ min: 1, max: 9 }),
    },
    { requiredKeys: ['query', 'documents'] },
  );
  await fc.assert(
    fc.asyncProperty(asked, async (fields) => {
      await ranked({ model: 'strict/silent', ...fields });
      const { hold, charge, variance } = bench.records.at(-1) ?? {};
      const bytes = (value: unknown) => Buffer.byteLength(String(value).normalize('NFKC'));
      const again = bytes(fields.query) + bytes(fields.instruction ?? '');
      const tokens = fields.documents.reduce<number>((sum, document) => {
        const texts = typeof document === 'string' ? [document] : [document.text, document.title];
        return sum + again + texts.reduce((length, each) => length + bytes(each), 0);
      }, 0);
      // A token for every byte of what is read, and a template around each document.
      assert.ok(BigInt(tokens + 70 * fields.documents.length) * NANO <= (hold ?? 0n), `${tokens}: ${hold}`);
      assert.ok((charge ?? 0n) <= (hold ?? 0n));
      assert.equal(variance, 0n);
    }),
    { numRuns: 80 },
  );
});

test('searches are charged as the provider counts them, and without a count by the documents', async () => {
  const documents = Array.from({ length: 250 }, (_, index) => `document ${index}`);
  for (const model of BY_SEARCH) {
    await ranked({ model: `by-search/${model}`, query: 'q', documents });
    const record = bench.records.at(-1);
    const isReported = model === 'cohere' || model === 'openrouter';
    assert.deepEqual(
      [record?.usage.units, record?.charge, record?.usageSource],
      [3, 3n * SEARCH_NANO, isReported ? 'reported' : 'estimated'],
      model,
    );
  }
});

test('a model that is paid by tokens has no searches that nobody counted, and one that is paid by neither is refused', async () => {
  await ranked({ model: MODEL, query: 'q', documents: DOCUMENTS });
  assert.deepEqual([bench.records.at(-1)?.usage.units, bench.records.at(-1)?.usage.unitLine], [0, 0]);
  const response = await bench.post(RERANK, { model: 'strict/by-image', query: 'q', documents: DOCUMENTS });
  assert.equal(response.status, 404);
  assert.match(await response.text(), /no price for search/);
});

test('no honest count of searches costs more than was held, however long documents and query are', async () => {
  const text = fc.integer({ min: 1, max: 6_000 }).map((length) => 'word '.repeat(length / 5 + 1));
  const asked = fc.record({
    query: fc.oneof(fc.constant('q'), text),
    documents: fc.array(
      fc.oneof(
        text,
        text.map((body) => ({ text: body })),
      ),
      { minLength: 1, maxLength: 120 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ query, documents }) => {
      await ranked({ model: 'by-search/cohere', query, documents });
      const { hold, charge, variance } = bench.records.at(-1) ?? {};
      assert.deepEqual([charge, variance], [BigInt(searchesOf(query, documents)) * SEARCH_NANO, 0n]);
      assert.ok((charge ?? 0n) <= (hold ?? 0n));
    }),
    { numRuns: 40 },
  );
});

test('what is no ranking, or another model’s work, is refused before a provider is asked', async () => {
  const { length } = bench.strict.requests;
  const picture = { image: 'https://pages.example/a.png' };
  for (const [path, body, param] of [
    [RERANK, { model: MODEL, documents: ['a'] }, 'query'],
    [RERANK, { model: MODEL, query: 'q' }, 'documents'],
    [RERANK, { model: MODEL, query: 'q', documents: [] }, 'documents'],
    [RERANK, { model: MODEL, query: 'q', documents: 7 }, 'documents'],
    [RERANK, { model: MODEL, query: ['q'], documents: ['a'] }, 'query'],
    [RERANK, { query: 'q', documents: ['a'] }, 'model'],
    [RERANK, { model: MODEL, query: 'q', documents: ['a'], Documents: ['b'] }, 'Documents'],
    [RERANK, { model: MODEL, query: 'q', documents: ['a'], api_key: 'x' }, 'api_key'],
    [RERANK, { model: MODEL, query: 'q', documents: [picture] }, 'documents'],
    [RERANK, { model: 'strict/writer', query: 'q', documents: ['a'] }, 'model'],
    ['/api/v1/chat/completions', { model: MODEL, messages: [{ role: 'user', content: 'x' }] }, 'model'],
    ['/api/v1/embeddings', { model: MODEL, input: 'x' }, 'model'],
  ] as const) {
    const response = await bench.post(path, body);
    assert.equal(response.status, 400, JSON.stringify(body));
    const { error } = (await response.json()) as { error: { param: string } };
    assert.equal(error.param, param, JSON.stringify(body));
  }
  assert.equal(bench.strict.requests.length, length);
  await ranked({ model: 'strict/pictures', query: 'q', documents: [picture, picture] });
  assert.equal(bench.records.at(-1)?.hold, 2n * 1000n * NANO, 'a window for each picture');
});

test('an equal request is answered from the cache, if its caller wants that', async () => {
  const ask = () =>
    bench.post(RERANK, { model: MODEL, query: 'again', documents: DOCUMENTS }, { 'x-turnpike-cache': 'true' });
  const [first, second] = [await ask(), await ask()];
  assert.deepEqual([first.headers.get('x-turnpike-cache'), second.headers.get('x-turnpike-cache')], ['miss', 'hit']);
  const [made, given] = [(await first.json()) as Ranking, (await second.json()) as Ranking];
  assert.deepEqual(given.results, made.results);
  assert.equal(given.usage?.cost, 0);
  assert.equal(bench.records.at(-1)?.charge, 0n);
});

test('the demo ranks by common words, and charges what it read', async () => {
  const response = await demo.post(RERANK, {
    ...{ model: 'demo/rerank', query: 'capital of France', documents: DOCUMENTS, top_n: 2, return_documents: true },
  });
  const { results } = (await response.json()) as Ranking;
  assert.deepEqual([results.length, results[0]?.index], [2, 1]);
  assert.deepEqual(results[0]?.document, { text: DOCUMENTS[1] });
  assert.ok((results[0]?.relevance_score ?? 0) > (results[1]?.relevance_score ?? 1));
  // Three documents of 4, 6 and 2 words, each with the query's three.
  assert.equal(demo.records.at(-1)?.charge, 21n * NANO);
  assert.equal(TOKENS_OF_QUERY + TOKENS_OF_DOCUMENT, 14);
});
