// Goal: a model's or key's text stays one text in every language that a snippet is written in.
// Method: texts with quotes, spaces and dollars; those of JavaScript are read back by JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { double, isLocal, shell, single, word } from './quote.ts';

const TEXTS = ['demo/echo', "it's", 'a "b"', 'a\\b', 'x; rm -rf $HOME', 'new\nline'];

test('a quoted shell string ends only where it should', () => {
  assert.equal(shell("it's"), `'it'\\''s'`);
  assert.equal(word('http://127.0.0.1:8080/api/v1'), 'http://127.0.0.1:8080/api/v1');
  assert.equal(word('x; rm -rf $HOME'), "'x; rm -rf $HOME'");
});

for (const text of TEXTS)
  test(`JavaScript reads ${JSON.stringify(text)} back`, () => {
    // The text is of this test, so that nothing foreign is run.
    assert.equal(new Function(`return ${single(text)}`)(), text);
    assert.equal(JSON.parse(double(text)), text);
  });

test('addresses that only this machine reaches are known', () => {
  for (const origin of ['http://127.0.0.1:8080', 'http://localhost:3000', 'http://[::1]:80'])
    assert.equal(isLocal(origin), true);
  assert.equal(isLocal('https://models.example.com'), false);
});
