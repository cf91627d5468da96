/**
 * Goal: the peek reads what the gateway needs from a request, and refuses what it must. Method: tables of bodies, scanned as the gateway
 * does.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { inboundOf } from '../../contract.ts';
import type { Peek } from '../../interface/peek.ts';
import { openaiChat } from '../openai-chat.ts';
import { governedFields } from './governed-fields.ts';

const BASE = '"model":"vendor/x","messages":[{"role":"user","content":"hi"}]';

test('reads what a request asks for', () => {
  const rows: readonly (readonly [string, Partial<Peek>])[] = [
    ['', { model: 'vendor/x', stream: false, outputCap: null, choices: 1, hasTools: false, wantsUsage: false }],
    ['"stream":true', { stream: true, wantsUsage: false }],
    [
      '"stream":null,"n":null,"max_tokens":null,"stream_options":null,"tools":null',
      { stream: false, choices: 1, outputCap: null },
    ],
    ['"stream":true,"stream_options":{"include_usage":true}', { wantsUsage: true }],
    ['"stream":true,"stream_options":{"include_usage":false}', { wantsUsage: false }],
    ['"stream":true,"stream_options":{"include_\\u0075sage":true}', { wantsUsage: true }],
    ['"stream_options":{"include_usage":true}', { wantsUsage: false }],
    ['"max_tokens":7', { outputCap: 7 }],
    ['"max_completion_tokens":1e3', { outputCap: 1000 }],
    ['"max_completion_tokens":8,"max_tokens":2147483647', { outputCap: 8 }],
    ['"max_completion_tokens":null,"max_tokens":2147483647', { outputCap: 2 ** 31 - 1 }],
    ['"n":128', { choices: 128 }],
    ['"tools":[ ]', { hasTools: false }],
    ['"tools":[{"type":"function","function":{"name":"f"}}]', { hasTools: true, promptUnbounded: false }],
    ['"functions":[{"name":"f"}]', { hasTools: true }],
  ];
  for (const [extra, expected] of rows) {
    const seen = peekOf(extra);
    assert.deepEqual({ ...seen, ...expected }, seen, extra);
  }
  const body = `{${BASE}}`;
  assert.equal(openaiChat.peek(inboundOf(openaiChat, body)).bodyBytes, body.length);
});

test('refuses what no provider could serve, and names the field', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['{"messages":[{}]}', 'missing_field', 'model'],
    ['{"model":null,"messages":[{}]}', 'missing_field', 'model'],
    ['{"model":" ","messages":[{}]}', 'invalid_value', 'model'],
    [`{"model":"${'m'.repeat(600)}","messages":[{}]}`, 'invalid_value', 'model'],
    ['{"model":"x"}', 'missing_field', 'messages'],
    ['{"model":"x","messages":[ ]}', 'invalid_value', 'messages'],
    ['{"model":"x","messages":"hi"}', 'invalid_value', 'messages'],
    [`{${BASE},"stream":"true"}`, 'invalid_value', 'stream'],
    [`{${BASE},"stream":true,"stream_options":[]}`, 'invalid_value', 'stream_options'],
    [`{${BASE},"stream":true,"stream_options":{"x":"${'x'.repeat(5000)}"}}`, 'invalid_value', 'stream_options'],
    [`{${BASE},"stream":true,"stream_options":{"include_usage":1}}`, 'invalid_value', 'stream_options.include_usage'],
    ...['0', '-1', '1.5', '2147483648', '1e30', '"7"', '[1]', `1${'0'.repeat(40)}`].map(
      (value) => [`{${BASE},"max_tokens":${value}}`, 'invalid_value', 'max_tokens'] as const,
    ),
    [`{${BASE},"max_completion_tokens":0}`, 'invalid_value', 'max_completion_tokens'],
    [`{${BASE},"n":129}`, 'invalid_value', 'n'],
    [`{${BASE},"n":0}`, 'invalid_value', 'n'],
  ];
  for (const [body, code, param] of rows) assert.deepEqual(refusalOf(body), [code, param], body);
});

test('knows when a provider may read more than the body contains', () => {
  const inMessage = (part: string) => `"messages":[{"role":"user","content":[${part}]}],"model":"x"`;
  const rows: readonly (readonly [string, boolean])[] = [
    [inMessage('{"type":"text","text":"https://a.example"}'), false],
    [`${BASE},"tool_choice":{"type":"openrouter:web_search"}`, true],
    [`${BASE},"tool_choice":{"type":"function","function":{"name":"f"}}`, false],
    [`${BASE},"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}}`, false],
    [`${BASE},"web_search_options":{}`, true],
    [`${BASE},"web_search_options":null`, false],
    [`${BASE},"tools":[{"type":"custom","custom":{"name":"c"}}]`, false],
    [`${BASE},"tools":[{"function":{"name":"f"}}]`, false],
    [
      `${BASE},"tools":[{"type":"function","function":{"parameters":{"properties":{"type":{"type":"web"},"url":{}}}}}]`,
      false,
    ],
    [`${BASE},"tools":[{"type":"function"} , {"type":"openrouter:web_search"}]`, true],
    [`${BASE},"tools":[{"type":"function","type":"browser_search"}]`, true],
    [`${BASE},"tools":[{"t\\u0079pe":"browser_search"}]`, true],
    [`${BASE},"tools":["web_search"]`, true],
    // Moonshot's own functions begin with that character.
    [`${BASE},"tools":[{"type":"builtin_function","function":{"name":"$web_search"}}]`, true],
    [`${BASE},"tools":[{"type":"function","function":{"description":"d","name":"$web_search"}}]`, true],
    [`${BASE},"tools":[{"type":"function","function":{"name":"\\u0024web_search"}}]`, true],
    [`${BASE},"tools":[{"function":{"n\\u0061me":"$web_search"}}]`, true],
    [`${BASE},"tools":[{"type":"function","name":"$web_search"}]`, true],
    [`${BASE},"tool_choice":{"type":"function","function":{"name":"$web_search"}}`, true],
    [`${BASE},"tools":[{"function":{"name":"f","parameters":{"$defs":{"name":{"$ref":"#"}}}}}]`, false],
    // More than is plausible, so they are not walked.
    [`${BASE},"tools":[${'{"a":1},'.repeat(1024)}{}]`, true],
    [`${BASE},"tools":[{${'"a":1,'.repeat(64)}"b":1}]`, true],
    [`${BASE},"tools":[{"google_search":{}}]`, true],
    [`${BASE},"tools":[{"googleSearch":{}}]`, true],
    [`${BASE},"tools":[{"type":"function","function":{"name":"f"},"url_context":{}}]`, true],
    [`${BASE},"tools":[{"function":{"name":"f"},"code_execution":true}]`, true],
    [`${BASE},"tools":[{"type":"function","function":{"name":"google_search"},"strict":true,"x":"y","z":null}]`, false],
    [`${BASE},"tools":[{"type":"function","name":"f","parameters":{"properties":{"google_search":{}}}}]`, false],
    [`${BASE},"web_search_options":{}`, true],
    [`${BASE},"enable_search":true`, true],
    [`${BASE},"enable_search":false,"web_search_options":null,"connectors":[],"search_options":null`, false],
    [`${BASE},"connectors":[{"id":"web-search"}]`, true],
    [`${BASE},"web_search":{"enable":true}`, true],
    // Not walked, so it is not known.
    [`${BASE},"tools":[{"type":"function","function":{"description":"${'x'.repeat(600_000)}"}}]`, true],
  ];
  for (const [fields, unbounded] of rows) {
    assert.equal(openaiChat.peek(inboundOf(openaiChat, `{${fields}}`)).promptUnbounded, unbounded, fields);
  }
});

test('what an answer may cost in addition to its cap is read', () => {
  const prediction = '{"type":"content","content":"The tide comes in."}';
  assert.equal(peekOf(`"prediction":${prediction}`).predictedTokens, prediction.length);
  assert.equal(peekOf(`"prediction":"\ufdfa"`).predictedTokens, 5 + 30);
  assert.equal(peekOf('"prediction":null').predictedTokens, 0);
});

test('what makes a long prompt from a short body is read', () => {
  for (const field of [
    '"chat_template":"{% for i in range(9999) %}x{% endfor %}"',
    '"mm_processor_kwargs":{"a":1}',
    '"media_io_kwargs":{}',
  ]) {
    assert.equal(peekOf(field).promptUnbounded, true, field);
  }
  assert.equal(peekOf('"chat_template":null,"chat_template_kwargs":{"enable_thinking":false}').promptUnbounded, false);
  assert.equal(peekOf('"user":"\ufdfa"').growth, 30);
  assert.equal(peekOf('"user":"\\ufdfa"').growth, 30);
  assert.equal(peekOf('"user":"Ärger, 日本語"').growth, 0);
});

test('every governed field passes as null and as an empty list, and is refused with a value', () => {
  for (const { name, passes, looked } of governedFields) {
    peekOf(`"${name}":null`);
    // Inspected values have separate tests.
    if (looked !== undefined) continue;
    peekOf(`"${name}":[]`);
    for (const value of passes) peekOf(`"${name}":${JSON.stringify(value)}`);
    const code = passes.length === 0 ? 'field_not_allowed' : 'unsupported_value';
    assert.deepEqual(refusalOf(`{${BASE},"${name}":{"a":"b"}}`), [code, name]);
    assert.deepEqual(refusalOf(`{${BASE},"${name}":"${'x'.repeat(500)}"}`), [code, name]);
  }
});

test('a voice is one of the vendor by its name, not one that the operator stores', () => {
  for (const audio of ['null', '{}', '{"voice":"alloy","format":"wav"}', '{"voice":null}']) peekOf(`"audio":${audio}`);
  for (const voice of ['{"id":"voice_1"}', '"voice_1"', '"voic\\u0065_1"', '["alloy"]'])
    assert.deepEqual(refusalOf(`{${BASE},"audio":{"voice":${voice}}}`), ['unsupported_value', 'audio.voice']);
  const twice = '{"voice":"alloy","voic\\u0065":{"id":"voice_1"}}';
  assert.deepEqual(refusalOf(`{${BASE},"audio":${twice}}`), ['unsupported_value', 'audio']);
});

test('fields that say where a call may be served pass if they can be judged, and are refused by name if not', () => {
  const passing = [
    '"models":[]',
    '"models":["vendor/x","vendor\\/x","vendor/y"]',
    '"route":"fallback"',
    '"provider":{}',
    '"provider":{"allow_fallbacks":true,"require_parameters":false,"data_collection":"allow","zdr":null,"only":[],"max_price":{}}',
    '"provider":{"order":["anthropic"],"sort":{"by":"price"},"preferred_max_latency":2}',
    '"plugins":[]',
    '"plugins":[{"id":"web","enabled":false},{"id":"context-compression","engine":"middle-out"}]',
    '"transforms":["middle-out"],"usage":{"include":true},"reasoning":{"effort":"low"},"include_reasoning":true',
  ];
  for (const field of passing) assert.equal(peekOf(field).needsTarget, true, field);
  assert.equal(peekOf('"user":"u1"').needsTarget, false);
  const refused: readonly (readonly [string, string])[] = [
    ['"models":"vendor/x"', 'models'],
    ['"models":[1]', 'models'],
    ['"route":"cheapest"', 'route'],
    ['"provider":"anthropic"', 'provider'],
    ['"provider":{"data_collection":"never"}', 'provider.data_collection'],
    ['"provider":{"constructor":1}', 'provider.constructor'],
    ['"provider":{"zdr":true,"zdr":false}', 'provider'],
    ['"provider":{"zdr":true,"\\u007adr":false}', 'provider'],
    [`"provider":{"order":["${'x'.repeat(5000)}"]}`, 'provider'],
    ['"plugins":[{"id":"web","enabled":false,"Enabled":true}]', 'plugins'],
    ['"provider":{"zdr":false,"Z_DR":true}', 'provider'],
    ['"plugins":[{"id":"web"}]', 'plugins[0]'],
    ['"plugins":[{"id":"context-compression"},{"id":"file-parser"}]', 'plugins[1]'],
    ['"plugins":["web"]', 'plugins[0]'],
    ['"plugins":{"id":"web"}', 'plugins'],
  ];
  for (const [field, param] of refused)
    assert.deepEqual(refusalOf(`{${BASE},${field}}`), ['unsupported_value', param], field);
});

test('an ambiguous reasoning field is refused', () => {
  for (const [reasoning, code, param] of [
    ['{"max_tokens":1,"max_tokens":100000}', 'invalid_value', 'reasoning'],
    ['{"max_tokens":1,"Max-Tokens":100000}', 'invalid_value', 'reasoning'],
    ['{"MAX_TOKENS":100000}', 'field_not_allowed', 'reasoning.MAX_TOKENS'],
    [`{"x":"${'x'.repeat(5000)}"}`, 'invalid_value', 'reasoning'],
  ] as const)
    assert.deepEqual(refusalOf(`{${BASE},"reasoning":${reasoning}}`), [code, param], reasoning.slice(0, 50));
});

test('a governed field is found however its name or value is spelled', () => {
  assert.deepEqual(refusalOf(`{${BASE},"ap\\u0069_base":"https://evil.example"}`), ['field_not_allowed', 'api_base']);
  assert.deepEqual(refusalOf(`{${BASE},"service_tier":"prior\\u0069ty"}`), ['unsupported_value', 'service_tier']);
  assert.deepEqual(refusalOf(`{${BASE},"modalities":["text","image"]}`), ['unsupported_value', 'modalities']);
  assert.equal(peekOf('"modalities":[ "text" , "audio" ],"service_tier":"\\u0061uto","store":false').model, 'vendor/x');
});

test('what a provider would merge with the request is refused, and so is what changes the price of a search', () => {
  const rows: readonly (readonly [string, string | null, string])[] = [
    ['"extra_body":{"google":{"thinking_config":{"thinking_budget":1}}}', null, ''],
    ['"extra_body":{}', null, ''],
    ['"extra_body":{"max_tokens":9}', 'field_not_allowed', 'extra_body.max_tokens'],
    ['"extra_body":{"google":{"tools":[{"google_search":{}}]}}', 'field_not_allowed', 'extra_body.google.tools'],
    ['"extra_body":"x"', 'invalid_value', 'extra_body'],
    ['"web_search_options":{"user_location":null,"search_context_size":null}', null, ''],
    [
      '"web_search_options":{"search_context_size":"high"}',
      'unsupported_value',
      'web_search_options.search_context_size',
    ],
  ];
  for (const [field, code, param] of rows) {
    if (code === null) peekOf(field);
    else assert.deepEqual(refusalOf(`{${BASE},${field}}`), [code, param], field);
  }
});

test('what may change the price of a search other than its size is refused', () => {
  for (const [name, value] of [
    ['search_type', '"pro"'],
    ['search_mode', '"academic"'],
    ['anything_new', '{}'],
  ]) {
    const refusal = refusalOf(`{${BASE},"web_search_options":{"user_location":{},"${name}":${value}}}`);
    assert.deepEqual(refusal, ['unsupported_value', `web_search_options.${name}`]);
    peekOf(`"web_search_options":{"user_location":{"type":"approximate"},"${name}":null}`);
  }
});

test('what makes a provider write more than is held is refused', () => {
  for (const field of [
    ...['max_length', 'max_gen_len', 'max_tokens_to_sample'].map((name) => `"${name}":9`),
    ...['num_completions', 'num_generations', 'num_return_sequences', 'candidate_count'].map((name) => `"${name}":2`),
    '"generationConfig":{"candidateCount":2}',
    '"generation_config":{"candidate_count":2}',
    '"options":{"num_predict":9}',
    '"model_list":[{"model_name":"x"}]',
    '"context_window_fallback_dict":{"x":"y"}',
  ]) {
    const name = field.slice(1, field.indexOf('"', 1));
    assert.deepEqual(refusalOf(`{${BASE},${field}}`), ['field_not_allowed', name]);
  }
  assert.deepEqual(refusalOf(`{${BASE},"use_beam_search":true}`), ['unsupported_value', 'use_beam_search']);
  peekOf('"use_beam_search":false');
});

test('an answer may have a minimum length within the cap', () => {
  for (const name of ['min_tokens', 'min_new_tokens', 'min_completion_tokens', 'min_length']) {
    for (const fields of [`"${name}":0`, `"${name}":null`, `"max_tokens":5,"${name}":5`]) peekOf(fields);
    for (const fields of [`"${name}":1`, `"max_tokens":5,"${name}":6`, `"max_completion_tokens":5,"${name}":99`])
      assert.deepEqual(refusalOf(`{${BASE},${fields}}`), ['unsupported_value', name], fields);
    assert.deepEqual(refusalOf(`{${BASE},"${name}":"5"}`), ['invalid_value', name]);
  }
});

test('stored data is refused where a provider would read it, and nowhere else', () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ['"messages":[{"content":[{"type":"file","file":{"file_id":"file-1"}}]}]', 'messages[].content[].file.file_id'],
    [
      '"messages":[{"content":[{"type":"file","file":{"file\\u005fid":"file-1"}}]}]',
      'messages[].content[].file.file_id',
    ],
    ['"messages":[{"role":"assistant","audio":{"id":"audio_1"}}]', 'messages[].audio'],
    ['"messages":[{"role":"assistant","audio":null}]', null],
    ['"messages":[{}],"tools":[{"type":"file_search","vector_store_ids":["vs_1"]}]', 'tools[].vector_store_ids'],
    [
      '"messages":[{}],"tools":[{"type":"function","function":{"parameters":{"properties":{"file_id":{},"file_ids":{}}}}}]',
      null,
    ],
    [
      '"messages":[{}],"extra_body":{"google":{"cached_content":"cachedContents/1"}}',
      'extra_body.google.cached_content',
    ],
    ['"messages":[{}],"metadata":{"file_id":"mine"},"prompt_cache_key":"k","user":"u"', null],
  ];
  for (const [fields, param] of rows) {
    const body = `{"model":"x",${fields}}`;
    if (param === null) assert.equal(openaiChat.peek(inboundOf(openaiChat, body)).model, 'x');
    else assert.deepEqual(refusalOf(body), ['field_not_allowed', param], body);
  }
});

function peekOf(extra: string): Peek {
  return openaiChat.peek(inboundOf(openaiChat, `{${BASE}${extra === '' ? '' : `,${extra}`}}`));
}

function refusalOf(body: string): readonly [string, string | null] {
  try {
    openaiChat.peek(inboundOf(openaiChat, body));
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    assert.equal(error.status, 400);
    return [error.code, error.param];
  }
  return assert.fail(`accepted: ${body.slice(0, 200)}`);
}
