/**
 * Goal: whatever is left out of an answer is reported, and nothing else is. Method: messages that each have one thing that cannot be
 * expressed elsewhere, read whole and as a stream; blocks that this format cannot express, written both ways.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnswerBlock, ChatEvent, ChatResponse, Finish } from '../../../chat/response.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { CONTEXT, DONE, eventsOf, readFixture, streamNames, streamOf, written } from './answer-fixture.ts';
import { readResponse } from './read-response.ts';
import { writeResponse } from './write-response.ts';

const image = { type: 'image_url', image_url: { url: 'https://tides.example/high.png' } };
const page = { url: 'https://tides.example/', title: 'Tides' };
const called = { index: 0, id: 'call_1', type: 'function', function: { name: 'tide', arguments: '{}' } };

const LOSSES: readonly (readonly [what: string, message: object, warning: string])[] = [
  [
    'sound',
    { audio: { id: 'a', data: 'UklGRg==' } },
    'the audio of the answer was left out; its transcript is passed on',
  ],
  ['an image by address', { images: [image] }, 'a content part "image_url" was left out of the answer'],
  ['an image part', { content: [image] }, 'a content part "image_url" was left out of the answer'],
  ['a reference', { content: [{ type: 'reference' }] }, 'a content part "reference" was left out of the answer'],
  [
    'an unknown annotation',
    { annotations: [{ type: 'file', file: {} }] },
    'an annotation "file" was left out of the answer',
  ],
  ['a nameless annotation', { annotations: [{}] }, 'an annotation of an unknown kind was left out of the answer'],
  [
    'a citation without an address',
    { annotations: [{ type: 'url_citation', url_citation: { title: 'Tides' } }] },
    'a citation without a URL was left out of the answer',
  ],
  [
    'an unknown detail of the reasoning',
    { reasoning_details: [{ type: 'reasoning.map', sheet: 1 }] },
    'a detail of the reasoning "reasoning.map" was left out of the answer',
  ],
  ['tools of the server', { executed_tools: [{ a: 'b' }] }, 'the field "executed_tools" of the message was left out'],
  ['an unknown text', { hint: 'x' }, 'the field "hint" of the message was left out'],
  ['an unknown object', { 'od d': { a: 1 } }, 'the field of an unknown kind of the message was left out'],
  [
    'a signed call',
    { tool_calls: [{ ...called, extra_content: { google: { thought_signature: 'c2ln' } } }] },
    'the field "extra_content" of a tool call was left out',
  ],
];

const NORMAL: readonly object[] = [
  { content: 'Ahoy', refusal: null, annotations: [], audio: null, function_call: null },
  { content: [{ type: 'text', text: 'Ahoy' }], id: 'm', name: 'mate', token_ids: [1] },
  { reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', format: 'f', index: 0 }] },
  { content: 'Ahoy', provider_specific_fields: { refusal: null, citations: [] }, prefix: false, audio_content: '' },
  { tool_calls: [{ ...called, extra_content: null }] },
  { content: 'Ahoy', annotations: [{ type: 'url_citation', url_citation: page }] },
];

describe('what other formats cannot express', () => {
  for (const [what, message, warning] of LOSSES) {
    test(`${what} is reported, whole and streamed`, () => {
      assert.deepEqual(wholeWarnings({ role: 'assistant', ...message }), [warning]);
      assert.deepEqual(streamWarnings({ delta: message }), [warning]);
    });
  }

  test('what is normal is not reported', () => {
    for (const message of NORMAL) {
      assert.deepEqual(wholeWarnings(message), [], JSON.stringify(message));
      assert.deepEqual(streamWarnings({ delta: message }), [], JSON.stringify(message));
    }
    for (const name of streamNames.filter((file) => file !== 'two-choices.sse')) {
      assert.deepEqual(warningsOf(eventsOf(readFixture(name))), [], name);
    }
    assert.deepEqual(readResponse(readFixture('text.json'))?.warnings, []);
    assert.deepEqual(
      wholeWarnings({ content: 'Ahoy' }, { logprobs: { content: [] }, content_filter_results: { a: 1 } }),
      [],
    );
  });

  test('a second answer is reported once, wherever it is', () => {
    const warning = 'the provider gave several answers; all but the first were left out';
    const other = { index: 1, message: { content: 'No' }, delta: { content: 'No' } };
    const answer = { choices: [{ index: 0, message: { content: 'Yes' }, finish_reason: 'stop' }, other] };
    assert.deepEqual(readResponse(Buffer.from(JSON.stringify(answer)))?.warnings, [warning]);
    assert.deepEqual(streamWarnings({ choices: [other] }, { choices: [other] }), [warning]);
    assert.deepEqual(streamWarnings({ choices: [{ index: 0, delta: {} }, other] }), [warning]);
  });

  test('sources next to the choices are reported', () => {
    const extra = { citations: ['https://tides.example/'], related_questions: [] };
    const choice = { index: 0, message: { content: 'x' }, delta: {}, finish_reason: 'stop' };
    const warnings = ['the field "citations" of the answer was left out'];
    const answer = { id: 'c1', choices: [choice], ...extra };
    assert.deepEqual(readResponse(Buffer.from(JSON.stringify(answer)))?.warnings, warnings);
    assert.deepEqual(warningsOf(eventsOf(streamOf(answer, DONE))), warnings);
  });
});

const THOUGHT: AnswerBlock = { type: 'reasoning', text: 'Hm', signature: 's', encrypted: null, origin: 'o' };
const OPAQUE: AnswerBlock = { type: 'reasoning', text: '', signature: null, encrypted: 'e', origin: 'o' };
const TEXT: AnswerBlock = { type: 'text', text: 'Ahoy', citations: [] };
const CALL: AnswerBlock = { type: 'tool_call', id: 'call_1', name: 'tide', input: {}, cache: null };
const END: Finish = { reason: 'end', stopSequence: null, native: 'end_turn', explanation: null };
const HIDDEN = 'encrypted reasoning was left out of the answer, because no reasoning was requested';
const UNASKED = 'reasoning was left out of the answer, because it was not requested';
const EXPLAINED = "the provider's explanation of its refusal cannot be expressed in this format and was left out";
const PAUSED = 'the provider paused its turn, which appears as a stop in this format; the answer may be incomplete';
const ORDER = 'the order of reasoning, text and tool calls cannot be expressed in this format and was lost';

describe('what this format cannot express', () => {
  test('an encrypted thought is reported to a caller that asked for none', () => {
    for (const [showsReasoning, warnings] of [
      [true, []],
      [false, [HIDDEN]],
    ] as const) {
      assert.deepEqual(writtenWhole([OPAQUE, TEXT], END, showsReasoning), warnings);
      const opened = { type: 'reasoning', encrypted: 'e', origin: 'o' } as const;
      assert.deepEqual(writtenStream([{ type: 'block_start', block: opened }], END, showsReasoning), warnings);
    }
  });

  test('the explanation of a refusal, and a turn that was only paused', () => {
    for (const [finish, warning] of [
      [{ ...END, reason: 'refusal', explanation: 'No.' }, EXPLAINED],
      [{ ...END, reason: 'paused' }, PAUSED],
    ] as const) {
      assert.deepEqual(writtenWhole([TEXT], finish, true), [warning]);
      assert.deepEqual(writtenStream([], finish, true), [warning]);
    }
  });

  test('the order of a whole answer, if it is not the usual one', () => {
    const blank: AnswerBlock = { type: 'text', text: '\n\n', citations: [] };
    assert.deepEqual(writtenWhole([THOUGHT, TEXT, TEXT, CALL, CALL], END, true), []);
    assert.deepEqual(writtenWhole([blank, THOUGHT, TEXT, CALL, blank], END, true), []);
    assert.deepEqual(writtenWhole([TEXT, THOUGHT, CALL], END, false), [UNASKED]);
    assert.deepEqual(writtenWhole([TEXT, THOUGHT, TEXT], END, true), [ORDER]);
    assert.deepEqual(writtenWhole([CALL, TEXT], END, true), [ORDER]);
  });

  test('a warning is not part of a stream', () => {
    assert.equal(written([{ type: 'warning', text: 'lost' }]).length, 0);
  });
});

function wholeWarnings(message: object, choice: object = {}): readonly string[] | undefined {
  const answer = { id: 'c1', choices: [{ index: 0, message, finish_reason: 'stop', ...choice }] };
  return readResponse(Buffer.from(JSON.stringify(answer)))?.warnings;
}

/** The warnings of a stream with these chunks between its first text and its end. */
function streamWarnings(...chunks: readonly object[]): readonly string[] {
  const first = { delta: { role: 'assistant', content: 'Well' } };
  return warningsOf(eventsOf(streamOf(first, ...chunks, { delta: {}, finish_reason: 'stop' }, DONE)));
}

/** Without repeats. */
function warningsOf(events: readonly ChatEvent[]): readonly string[] {
  return [...new Set(events.flatMap((event) => (event.type === 'warning' ? [event.text] : [])))];
}

function contextOf(showsReasoning: boolean): WriteContext {
  return { ...CONTEXT, showsReasoning, warnings: new Set() };
}

function writtenWhole(blocks: readonly AnswerBlock[], finish: Finish, showsReasoning: boolean): readonly string[] {
  const context = contextOf(showsReasoning);
  const response: ChatResponse = { id: null, blocks, finish, usage: null, warnings: [] };
  writeResponse(response, context);
  return [...context.warnings];
}

function writtenStream(events: readonly ChatEvent[], finish: Finish, showsReasoning: boolean): readonly string[] {
  const context = contextOf(showsReasoning);
  written([{ type: 'start', id: null, usage: null }, ...events, { type: 'finish', finish }], context);
  return [...context.warnings];
}
