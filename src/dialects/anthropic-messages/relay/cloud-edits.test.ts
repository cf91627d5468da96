/** Goal: for a cloud only the published edits are made, wherever the fields stand. Method: bodies with unusual spacing and order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundOf } from '../../contract-fixture.ts';
import { anthropicMessages } from '../anthropic-messages.ts';
import { type CloudName, clouds } from '../clouds.ts';
import { usualQuirks } from '../quirks.ts';

function patched(body: string, cloud: CloudName, betas = '', operation: 'chat' | 'count_tokens' = 'chat') {
  const inbound = inboundOf(anthropicMessages, body, betas === '' ? {} : { 'anthropic-beta': betas });
  const peek = operation === 'chat' ? anthropicMessages.peek(inbound) : anthropicMessages.counting?.peek(inbound);
  assert(peek !== undefined);
  const edits = { operation, model: 'there', outputCap: null, quirks: { ...usualQuirks, cloud } };
  const { headers, body: bytes, warnings = [] } = anthropicMessages.patchRequest(inbound, peek, edits);
  return { headers, text: bytes.toString(), warnings };
}

const REST = '"max_tokens":9,"messages":[{}]';

for (const [name, body, expected] of [
  ['first', `{"model":"m",${REST},"stream":true}`, `{"anthropic_version":"bedrock-2023-05-31",${REST}}`],
  ['last', `{"stream":true,${REST},"model":"m"}`, `{${REST},"anthropic_version":"bedrock-2023-05-31"}`],
  ['before stream', `{${REST},"model":"m" , "stream":true }`, `{${REST},"anthropic_version":"bedrock-2023-05-31"  }`],
  ['after stream', `{${REST},"stream" :true, "model":"m"}`, `{${REST},"anthropic_version":"bedrock-2023-05-31"}`],
  [
    'with a version and betas of the caller’s',
    `{"anthropic_beta":["x"],"model":"m","anthropic_version":"y",${REST}}`,
    `{"anthropic_version":"bedrock-2023-05-31",${REST}}`,
  ],
] as const)
  test(`the model ${name}: only the version is in its place, and the rest is JSON`, () => {
    const { text } = patched(body, 'bedrock');
    assert.equal(text, expected);
    JSON.parse(text);
  });

test('Vertex keeps `stream`, and the model where tokens are counted', () => {
  assert.equal(
    patched(`{"model":"m",${REST},"stream":true}`, 'vertex').text,
    `{"anthropic_version":"vertex-2023-10-16",${REST},"stream":true}`,
  );
  assert.equal(
    patched('{"messages":[{}],"model":"m"}', 'vertex', '', 'count_tokens').text,
    '{"messages":[{}],"anthropic_version":"vertex-2023-10-16","model":"there"}',
  );
});

test('every beta that a cloud knows is sent once, in its place; others are named in a warning', () => {
  for (const [cloud, { betas }] of Object.entries(clouds)) {
    const names = [...betas.keys()];
    const { headers, text, warnings } = patched(
      `{"model":"m",${REST}}`,
      cloud as CloudName,
      [...names, ...names].join(' , '),
    );
    const inBody: unknown = (JSON.parse(text) as { anthropic_beta?: unknown }).anthropic_beta ?? [];
    const inHeader = headers['anthropic-beta']?.split(',') ?? [];
    const sent = (at: 'header' | 'body') => [
      ...new Set([...betas.values()].flatMap((beta) => (beta.at === at ? beta.name : []))),
    ];
    assert.deepEqual([inBody, inHeader], [sent('body'), sent('header')], cloud);
    assert.deepEqual(warnings, []);
  }
  const { text, headers, warnings } = patched(`{"model":"m",${REST}}`, 'bedrock', 'new-2027-01-01,"><script>');
  assert.equal(text, `{"anthropic_version":"bedrock-2023-05-31",${REST}}`);
  assert.equal(headers['anthropic-beta'], undefined);
  assert.deepEqual(warnings, ['this provider does not have the beta new-2027-01-01, a beta: left out']);
});

test('eager streaming of a tool’s input becomes a beta at Bedrock, and is left out with a warning at Vertex', () => {
  const tool =
    '{"name":"a","eager_input_streaming":true,"input_schema":{"properties":{"eager_input_streaming":{"type":"string"}}}}';
  const without = tool.replace('"eager_input_streaming":true,', '');
  const body = `{"model":"m",${REST},"tools":[${tool}, ${tool}]}`;
  const bedrock = patched(body, 'bedrock');
  assert.equal(
    bedrock.text,
    `{"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["fine-grained-tool-streaming-2025-05-14"],${REST},"tools":[${without}, ${without}]}`,
  );
  assert.deepEqual(bedrock.warnings, []);
  const vertex = patched(body, 'vertex');
  assert.equal(vertex.text, `{"anthropic_version":"vertex-2023-10-16",${REST},"tools":[${without}, ${without}]}`);
  assert.deepEqual(vertex.warnings, ['this provider does not have eager_input_streaming: left out']);
});

test('the scope of a cache mark is left out with a warning; the same word elsewhere stays', () => {
  const mark = (scope: string) => `{"type":"text","text":"x","cache_control":{"type":"ephemeral"${scope}}}`;
  const body = (scope: string) =>
    `{"model":"m","max_tokens":9,"system":[${mark(scope)}],"messages":[{"role":"user","content":[${mark(scope)},` +
    '{"type":"tool_use","id":"t","name":"a","input":{"scope":"all"}}]}]}';
  const { text, warnings } = patched(body(',"scope":"global"'), 'bedrock');
  assert.equal(text, body('').replace('"model":"m"', '"anthropic_version":"bedrock-2023-05-31"'));
  assert.match(warnings.join(), /scope was left out/);
});

test('a body with none of these fields has no other byte changed', () => {
  const body = `{ "max_tokens" : 9 ,\n"model":\t"m", "messages":[{"role":"user","content":"h\\u00e9"}], "n":12345678901234567890 }`;
  assert.equal(patched(body, 'vertex').text, body.replace('"model":\t"m"', '"anthropic_version":"vertex-2023-10-16"'));
});
