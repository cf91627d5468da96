/**
 * Goal: words are counted the same however a text is cut, and as the demo provider counts them. Method: examples, then
 * random texts cut at random places; both meters on streams cut short.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens } from '../../../demo/words.ts';
import { encodeSse, SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { anthropicMessages } from '../../anthropic-messages/anthropic-messages.ts';
import { inboundOf } from '../../contract.ts';
import type { RelayDialect } from '../../dialect.ts';
import { openaiChat } from '../../openai-chat/openai-chat.ts';
import { WholeAnswer } from '../relay/whole-answer.ts';
import { WordCounter } from './word-counter.ts';

test('counts words as the demo provider does', () => {
  for (const text of [
    '',
    'one',
    'one two',
    ' one  two ',
    '\n',
    'x'.repeat(33),
    'é'.repeat(17),
    '😀'.repeat(16),
    'a\u00a0b',
  ]) {
    const words = new WordCounter();
    words.add('text', text);
    assert.equal(words.tokens, countTokens(text), JSON.stringify(text));
  }
});

test('a text cut anywhere between two characters has the same words', () => {
  const character = fc.constantFrom('a', 'b', ' ', '\n', 'é', '😀');
  const pieces = fc.array(
    fc.array(character, { maxLength: 40 }).map((all) => all.join('')),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(pieces, (all) => {
      const words = new WordCounter();
      for (const piece of all) words.add('text', piece);
      assert.equal(words.tokens, countTokens(all.join('')));
    }),
  );
});

test('parts are counted separately', () => {
  const words = new WordCounter();
  words.add('one', 'to');
  words.add('other', 'two');
  words.add('one', 'day');
  assert.equal(words.tokens, 2);
  words.addUnseen(5);
  assert.equal(words.tokens, 7);
  words.reset();
  assert.equal(words.tokens, 0);
});

test('a meter counts the words that a cut stream delivered', () => {
  const WORDS = ['The', ' tide', ' turns', '\ntwice', ' a', ' day'];
  for (let cut = 0; cut <= WORDS.length; cut += 1) {
    const delivered = WORDS.slice(0, cut);
    const chunks = delivered.map((content) =>
      encodeSse(null, JSON.stringify({ choices: [{ index: 0, delta: { content } }] })),
    );
    assert.equal(tokensOf(openaiChat, chunks, 'words'), cut);
    assert.equal(tokensOf(openaiChat, chunks), null);
    const deltas = delivered.map((text) => {
      const delta = { type: 'text_delta', text };
      return encodeSse('content_block_delta', JSON.stringify({ type: 'content_block_delta', index: 0, delta }));
    });
    assert.equal(tokensOf(anthropicMessages, deltas, 'words'), cut);
    assert.equal(tokensOf(anthropicMessages, deltas), null);
  }
});

test('choices, thoughts, names and arguments are counted separately', () => {
  const chunk = (index: number, delta: unknown) => encodeSse(null, JSON.stringify({ choices: [{ index, delta }] }));
  const call = (called: unknown) => ({ tool_calls: [{ index: 0, function: called }] });
  const chunks = [
    chunk(0, { reasoning: 'Hm' }),
    chunk(0, { content: 'to' }),
    chunk(1, { content: 'ta' }),
    chunk(0, { content: 'day' }),
    chunk(0, call({ name: 'find_tide', arguments: '{"a":' })),
    chunk(0, call({ arguments: ' 1}' })),
  ];
  assert.equal(tokensOf(openaiChat, chunks, 'words'), 6);
  const body = {
    content: [
      { type: 'text', text: 'two words' },
      { type: 'tool_use', name: 'find_tide', input: { a: 1 } },
    ],
  };
  const meter = anthropicMessages.openMeter(anthropicMessages.peek(leastInbound(anthropicMessages)), 'words');
  meter.body(new WholeAnswer(Buffer.from(JSON.stringify(body))));
  assert.equal(meter.delivered().outputTokens, 4);
});

function tokensOf(dialect: RelayDialect, frames: readonly Buffer[], tokenizer?: 'words'): number | null {
  const meter = dialect.openMeter(dialect.peek(leastInbound(dialect)), tokenizer);
  const splitter = new SseSplitter();
  for (const frame of splitter.push(Buffer.concat(frames))) meter.frame(frame);
  return meter.delivered().outputTokens;
}

function leastInbound(dialect: RelayDialect) {
  return inboundOf(dialect, '{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"x"}]}');
}
