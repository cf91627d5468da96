/**
 * Goal: a relayed request differs from the caller's by the list of edits and by nothing else.
 * Method: undo the list and compare bytes, over generated JSON in any spacing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Body } from '../../../core/body.ts';
import { inboundOf } from '../../contract.ts';
import type { RequestEdits } from '../../interface/request-edits.ts';
import { openaiChat } from '../openai-chat.ts';
import { type DialectTarget, type OutputCapFields, type Quirks, usualQuirks } from '../quirks.ts';
import { requestEdits } from './patch-request.ts';

const EITHER: OutputCapFields = ['max_completion_tokens', 'max_tokens'];
const PLAIN = '{"model":"vendor/x","messages":[{}]}';
/** A provider without OpenRouter's fields. */
const STRICT: DialectTarget = {
  upstreamModel: 'x',
  outputCap: null,
  parameters: null,
  efforts: null,
  quirks: {
    ...usualQuirks,
    outputCapFields: EITHER,
    reasoningField: 'reasoning_effort',
    reasoningBack: 'none',
    openRouterFields: [],
    cacheControl: false,
    systemRole: 'developer',
  },
  sampling: ['temperature'],
};
const NO_EDITS: RequestEdits<Quirks> = { model: 'vendor/x', outputCap: null, quirks: STRICT.quirks };

test('undoing the list of edits gives the bytes that the caller sent', () => {
  fc.assert(
    fc.property(arbitraryBody, arbitraryEdits, (body, edits) => {
      const inbound = inboundOf(openaiChat, body);
      const peek = openaiChat.peek(inbound);
      const patched = inOnePiece(openaiChat.patchRequest(inbound, peek, edits).body);
      const undone: Buffer[] = [];
      let original = 0;
      let at = 0;
      for (const edit of requestEdits(inbound.document, peek, edits).list) {
        const kept = edit.start - original;
        undone.push(patched.subarray(at, at + kept));
        assert.deepEqual(patched.subarray(at + kept, at + kept + edit.insert.length), edit.insert);
        undone.push(inbound.document.bytes.subarray(edit.start, edit.end));
        at += kept + edit.insert.length;
        original = edit.end;
      }
      undone.push(patched.subarray(at));
      assert.equal(Buffer.concat(undone).toString(), body);
    }),
    { numRuns: 300 },
  );
});

test('the edits change the meaning only of the model, the cap and the usage option', () => {
  fc.assert(
    fc.property(arbitraryBody, arbitraryEdits, (body, edits) => {
      const inbound = inboundOf(openaiChat, body);
      const peek = openaiChat.peek(inbound);
      const patched = inOnePiece(openaiChat.patchRequest(inbound, peek, edits).body).toString();
      const again = openaiChat.peek(inboundOf(openaiChat, patched));
      assert.equal(again.model, edits.model);
      assert.equal(again.outputCap, edits.outputCap ?? peek.outputCap);
      // A provider reads the names that it respects, and of those the first that is set.
      const read = edits.quirks.outputCapFields.map((name) => JSON.parse(patched)[name] ?? null);
      assert.equal(read.find((cap) => cap !== null) ?? null, again.outputCap);
      assert.ok(read.filter((cap) => cap !== null).length <= 1, 'one cap goes out');
      assert.equal(again.wantsUsage, peek.stream);
      const { max_tokens, max_completion_tokens, stream_options, ...rest } = JSON.parse(patched);
      const { max_tokens: a, max_completion_tokens: b, stream_options: c, ...before } = JSON.parse(body);
      const isStrict = edits.target !== null;
      assert.deepEqual(rest, { ...(isStrict ? withoutOpenRouter(before) : before), model: edits.model });
      for (const [name, value] of Object.entries(c ?? {})) {
        if (name !== 'include_usage') assert.deepEqual(stream_options[name], value);
      }
      if (again.outputCap === null) assert.deepEqual([max_tokens, max_completion_tokens], [a, b]);
    }),
    { numRuns: 300 },
  );
});

test('a large request is not copied: around the edits it is the received memory', () => {
  const image = `data:image/png;base64,${'iVBORw0K'.repeat(20_000)}`;
  const body = JSON.stringify({ messages: [{ role: 'user', content: image }], model: 'vendor/x', stream: true });
  const inbound = inboundOf(openaiChat, body);
  const patched = openaiChat.patchRequest(inbound, openaiChat.peek(inbound), { ...NO_EDITS, model: 'up/x' }).body;
  assert.ok(!Buffer.isBuffer(patched));
  const came = inbound.document.bytes;
  const own = patched.filter((part) => part.buffer !== came.buffer);
  assert.deepEqual(own.map(String), ['"stream_options":{"include_usage":true},', '"up/x"']);
  const expected = body.replace('{', '{"stream_options":{"include_usage":true},').replace('"vendor/x"', '"up/x"');
  assert.equal(inOnePiece(patched).toString(), expected);
});

test('a request that needs no edit is the received buffer', () => {
  const inbound = inboundOf(
    openaiChat,
    '{"model":"vendor\\/x","messages":[{}],"stream":true,"stream_options":{"include_usage":true}}',
  );
  assert.equal(openaiChat.patchRequest(inbound, openaiChat.peek(inbound), NO_EDITS).body, inbound.document.bytes);
});

test('a stream asks its provider for usage, whatever the caller sent', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['"stream":true', '{"stream_options":{"include_usage":true},"model":"vendor/x","messages":[{}],"stream":true}'],
    [
      '"stream":true,"stream_options":null',
      '{"model":"vendor/x","messages":[{}],"stream":true,"stream_options":{"include_usage":true}}',
    ],
    [
      '"stream":true,"stream_options":{ }',
      '{"model":"vendor/x","messages":[{}],"stream":true,"stream_options":{"include_usage":true }}',
    ],
    [
      '"stream":true,"stream_options":{"include_obfuscation":false}',
      '{"model":"vendor/x","messages":[{}],"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}}',
    ],
    [
      '"stream":true,"stream_options":{"include_usage" : false}',
      '{"model":"vendor/x","messages":[{}],"stream":true,"stream_options":{"include_usage" : true}}',
    ],
    [
      '"stream":false,"stream_options":{"include_usage":false}',
      '{"model":"vendor/x","messages":[{}],"stream":false,"stream_options":{"include_usage":false}}',
    ],
  ];
  for (const [extra, expected] of rows) assert.equal(patch(extra, NO_EDITS), expected, extra);
});

test('a cap replaces that of the caller, under the name that the caller used', () => {
  const edits = { ...NO_EDITS, outputCap: 300 };
  const rows: readonly (readonly [string, string])[] = [
    ['"seed":1', '{"max_completion_tokens":300,"model":"vendor/x","messages":[{}],"seed":1}'],
    ['"max_tokens":9000', '{"model":"vendor/x","messages":[{}],"max_tokens":300}'],
    [
      '"max_completion_tokens":9000,"max_tokens":null',
      '{"model":"vendor/x","messages":[{}],"max_completion_tokens":300}',
    ],
    ['"max_completion_tokens":null', '{"model":"vendor/x","messages":[{}],"max_completion_tokens":300}'],
  ];
  for (const [extra, expected] of rows) assert.equal(patch(extra, edits), expected, extra);
});

test('a cap is sent under the name that the provider respects, and of two only the smaller one', () => {
  const obeying = (name: 'max_completion_tokens' | 'max_tokens'): RequestEdits<Quirks> => ({
    ...NO_EDITS,
    quirks: { ...STRICT.quirks, outputCapFields: [name] },
  });
  const rows: readonly (readonly [string, RequestEdits<Quirks>, string])[] = [
    ['"max_completion_tokens":1,"n":2', obeying('max_tokens'), '"max_tokens":1,"n":2'],
    ['"max_tokens": 1', obeying('max_completion_tokens'), '"max_completion_tokens": 1'],
    ['"max\\u005ftokens": 1', obeying('max_completion_tokens'), '"max_completion_tokens": 1'],
    ['"max_tokens":7', obeying('max_tokens'), '"max_tokens":7'],
    ['"max_tokens":7', NO_EDITS, '"max_tokens":7'],
    ['"max_tokens":null', obeying('max_completion_tokens'), '"max_tokens":null'],
    ['"max_completion_tokens":5,"max_tokens":9', obeying('max_tokens'), '"max_tokens":5'],
    ['"max_completion_tokens":9,"max_tokens":5', obeying('max_tokens'), '"max_tokens":5'],
    ['"max_completion_tokens":9,"max_tokens":5', NO_EDITS, '"max_completion_tokens":5'],
    ['"max_tokens":5,"max_completion_tokens":null', NO_EDITS, '"max_tokens":5'],
    ['"max_completion_tokens":null,"max_tokens":5', obeying('max_tokens'), '"max_tokens":5'],
    ['"max_tokens":null,"max_completion_tokens":null', NO_EDITS, '"max_tokens":null,"max_completion_tokens":null'],
    ['"max_completion_tokens":5,"max_tokens":null', obeying('max_tokens'), '"max_tokens":5'],
    ['"seed":1', { ...obeying('max_tokens'), outputCap: 300 }, '"seed":1'],
    ['"user":"u","max_completion_tokens":null', { ...obeying('max_tokens'), outputCap: 300 }, '"user":"u"'],
  ];
  for (const [extra, edits, expected] of rows) {
    const set = edits.outputCap === null ? '' : `"max_tokens":${edits.outputCap},`;
    assert.equal(patch(extra, edits), `{${set}"model":"vendor/x","messages":[{}],${expected}}`, extra);
  }
});

test('for a strict provider OpenRouter’s fields are removed, and reasoning is sent in its own field', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['"usage":{"include":true}', '{"model":"vendor/x","messages":[{}]}', []],
    ['"usage":{"include":true},"seed":1', '{"model":"vendor/x","messages":[{}],"seed":1}', []],
    ['"models":["vendor/x"],"route":"fallback","provider":{"allow_fallbacks":true}', PLAIN, []],
    ['"transforms":[], "plugins":[] ,"usage":null', PLAIN, []],
    [
      '"transforms":["middle-out"]',
      PLAIN,
      ['transforms was left out: prompts that are too long are refused, not shortened'],
    ],
    [
      '"plugins":[{"id":"context-compression"}]',
      PLAIN,
      ['plugins was left out: prompts that are too long are refused, not shortened'],
    ],
    ['"provider":{"sort":"price","order":["a"]},"models":["vendor/y"]', PLAIN, []],
    [
      '"reasoning":{"effort":"low"},"seed":1',
      '{"model":"vendor/x","messages":[{}],"reasoning_effort":"low","seed":1}',
      [],
    ],
    [
      '"reasoning" : {"max_tokens":9000}',
      '{"model":"vendor/x","messages":[{}],"reasoning_effort":"medium"}',
      ['this model does not support a thinking budget; it was sent as an effort'],
    ],
    ['"reasoning":{"enabled":false}', '{"model":"vendor/x","messages":[{}],"reasoning_effort":"none"}', []],
    ['"reasoning":{}', PLAIN, []],
    ['"metadata":{"team":"a"}', PLAIN, []],
    [
      '"reasoning":null,"reasoning_effort":"high"',
      '{"model":"vendor/x","messages":[{}],"reasoning_effort":"high"}',
      [],
    ],
    [
      '"reasoning_effort":"high","reasoning":{"effort":"low"}',
      '{"model":"vendor/x","messages":[{}],"reasoning_effort":"low"}',
      ['reasoning_effort was left out: reasoning.effort is used instead'],
    ],
    [
      '"include_reasoning":true,"reasoning_effort":"high"',
      '{"model":"vendor/x","messages":[{}],"reasoning_effort":"high"}',
      [],
    ],
    [
      '"reasoning":{"effort":"low","exclude":true}',
      '{"model":"vendor/x","messages":[{}],"reasoning_effort":"low"}',
      ['reasoning.exclude was left out: reasoning that this provider returns is passed on'],
    ],
  ];
  for (const [extra, expected, warnings] of rows) {
    const inbound = inboundOf(openaiChat, `{"model":"vendor/x","messages":[{}],${extra}}`);
    const patched = openaiChat.patchRequest(inbound, openaiChat.peek(inbound), { ...NO_EDITS, target: STRICT });
    assert.deepEqual([patched.body.toString(), patched.warnings ?? []], [expected, warnings], extra);
  }
});

test('for DeepSeek reasoning is its switch in addition to the effort', () => {
  const target: DialectTarget = { ...STRICT, quirks: { ...STRICT.quirks, reasoningField: 'thinking' } };
  const rows: readonly (readonly [string, string])[] = [
    ['"reasoning":{"effort":"high"}', '"thinking":{"type":"enabled"},"reasoning_effort":"high"'],
    ['"reasoning":{"max_tokens":2000}', '"thinking":{"type":"enabled"},"reasoning_effort":"low"'],
    ['"reasoning":{"enabled":false}', '"thinking":{"type":"disabled"}'],
    ['"reasoning":{"enabled":true}', '"thinking":{"type":"enabled"}'],
    ['"reasoning":{"effort":"max"},"thinking":null', '"reasoning_effort":"max","thinking":{"type":"enabled"}'],
    ['"thinking":{"type":"disabled"}', '"thinking":{"type":"disabled"}'],
  ];
  for (const [extra, expected] of rows) {
    const inbound = inboundOf(openaiChat, `{"model":"vendor/x","messages":[{}],${extra}}`);
    const { body } = openaiChat.patchRequest(inbound, openaiChat.peek(inbound), { ...NO_EDITS, target });
    assert.equal(body.toString(), `{"model":"vendor/x","messages":[{}],${expected}}`, extra);
  }
});

test('for a model that does not think, reasoning is left out, with a warning if the caller asked for it', () => {
  const target = { ...STRICT, parameters: new Set(['temperature']) };
  const inbound = inboundOf(openaiChat, '{"model":"vendor/x","messages":[{}],"reasoning":{"effort":"low"}}');
  const patched = openaiChat.patchRequest(inbound, openaiChat.peek(inbound), { ...NO_EDITS, target });
  assert.deepEqual(
    [patched.body.toString(), patched.warnings],
    [PLAIN, ['reasoning was left out, because this model does not accept it']],
  );
});

test('for OpenRouter its fields pass unchanged, except for those that would choose the provider', () => {
  const quirks: Quirks = {
    ...STRICT.quirks,
    reasoningField: 'reasoning',
    openRouterFields: ['usage', 'include_reasoning', 'transforms', 'plugins'],
  };
  const rows: readonly (readonly [string, string])[] = [
    ['"usage":{"include":true},"reasoning":{"effort":"ultra"},"include_reasoning":false,"transforms":["x"]', ''],
    ['"plugins":[{"id":"web","enabled":false}],"seed":1', ''],
    ['"models":["vendor/x"],"seed":1,"provider":{"sort":"throughput"},"route":"sort"', '"seed":1'],
  ];
  for (const [extra, expected] of rows) {
    const inbound = inboundOf(openaiChat, `{"model":"vendor/x","messages":[{}],${extra}}`);
    const patched = openaiChat.patchRequest(inbound, openaiChat.peek(inbound), {
      ...NO_EDITS,
      target: { ...STRICT, quirks },
    });
    assert.equal(patched.body.toString(), `{"model":"vendor/x","messages":[{}],${expected || extra}}`, extra);
  }
});

test('for OpenRouter no thinking budget exceeds the output cap', () => {
  const quirks: Quirks = { ...STRICT.quirks, reasoningField: 'reasoning', openRouterFields: [] };
  const patch = (fields: string, outputCap: number | null) => {
    const inbound = inboundOf(openaiChat, `{"model":"vendor/x","messages":[{}],${fields}}`);
    const edits = { ...NO_EDITS, outputCap, target: { ...STRICT, quirks } };
    const patched = openaiChat.patchRequest(inbound, openaiChat.peek(inbound), edits);
    return [JSON.stringify(JSON.parse(patched.body.toString()).reasoning), patched.warnings?.length ?? 0];
  };
  const rows: readonly (readonly [string, number | null, string, number])[] = [
    ['"max_tokens":10,"reasoning":{"max_tokens":100000,"exclude":true}', null, '{"effort":"high","exclude":true}', 1],
    ['"max_tokens":10,"reasoning":{"effort":null,"max_tokens":10}', null, '{"effort":"low"}', 1],
    ['"max_tokens":10,"reasoning":{"effort":"low","max_tokens":11}', null, '{"effort":"low"}', 1],
    ['"max_tokens":10,"reasoning":{"enabled":false,"max_tokens":11}', null, '{"enabled":false}', 1],
    ['"max_tokens":10,"reasoning":{"max_tokens":9}', null, '{"max_tokens":9}', 0],
    ['"reasoning":{"max_tokens":5000}', 5000, '{"effort":"medium"}', 1],
    ['"reasoning":{"max_tokens":5000}', null, '{"max_tokens":5000}', 0],
  ];
  for (const [fields, cap, reasoning, warnings] of rows)
    assert.deepEqual(patch(fields, cap), [reasoning, warnings], fields);
  assert.throws(() => patch('"max_tokens":10,"reasoning":{"max_tokens":"99999"}', null), {
    code: 'invalid_value',
    param: 'reasoning.max_tokens',
  });
});

test('a reasoning field that cannot be read is refused if it must be translated', () => {
  for (const [reasoning, param] of [
    ['{"effort":"ultra"}', 'reasoning.effort'],
    ['"low"', 'reasoning'],
    [`{"x":"${'x'.repeat(5000)}"}`, 'reasoning'],
  ] as const) {
    const inbound = inboundOf(openaiChat, `{"model":"vendor/x","messages":[{}],"reasoning":${reasoning}}`);
    assert.throws(() => openaiChat.patchRequest(inbound, openaiChat.peek(inbound), { ...NO_EDITS, target: STRICT }), {
      code: 'invalid_value',
      param,
    });
  }
});

test('the beta header passes, and the provider gets the caller’s accept header', () => {
  const headers = { 'openai-beta': 'a=v1', 'openai-organization': 'org-1', 'x-claude-code-session-id': 's' };
  for (const [stream, accept] of [
    ['true', 'text/event-stream'],
    ['false', 'application/json'],
  ] as const) {
    const inbound = inboundOf(openaiChat, `{"model":"x","messages":[{}],"stream":${stream}}`, headers);
    assert.deepEqual(openaiChat.patchRequest(inbound, openaiChat.peek(inbound), NO_EDITS).headers, {
      'content-type': 'application/json',
      accept,
      'openai-beta': 'a=v1',
    });
  }
});

/** What a strict provider should read. */
function withoutOpenRouter(body: Record<string, unknown>): Record<string, unknown> {
  const { usage, provider, plugins, transforms, route, include_reasoning, reasoning, ...rest } = body;
  if (reasoning === undefined) return rest;
  // One of the two generated reasoning fields has an effort.
  const effort = JSON.stringify(reasoning).includes('low') ? 'low' : rest['reasoning_effort'];
  return effort === undefined ? rest : { ...rest, reasoning_effort: effort };
}

function patch(extra: string, edits: RequestEdits<Quirks>): string {
  const inbound = inboundOf(openaiChat, `{"model":"vendor/x","messages":[{}],${extra}}`);
  return openaiChat.patchRequest(inbound, openaiChat.peek(inbound), edits).body.toString();
}

const arbitraryField: fc.Arbitrary<readonly [string, unknown]> = fc.oneof(
  fc.tuple(
    fc.string().map((name) => `x-${name}`),
    fc.jsonValue({ maxDepth: 4 }),
  ),
  fc.tuple(fc.constantFrom('max_tokens', 'max_completion_tokens'), fc.option(fc.integer({ min: 1, max: 1e6 }))),
  fc.tuple(fc.constant('stream'), fc.option(fc.boolean())),
  fc.constantFrom<readonly [string, unknown]>(
    ['usage', { include: true }],
    ['provider', { order: ['a'] }],
    ['plugins', []],
    ['transforms', ['middle-out']],
    ['route', 'fallback'],
    ['include_reasoning', true],
    ['reasoning', { effort: 'low' }],
    ['reasoning', { enabled: true }],
    ['reasoning_effort', 'high'],
  ),
  fc.tuple(
    fc.constant('stream_options'),
    fc.option(fc.oneof(fc.constant({}), fc.record({ include_usage: fc.option(fc.boolean()), other: fc.jsonValue() }))),
  ),
);

const arbitraryEdits: fc.Arbitrary<RequestEdits<Quirks>> = fc.record({
  model: fc.string({ minLength: 1 }).filter((model) => model.trim() !== ''),
  outputCap: fc.option(fc.integer({ min: 1, max: 9000 })),
  quirks: fc
    .constantFrom<OutputCapFields>(EITHER, ['max_tokens'], ['max_completion_tokens'])
    .map((outputCapFields) => ({ ...STRICT.quirks, outputCapFields })),
  target: fc.constantFrom(null, STRICT),
});

/** Fields in any order, spaced by `JSON.stringify` or wildly. */
const arbitraryBody: fc.Arbitrary<string> = fc
  .tuple(
    fc.uniqueArray(arbitraryField, { selector: ([name]) => name, maxLength: 8 }),
    fc.nat(),
    fc.string({ minLength: 1 }).filter((model) => model.trim() !== ''),
    fc.array(fc.constantFrom(' ', '\n', '\t', '\r', ''), { minLength: 4, maxLength: 4 }),
  )
  .map(([fields, place, model, spaces]) => {
    const all: (readonly [string, unknown])[] = [...fields, ['messages', [{ role: 'user', content: model }]]];
    all.splice(place % (all.length + 1), 0, ['model', model]);
    const [a, b, c, d] = spaces;
    const members = all.map(
      ([name, value]) => `${a}${JSON.stringify(name)}${b}:${c}${JSON.stringify(value, null, d)}${a}`,
    );
    return `${d}{${members.join(',')}}${a}`;
  });

function inOnePiece(body: Body): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.concat(body);
}
