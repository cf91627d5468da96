/** Goal: the demo makes vectors as Google's interface does. Method: real requests over loopback; tokens are counted by hand. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { type DemoProvider, startDemoProvider } from '../start-demo-provider.ts';

interface Vector {
  readonly values: readonly number[];
}

interface Answer {
  readonly embedding: Vector;
  readonly embeddings: readonly Vector[];
  readonly usageMetadata: { readonly promptTokenCount: number };
  readonly error: { readonly code: number };
}

let demo: DemoProvider;
before(async () => {
  demo = await startDemoProvider({ clock: new ManualClock() });
});
after(() => demo.close());

const embed = async (method: string, request: object, model = 'embed') => {
  const response = await fetch(`${demo.origin}/v1beta/models/${model}:${method}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': 'any', 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  return { status: response.status, body: (await response.json()) as Answer };
};
const content = (text: string) => ({ parts: [{ text }] });

test('a text becomes a vector of length one, as long as asked, and its tokens are counted', async () => {
  const { status, body } = await embed('embedContent', { content: content('one two three') });
  assert.deepEqual([status, body.embedding.values.length, body.usageMetadata], [200, 64, { promptTokenCount: 3 }]);
  assert.ok(Math.abs(Math.hypot(...body.embedding.values) - 1) < 1e-9);
  const short = await embed('embedContent', { content: content('one'), outputDimensionality: 3 });
  assert.equal(short.body.embedding.values.length, 3);
});

test('texts with words in common are more alike than others', async () => {
  const requests = ['high water at noon', 'low water at noon', 'seven green parrots'].map((text) => ({
    content: content(text),
    outputDimensionality: 512,
  }));
  const { body } = await embed('batchEmbedContents', { requests });
  const [high = [], low = [], parrots = []] = body.embeddings.map(({ values }) => values);
  const alike = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  assert.ok(alike(high, low) > alike(high, parrots) + 0.5);
  assert.equal(body.usageMetadata.promptTokenCount, 11);
});

test('what Google refuses is refused in its words: another model, no content, an image, a long text', async () => {
  const image = { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] };
  for (const [request, model, status] of [
    [{ content: content('x') }, 'echo', 404],
    [{ content: {} }, 'embed', 400],
    [{ content: image }, 'embed', 400],
    [{ content: content('x '.repeat(2_049).trim()) }, 'embed', 400],
    [{ content: content('x'), outputDimensionality: 0 }, 'embed', 400],
  ] as const) {
    const refused = await embed('embedContent', request, model);
    assert.deepEqual([refused.status, refused.body.error.code], [status, status]);
  }
  assert.equal((await embed('generateContent', { contents: [] })).status, 404);
});
