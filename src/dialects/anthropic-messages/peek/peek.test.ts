/** Goal: a request is understood without parsing its conversation. Method: tables of bodies and what is read from them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { NO_MEDIA } from '../../kit/media/inline-media.ts';
import { inboundOf, leastRequest } from '../fixtures/read-fixture.ts';
import { peek } from './peek.ts';

describe('peek', () => {
  test('reads a minimal request', () => {
    const inbound = inboundOf(leastRequest);
    assert.deepEqual(peek(inbound), {
      model: 'anthropic/claude-lighthouse-4',
      stream: false,
      outputCap: 100,
      choices: 1,
      hasTools: false,
      namedTools: 0,
      wantsUsage: true,
      hasFormat: false,
      promptUnbounded: false,
      serverToolUses: 0,
      searchField: null,
      compacts: false,
      media: NO_MEDIA,
      promptBytes: JSON.stringify(leastRequest.messages).length,
      bodyBytes: inbound.document.bytes.length,
      values: inbound.document.values,
      growth: 0,
      predictedTokens: 0,
      needsTarget: false,
    });
  });

  test('reads the model and decodes its escapes', () => {
    const body = '{"model":"a\\u002fb","max_tokens":1,"messages":[1]}';
    assert.equal(peek(inboundOf(body)).model, 'a/b');
  });

  test('an output cap of zero is a request to warm the cache', () => {
    assert.equal(peek(inboundOf({ ...leastRequest, max_tokens: 0 })).outputCap, 0);
    assert.equal(peek(inboundOf('{"model":"a","max_tokens":-0,"messages":[1]}')).outputCap, 0);
  });

  test('for optional fields null means the same as absent', () => {
    const read = peek(inboundOf({ ...leastRequest, stream: null, tools: null, thinking: null }));
    assert.equal(read.stream, false);
    assert.equal(read.hasTools, false);
  });

  test('stream and tools are seen', () => {
    const read = peek(inboundOf({ ...leastRequest, stream: true, tools: [{ name: 'x', input_schema: {} }] }));
    assert.equal(read.stream, true);
    assert.equal(read.hasTools, true);
    assert.equal(peek(inboundOf({ ...leastRequest, tools: [] })).hasTools, false);
  });

  const { model: _model, ...withoutModel } = leastRequest;
  const { max_tokens: _cap, ...withoutCap } = leastRequest;
  const { messages: _messages, ...withoutMessages } = leastRequest;
  const refused: readonly (readonly [unknown, string, string])[] = [
    [withoutModel, 'missing_field', 'model'],
    [{ ...leastRequest, model: null }, 'missing_field', 'model'],
    [{ ...leastRequest, model: '' }, 'invalid_value', 'model'],
    [{ ...leastRequest, model: ' ' }, 'invalid_value', 'model'],
    [{ ...leastRequest, model: 7 }, 'invalid_value', 'model'],
    [{ ...leastRequest, model: 'm'.repeat(600) }, 'invalid_value', 'model'],
    [withoutCap, 'missing_field', 'max_tokens'],
    [{ ...leastRequest, max_tokens: null }, 'missing_field', 'max_tokens'],
    [{ ...leastRequest, max_tokens: -1 }, 'invalid_value', 'max_tokens'],
    [{ ...leastRequest, max_tokens: 1.5 }, 'invalid_value', 'max_tokens'],
    [{ ...leastRequest, max_tokens: '100' }, 'invalid_value', 'max_tokens'],
    [{ ...leastRequest, max_tokens: 2 ** 31 + 1 }, 'invalid_value', 'max_tokens'],
    ['{"model":"a","max_tokens":1e999,"messages":[1]}', 'invalid_value', 'max_tokens'],
    [`{"model":"a","max_tokens":${'9'.repeat(5000)},"messages":[1]}`, 'invalid_value', 'max_tokens'],
    [withoutMessages, 'missing_field', 'messages'],
    [{ ...leastRequest, messages: 'Ahoy' }, 'invalid_value', 'messages'],
    ['{"model":"a","max_tokens":1,"messages":[ \n ]}', 'invalid_value', 'messages'],
    [{ ...leastRequest, stream: 'yes' }, 'invalid_value', 'stream'],
    [{ ...leastRequest, tools: [{ type: 'advisor_20260301', model: 'x' }] }, 'field_not_allowed', 'tools'],
  ];

  for (const [body, code, param] of refused) {
    test(`refuses with ${code} of ${param}: ${JSON.stringify(body).slice(0, 90)}`, () => {
      assert.throws(
        () => peek(inboundOf(body)),
        (error) =>
          error instanceof GatewayError && error.code === code && error.param === param && error.status === 400,
      );
    });
  }
});

describe('how often the tools of the provider may be used', () => {
  const search = { type: 'web_search_20260318', name: 'web_search' };
  const rows: [behaviour: string, tools: unknown[], uses: number | 'unbounded'][] = [
    ['none without any', [{ name: 'x', input_schema: {} }], 0],
    ['as often as its limit', [{ ...search, max_uses: 3 }], 3],
    [
      'all together',
      [
        { ...search, max_uses: 3 },
        { type: 'web_fetch_20260318', max_uses: 2 },
      ],
      5,
    ],
    ['without a limit, no number', [{ ...search, max_uses: 3 }, { type: 'web_fetch_20260318' }], 'unbounded'],
    ['an invalid limit', [{ ...search, max_uses: 1.5 }], 'unbounded'],
    ['a limit of a tool without a date', [{ type: 'web_search', name: 'web_search', max_uses: 3 }], 'unbounded'],
    ['no date', [{ type: 'web_search', name: 'web_search' }], 'unbounded'],
    ['the name of another house', [{ type: 'openrouter:web_search' }], 'unbounded'],
    ['a date and then more', [{ type: 'web_search_20260318_fast', max_uses: 3 }], 'unbounded'],
    ['a field that names it', [{ google_search: {} }], 'unbounded'],
    ['a field that names it in addition to a tool', [{ name: 'x', input_schema: {}, google_search: {} }], 'unbounded'],
    ['a type in capitals', [{ Type: 'web_search_20260318', name: 'x', input_schema: {} }], 'unbounded'],
    ['a type that is no text', [{ type: ['web_search'], name: 'x', input_schema: {} }], 'unbounded'],
    ['no object', ['web_search'], 'unbounded'],
    ['tools of the caller, dated or not', [{ type: 'bash', name: 'bash' }, { type: 'memory_20250818' }], 0],
    ['unknown texts and flags', [{ name: 'x', input_schema: {}, vendor: 'y', hidden: false }], 0],
    ['a limit of a tool that takes none', [{ type: 'code_execution_20260521', max_uses: 3 }], 'unbounded'],
  ];
  for (const [behaviour, tools, uses] of rows) {
    test(behaviour, () => assert.equal(peek(inboundOf({ ...leastRequest, tools })).serverToolUses, uses));
  }

  test('tools that are only named are counted, also in a turn', () => {
    const named = [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'computer', name: 'computer' },
    ];
    const own = { name: 'x', type: 'custom', input_schema: {} };
    assert.equal(peek(inboundOf({ ...leastRequest, tools: [...named, own, { ...own, name: 'y' }] })).namedTools, 2);
    const definition = { type: 'tool_definition', definition: { type: 'text_editor_20250728', name: 'e' } };
    const messages = [{ role: 'user', content: [{ type: 'tool_addition', tool: definition }] }];
    assert.equal(peek(inboundOf({ ...leastRequest, messages, tools: named })).namedTools, 3);
    assert.equal(peek(inboundOf({ ...leastRequest, tools: [own] })).namedTools, 0);
  });

  test('a conversation that is summarised is read twice', () => {
    assert.equal(peek(inboundOf({ ...leastRequest, compaction: { type: 'summarize' } })).compacts, true);
    assert.equal(peek(inboundOf(leastRequest)).compacts, false);
  });
});

describe('whether the prompt is bounded by the body', () => {
  const inTurn = (...content: unknown[]) => ({ ...leastRequest, messages: [{ role: 'user', content }] });
  const withTools = (...tools: unknown[]) => ({ ...leastRequest, tools });
  const custom = { name: 'x', input_schema: { type: 'object', properties: { day_2026: { type: 'string' } } } };

  const bounded: Record<string, unknown> = {
    'a source that is an argument': inTurn({ type: 'tool_use', input: { source: { type: 'oracle' } } }),
    'a url that is an argument of a tool call': inTurn({ type: 'tool_use', input: { source: { url: 'https://a' } } }),
    'custom tools': withTools(custom, { ...custom, type: 'custom' }),
    'tools the caller runs': withTools(
      { type: 'bash_20250124' },
      { type: 'text_editor_20250728' },
      { type: 'memory_20250818' },
    ),
    'a tool that is named like a server tool': withTools({ ...custom, name: 'web_search_20250305' }),
    'thinking that is cleared': {
      ...leastRequest,
      context_management: { edits: [{ type: 'clear_thinking_20251015' }] },
    },
    'a mid-conversation reference to a tool': inTurn({
      type: 'tool_addition',
      tool: { type: 'tool_reference', name: 'x' },
    }),
  };
  for (const [name, body] of Object.entries(bounded)) {
    test(`${name}: bounded`, () => assert.equal(peek(inboundOf(body)).promptUnbounded, false));
  }

  const unbounded: Record<string, unknown> = {
    'web search': withTools(custom, { type: 'web_search_20260318', name: 'web_search' }),
    'web fetch': withTools({ type: 'web_fetch_20260318', name: 'web_fetch' }),
    'code execution': withTools({ type: 'code_execution_20260521', name: 'code_execution' }),
    'an unknown server tool': withTools({ type: 'oracle_20280101', name: 'oracle' }),
    'a type that is spelled with an escape': `{"model":"a","max_tokens":1,"messages":[1],"tools":[{"\\u0074ype":"web\\u005fsearch"}]}`,
    'a server tool that is defined in a turn': inTurn({
      type: 'tool_addition',
      tool: { type: 'tool_definition', definition: { type: 'web_search_20260318', name: 'web_search' } },
    }),
    'compaction in context management': {
      ...leastRequest,
      context_management: { edits: [{ type: 'compact_20260112' }] },
    },
    'compaction by itself': { ...leastRequest, compaction: { type: 'summarize' } },
  };
  for (const [name, body] of Object.entries(unbounded)) {
    test(`${name}: unbounded`, () => assert.equal(peek(inboundOf(body)).promptUnbounded, true));
  }

  test('tools of the provider are refused if they are too large to read', () => {
    const body = withTools({ type: 'web_search_20260318' }, { name: 'x', description: 'y'.repeat(1024 * 1024) });
    assert.throws(() => peek(inboundOf(body)), { code: 'invalid_value', param: 'tools' });
  });

  test('nested definitions are read more than once, so their total size is bounded', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { d: 'y'.repeat(9000) } : { definition: nested(depth - 1) };
    const body = (depth: number) => ({ ...leastRequest, messages: [{ role: 'user', content: [nested(depth)] }] });
    assert.equal(peek(inboundOf(body(40))).promptUnbounded, false);
    assert.throws(() => peek(inboundOf(body(80))), { code: 'invalid_value', param: 'tools' });
  });

  test('a context management too large to be searched counts as one that compacts', () => {
    const body = { ...leastRequest, context_management: { edits: ['y'.repeat(70_000)] } };
    assert.equal(peek(inboundOf(body)).promptUnbounded, true);
  });

  test('custom tools that exceed every context window are refused', () => {
    const body = withTools({ name: 'x', description: 'y'.repeat(8 * 1024 * 1024) });
    assert.throws(() => peek(inboundOf(body)), { code: 'invalid_value', param: 'tools' });
  });

  test('custom tools may be large', () => {
    assert.equal(
      peek(inboundOf(withTools({ name: 'x', description: 'y'.repeat(2 * 1024 * 1024) }))).promptUnbounded,
      false,
    );
  });

  test('a broken escape in the tools is invalid JSON, not a failure of the gateway', () => {
    const body = '{"model":"a","max_tokens":1,"messages":[1],"tools":[{"type":"_20\\x"}]}';
    assert.throws(() => peek(inboundOf(body)), { code: 'invalid_json' });
  });
});
