// Goal: a kept body is shown so that a person can read it. Method: bodies of every dialect, whole and cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerText, prettyJson } from './read-body.ts';

test('JSON is indented, and anything else is left alone', () => {
  assert.equal(prettyJson('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
  assert.equal(prettyJson('{"a":[1'), null);
  assert.equal(prettyJson('12'), null);
});

test('the text of a stream is put together, in every dialect', () => {
  const chunks =
    'data: {"choices":[{"delta":{"content":"Hel"}}]}\n\ndata: {"choices":[{"delta":{"content":"lo"}}]}\n\ndata: [DONE]\n\n';
  assert.equal(answerText(chunks), 'Hello');
  const events =
    'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Hi"}}\n\n';
  assert.equal(answerText(events), 'Hi');
  const response = ['response.output_text.delta', 'response.reasoning_summary_text.delta', 'response.output_text.done'];
  const deltas = response.map((type) => `event: ${type}\ndata: {"type":"${type}","delta":"Hi","text":"Hi"}\n\n`);
  assert.equal(answerText(deltas.join('')), 'Hi');
  const parts = '{"candidates":[{"content":{"parts":[{"text":"Hmm","thought":true},{"text":"Hi"}]}}]}';
  assert.equal(answerText(`data: ${parts}\r\n\r\n`), 'Hi');
  assert.equal(answerText(`[${parts}\n,\r\n${parts}\n]`), 'HiHi');
  assert.equal(answerText(`[${parts}\n,\r\n${parts.slice(0, -9)}`), 'Hi', 'cut');
  assert.equal(answerText('{"choices":[]}'), null);
  assert.equal(answerText(': comment\n\ndata: [DONE]\n\n'), null);
});
