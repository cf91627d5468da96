/**
 * Goal: the hold of a translated call is based on what is sent to the provider, however short the caller's request was.
 * Method: requests whose translation is much longer; the model's text in the written request must be within the bound.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callerNames, providerNames, type RequestFixture, requestFixtures } from '../../../test/golden/fixtures.ts';
import { openTarget, targetsOf } from '../../../test/golden/targets.ts';
import { inboundOfFixture } from '../../../test/golden/translate.ts';
import { type BoundRequest, promptBound } from '../../billing/bound.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { GatewayError } from '../../core/errors.ts';
import { inboundOf } from '../../dialects/contract.ts';
import {
  type CallerDialectName,
  callerDialects,
  type ProviderDialectName,
  providerDialects,
} from '../../dialects/index.ts';
import type { WriteTarget, WrittenRequest } from '../../dialects/interface/write-target.ts';
import { writtenBound } from './written-bound.ts';

const RUNS = Number(process.env['TURNPIKE_PROVE_RUNS'] ?? 5000);
const COUNT = 400;
const WINDOW = 2_000_000;
const user = { role: 'user', content: 'Ahoy' };

function many<Item>(item: (index: number) => Item): readonly Item[] {
  return Array.from({ length: COUNT }, (_, index) => item(index));
}

const growing: readonly (readonly [what: string, from: CallerDialectName, request: Record<string, unknown>])[] = [
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
  for (const { to, name, target } of targetsOtherThan(from)) {
    test(`${what}, from ${from} for ${name} of ${to}, are within the bound of what was written`, () => {
      const { asked, written, bound } = translated(from, request, to, target);
      const text = modelText(JSON.parse(written.body.toString()));
      assert.ok(written.body.length > asked.bodyBytes || to !== LONGER[from], 'the translation is no longer');
      assert.ok(text <= promptBound(bound, 'x', WINDOW), `${text} bytes of text`);
      assert.equal(bound.bodyBytes, written.body.length);
    });
  }
}

test('characters that normalise into many are within the bound of what was written, in every format', () => {
  for (const text of ['\ufdfa', '\u2057\u337f', 'Ụ̈́', '\u0958']) {
    const content = text.repeat(COUNT);
    for (const { to, target } of targetsOtherThan('openai-chat')) {
      const { asked, bound } = translated('openai-chat', { messages: [{ role: 'user', content }] }, to, target);
      const grown = Math.max(...['NFC', 'NFKC'].map((form) => Buffer.byteLength(content.normalize(form))));
      for (const each of [asked, bound])
        assert.ok(grown <= promptBound(each, 'x', WINDOW), `${to} ${JSON.stringify(text)}`);
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
      const request = {
        messages,
        functions: Array.from({ length: functions }, (_, index) => ({ name: `f${index}`, description: text })),
        tools: Array.from({ length: custom }, (_, index) => ({ type: 'custom', custom: { name: `t${index}` } })),
      };
      for (const { to, target } of targetsOtherThan('openai-chat')) {
        const { written, bound } = translated('openai-chat', request, to, target);
        assert.ok(modelText(JSON.parse(written.body.toString())) <= promptBound(bound, 'x', WINDOW), to);
      }
    }),
    { numRuns: Math.ceil(RUNS / 100) },
  );
});

/** What a request may have that lengthens its prompt, or its answer; every format has each. */
const KINDS: Readonly<Record<string, RegExp>> = {
  tools: /tool/,
  media: /image|pdf|audio|video/,
  caches: /cache/,
  thinking: /thinking|thought|reasoning/,
  'hosted tools': /search|built-in|server-tool|refused-code|mcp/,
};

for (const from of callerNames) {
  test(`${from}: no mix of requests, as sent or in another format, exceeds its bound`, () => {
    const fixtures = requestFixtures(from);
    for (const [kind, name] of Object.entries(KINDS)) {
      const isKnown = fixtures.some((fixture) => name.test(fixture.name)) || (from === 'gemini' && kind === 'caches');
      assert.ok(isKnown, `no request with ${kind}`);
    }
    let bounded = 0;
    const mix = fc.array(fc.constantFrom(...fixtures), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(mix, fc.string({ unit: 'binary' }), (parts, text) => {
        const request = mixOf(from, parts, text);
        for (const { size, bound } of boundsOf(from, { ...(parts[0] as RequestFixture), request })) {
          bounded += 1;
          const most = promptBound(bound, 'x', WINDOW);
          const what = `${parts.map(({ name }) => name)}, ${JSON.stringify(text)}`;
          assert.ok(size - bound.media.bytes <= most, `${what}: ${size} bytes, bound ${most}`);
        }
      }),
      { numRuns: Math.ceil(RUNS / 50) },
    );
    assert.ok(bounded >= RUNS / 50, `only ${bounded} requests had a bound`);
  });
}

/** The fields of the first, with the conversations and the tools of all of them, and a text of its own. */
function mixOf(from: CallerDialectName, parts: readonly RequestFixture[], text: string): RequestFixture['request'] {
  const question: Record<CallerDialectName, readonly [field: string, turn: unknown]> = {
    'openai-chat': ['messages', { role: 'user', content: `${text}.` }],
    'anthropic-messages': ['messages', { role: 'user', content: `${text}.` }],
    'openai-responses': ['input', { role: 'user', content: `${text}.` }],
    gemini: ['contents', { role: 'user', parts: [{ text: `${text}.` }] }],
  };
  const [field, turn] = question[from];
  const requests = parts.map(({ request }) => request);
  const conversation = requests.flatMap((request) => request[field] ?? []);
  const tools = new Map(
    requests.flatMap(({ tools }) => (tools ?? []) as object[]).map((tool) => [JSON.stringify(tool), tool]),
  );
  const all = Object.assign({}, ...[...requests].reverse());
  return { ...all, [field]: [...conversation, turn], ...(tools.size > 0 && { tools: [...tools.values()] }) };
}

/** Of the request as it was sent, and as it is written in each other format; without those that are refused, or have no bound. */
function boundsOf(
  from: CallerDialectName,
  fixture: RequestFixture,
): { readonly size: number; readonly bound: BoundRequest }[] {
  const caller = callerDialects[from];
  const inbound = inboundOfFixture(fixture);
  const asked = orNull(() => caller.peek(inbound));
  if (asked === null) return [];
  const sizes = [{ size: modelText({ ...fixture.request }), bound: asked as BoundRequest }];
  const request = orNull(() => caller.readRequest(inbound));
  for (const { to, target } of request === null ? [] : targetsOtherThan(from)) {
    const provider = providerDialects[to];
    const value = orNull(() => provider.writeRequest(request as ChatRequest, target));
    if (value === null) continue;
    const written = sent(value);
    const bound = writtenBound(asked, request as ChatRequest, written, provider);
    sizes.push({ size: modelText(JSON.parse(written.body.toString())), bound });
  }
  return sizes.filter(({ bound }) => !bound.promptUnbounded);
}

/** Null for what is refused. */
function orNull<Result>(step: () => Result): Result | null {
  try {
    return step();
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

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
  const boundOf = (fields: object) =>
    translated('openai-chat', { ...ask, ...fields }, 'anthropic-messages', capped).bound;
  assert.equal(boundOf({ max_tokens: 70 }).outputCap, 50);
  assert.equal(boundOf({ max_tokens: 7 }).outputCap, 7);
  assert.equal(boundOf({}).outputCap, null);
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

/** The format in which the requests above are longer. */
const LONGER: { readonly [From in CallerDialectName]?: ProviderDialectName } = {
  'openai-chat': 'anthropic-messages',
  'anthropic-messages': 'openai-chat',
};

function targetsOtherThan(from: CallerDialectName) {
  return providerNames
    .filter((to) => to !== from)
    .flatMap((to) => targetsOf(to).map(({ name, target }) => ({ to, name, target })));
}

type Sent = Omit<WrittenRequest, 'body'> & { readonly body: Buffer };

function sent(written: WrittenRequest): Sent {
  return { ...written, body: Buffer.from(JSON.stringify(written.body)) };
}

interface Translated {
  readonly asked: BoundRequest;
  readonly written: Sent;
  readonly bound: BoundRequest;
}

function translated(
  from: CallerDialectName,
  fields: Record<string, unknown>,
  to: ProviderDialectName = LONGER[from] ?? 'openai-chat',
  target: WriteTarget = openTarget,
): Translated {
  const [caller, provider] = [callerDialects[from], providerDialects[to]];
  const inbound = inboundOf(caller, JSON.stringify({ model: 'm', ...fields }));
  const asked = caller.peek(inbound);
  const request = caller.readRequest(inbound);
  const written = sent(provider.writeRequest(request, target));
  return { asked, written, bound: writtenBound(asked, request, written, provider) };
}

/** The bytes of every string but the model's name, and of the names in tools. */
function modelText({ model: _model, ...body }: Record<string, unknown>): number {
  return stringBytes(body, false) + stringBytes(body['tools'], true);
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
