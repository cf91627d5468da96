/** Goal: a line is read as it was written, and whatever is wrong with it has a code. Method: lines by hand, and hostile ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchEndpoints, findEndpoint } from './endpoints.ts';
import { LineError, readLine } from './read-line.ts';
import { answeredLine } from './result-line.ts';

const GOOD = '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"m"}}';

test('the body and the id stay as they were written', async () => {
  const body = '{ "model":"m",\t"n": 1.0, "text": "\\u00e4" }';
  const line = await readLine(Buffer.from(GOOD.replace('{"model":"m"}', body).replace('"a"', '"\\u0061b"')));
  assert.equal(line.body.toString(), body);
  assert.equal(line.customId, 'ab');
  assert.equal(line.customIdJson.toString(), '"\\u0061b"');
  assert.equal(line.url, '/v1/chat/completions');
});

const wrong: readonly (readonly [line: string | Buffer, code: string])[] = [
  ['[]', 'invalid_json_line'],
  ['{', 'invalid_json_line'],
  [`${GOOD}x`, 'invalid_json_line'],
  [GOOD.replace('"a"', '"a\u0001"'), 'invalid_json_line'],
  [GOOD.replace('"custom_id":"a",', ''), 'missing_required_parameter'],
  [GOOD.replace('"a"', '""'), 'invalid_value'],
  [GOOD.replace('"a"', `"${'a'.repeat(513)}"`), 'invalid_value'],
  [GOOD.replace('"a"', `"${'a'.repeat(1_000_000)}"`), 'invalid_value'],
  [GOOD.replace('"a"', 'null'), 'invalid_value'],
  [GOOD.replace('POST', 'post'), 'invalid_method'],
  [GOOD.replace('{"model":"m"}', '[]'), 'invalid_value'],
  [GOOD.replace('{"model":"m"}', '{"stream":true}'), 'unsupported_value'],
  [GOOD.replace('{"model":"m"}', '{"a":1,"a":2}'), 'duplicate_key'],
  [GOOD.replace('"method"', '"custom_id":"b","method"'), 'duplicate_key'],
  [Buffer.concat([Buffer.from(GOOD.slice(0, -3)), Buffer.of(0xff), Buffer.from('"}}')]), 'invalid_utf8'],
  [GOOD.replace('{"model":"m"}', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`), 'json_too_deep'],
];

for (const [line, code] of wrong)
  test(`${code}: ${line.toString().slice(0, 90)}`, async () => {
    await assert.rejects(readLine(Buffer.from(line)), (error) => error instanceof LineError && error.code === code);
  });

test('a long line is read in turns', async () => {
  const text = 'x'.repeat(8_000_000);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const line = await readLine(Buffer.from(GOOD.replace('"m"', `"${text}"`)));
  clearInterval(counting);
  assert.equal(line.body.length, text.length + 12);
  assert.ok(turns > 0);
});

test('batches go to what is paid for, takes JSON and answers with it', () => {
  for (const path of ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/embeddings', '/v1/completions'])
    assert.notEqual(findEndpoint(path), null, path);
  for (const path of ['/v1/moderations', '/v1/rerank', '/v1/images/generations'])
    assert.notEqual(findEndpoint(path), null, path);
  for (const path of ['/v1/audio/speech', '/v1/audio/transcriptions', '/v1/messages/count_tokens', '/v1/models', '/'])
    assert.equal(findEndpoint(path), null, path);
  assert.equal(findEndpoint('/v1/chat/completions'), findEndpoint('/api/v1/chat/completions'));
  assert.ok(batchEndpoints.includes('/v1/chat/completions'));
});

test('a result is one line, whatever line breaks an answer has', async () => {
  const body = Buffer.from('{\r\n  "text": "a\\nb",\n  "list": [\n1,\n2]\n}\n');
  const line = await lineOf(body);
  assert.equal(line.indexOf('\n'), line.length - 1);
  assert.equal(line.includes('\r'), false);
  assert.deepEqual(JSON.parse(line).response.body, { text: 'a\nb', list: [1, 2] });
});

test('a large answer of many line breaks is put on one line in turns', async () => {
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const line = await lineOf(Buffer.from(`{"text":"a"${'\n'.repeat(8_000_000)}}`));
  clearInterval(counting);
  assert.equal(line.indexOf('\n'), line.length - 1);
  assert.deepEqual(JSON.parse(line).response.body, { text: 'a' });
  assert.ok(turns > 0);
});

async function lineOf(body: Buffer): Promise<string> {
  const line = await answeredLine(Buffer.from('"a"'), { status: 200, callId: '0'.repeat(26) as never, body });
  return (Buffer.isBuffer(line) ? line : Buffer.concat(line)).toString();
}
