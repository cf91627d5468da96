// Goal: a kept body is shown so that a person can read it. Method: bodies of both dialects, whole and cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerText, prettyJson } from './read-body.ts';

test('JSON is indented, and anything else is left alone', () => {
  assert.equal(prettyJson('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
  assert.equal(prettyJson('{"a":[1'), null);
  assert.equal(prettyJson('12'), null);
});

test('the text of a stream is put together, in both dialects', () => {
  const chunks =
    'data: {"choices":[{"delta":{"content":"Hel"}}]}\n\ndata: {"choices":[{"delta":{"content":"lo"}}]}\n\ndata: [DONE]\n\n';
  assert.equal(answerText(chunks), 'Hello');
  const events =
    'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Hi"}}\n\n';
  assert.equal(answerText(events), 'Hi');
  assert.equal(answerText('{"choices":[]}'), null);
  assert.equal(answerText(': comment\n\ndata: [DONE]\n\n'), null);
});
