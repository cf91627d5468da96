/**
 * Goal: the hold of a translated call is based on what is sent to the provider, however short the caller's request was.
 * Method: requests whose translation is much longer; the model's text in the written request must be within the bound.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dialectNames, otherThan } from '../../../test/golden/fixtures.ts';
import { openTarget } from '../../../test/golden/targets.ts';
import { type BoundRequest, promptBound } from '../../billing/bound.ts';
import { inboundOf } from '../../dialects/contract.ts';
import type { RelayDialectName } from '../../dialects/index.ts';
import { relayDialects } from '../../dialects/index.ts';
import type { WrittenRequest } from '../../dialects/interface/write-target.ts';
import { writtenBound } from './written-bound.ts';

const RUNS = Number(process.env['TURNPIKE_PROVE_RUNS'] ?? 5000);
const COUNT = 400;
const WINDOW = 2_000_000;
const user = { role: 'user', content: 'Ahoy' };

function many<Item>(item: (index: number) => Item): readonly Item[] {
  return Array.from({ length: COUNT }, (_, index) => item(index));
}

const growing: readonly (readonly [what: string, from: RelayDialectName, request: Record<string, unknown>])[] = [
  ['old functions', 'openai-chat', { messages: [user], functions: many((index) => ({ name: `f${index}` })) }],
  [
    'custom tools',
    'openai-chat',
    { messages: [user], tools: many((index) => ({ type: 'custom', custom: { name: `f${index}` } })) },
  ],
  [
    'calls without a result',
    'openai-chat',
    {
      messages: [
        user,
        {
          role: 'assistant',
          tool_calls: many((index) => ({ id: `c${index}`, type: 'function', function: { name: 'f', arguments: '' } })),
        },
        user,
      ],
    },
  ],
  [
    'calls without a result',
    'anthropic-messages',
    {
      max_tokens: 9,
      messages: [
        user,
        { role: 'assistant', content: many((index) => ({ type: 'tool_use', id: `c${index}`, name: 'f', input: {} })) },
        user,
      ],
    },
  ],
];

for (const [what, from, request] of growing) {
  test(`${what}, translated from ${from}, are within the bound of what was written`, () => {
    const { asked, written, bound } = translated(from, request);
    const text = modelText(JSON.parse(written.body.toString()));
    assert.ok(written.body.length > asked.bodyBytes, 'the translation is no longer than the request');
    assert.ok(text <= promptBound(bound, 'x', WINDOW), `${text} bytes of text`);
    assert.equal(bound.bodyBytes, written.body.length);
  });
}

test('characters that normalise into many are within the bound of what was written, in both formats', () => {
  for (const text of ['\ufdfa', '\u2057\u337f', 'Ụ̈́', '\u0958']) {
    const content = text.repeat(COUNT);
    for (const from of dialectNames) {
      const { asked, bound } = translated(from, { max_tokens: 9, messages: [{ role: 'user', content }] });
      const grown = Math.max(...['NFC', 'NFKC'].map((form) => Buffer.byteLength(content.normalize(form))));
      for (const each of [asked, bound])
        assert.ok(grown <= promptBound(each, 'x', WINDOW), `${from} ${JSON.stringify(text)}`);
    }
  }
});

test('no mix of growing parts exceeds the bound of what was written', () => {
  const counts = fc.record({
    functions: fc.nat(60),
    custom: fc.nat(60),
    calls: fc.nat(60),
    text: fc.string({ unit: 'binary' }),
  });
  fc.assert(
    fc.property(counts, ({ functions, custom, calls, text }) => {
      const call = (_: unknown, index: number) => ({
        ...{ id: `c${index}`, type: 'function' },
        function: { name: 'f', arguments: JSON.stringify([index, text]) },
      });
      const messages = [
        user,
        ...(calls === 0 ? [] : [{ role: 'assistant', tool_calls: Array.from({ length: calls }, call) }]),
        { role: 'user', content: `${text}.` },
      ];
      const { written, bound } = translated('openai-chat', {
        messages,
        functions: Array.from({ length: functions }, (_, index) => ({ name: `f${index}`, description: text })),
        tools: Array.from({ length: custom }, (_, index) => ({ type: 'custom', custom: { name: `t${index}` } })),
      });
      assert.ok(modelText(JSON.parse(written.body.toString())) <= promptBound(bound, 'x', WINDOW));
    }),
    { numRuns: Math.ceil(RUNS / 100) },
  );
});

test('images are counted in the written request, and a document by URL or a PDF has no bound', () => {
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const pdf = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
  const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } };
  const ask = (...content: unknown[]) => ({ max_tokens: 9, messages: [{ role: 'user', content }] });

  const { bound, written } = translated('anthropic-messages', ask(image, image));
  assert.equal(bound.media.images, 2);
  assert.equal(bound.promptUnbounded, false);
  assert.equal(bound.media.bytes, 2 * (`data:image/png;base64,${data}`.length + '""'.length));
  assert.ok(bound.media.bytes < written.body.length);
  assert.equal(translated('anthropic-messages', ask(image, document)).bound.promptUnbounded, true);

  const back = (url: string) => ask({ type: 'image_url', image_url: { url } });
  assert.equal(translated('openai-chat', back(`data:image/png;base64,${data}`)).bound.media.images, 1);
  assert.equal(translated('openai-chat', back('https://a.example/b.png')).bound.promptUnbounded, true);
});

test('the cap is the one that was written, and null if the caller set none', () => {
  const capped = { ...openTarget, outputCap: 50 };
  const ask = { messages: [user] };
  assert.equal(translated('openai-chat', { ...ask, max_tokens: 70 }, capped).bound.outputCap, 50);
  assert.equal(translated('openai-chat', { ...ask, max_tokens: 7 }, capped).bound.outputCap, 7);
  assert.equal(translated('openai-chat', ask, capped).bound.outputCap, null);
});

test('arguments nested as deep as a request may be are written and bounded', () => {
  const depth = 120;
  const deep = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: deep } };
  const picture = { type: 'image_url', image_url: { url: 'https://a.example/b.png' } };
  const messages = [
    { role: 'user', content: [picture] },
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: '1' },
  ];
  assert.equal(translated('openai-chat', { messages }).bound.promptUnbounded, true);
});

interface Translated {
  readonly asked: BoundRequest;
  readonly written: WrittenRequest;
  readonly bound: BoundRequest;
}

function translated(from: RelayDialectName, fields: Record<string, unknown>, target = openTarget): Translated {
  const [caller, provider] = [relayDialects[from], relayDialects[otherThan(from)]];
  const inbound = inboundOf(caller, JSON.stringify({ model: 'm', ...fields }));
  const asked = caller.peek(inbound);
  const request = caller.readRequest(inbound);
  const written = provider.writeRequest(request, target);
  return { asked, written, bound: writtenBound(asked, request, written, provider) };
}

/** The bytes of every string in the prompt, and of the names in tools. */
function modelText({ messages, tools }: Record<string, unknown>): number {
  return stringBytes(messages, false) + stringBytes(tools, true);
}

function stringBytes(value: unknown, withNames: boolean): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, inner]) =>
      sum + (withNames && !Array.isArray(value) ? name.length : 0) + stringBytes(inner, withNames),
    0,
  );
}
