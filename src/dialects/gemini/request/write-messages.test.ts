/** Goal: a conversation reaches Google in the order it wants, each signature on its own part. Method: turns and the contents they become. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssistantBlock, Turn } from '../../../chat/request.ts';
import { ahoy, callOf, model, resultOf, signed, text, user, write } from '../fixtures/write-fixture.ts';
import { NO_SIGNATURE } from './assistant-parts.ts';
import { wireToolName } from './tool-names.ts';

const contentsOf = (turns: readonly Turn[], name?: string) => write({ turns }, name).body.contents;
const call = (id: string, thoughtSignature?: string, name = 'look') => ({
  functionCall: { id, name, args: { a: 1 } },
  ...(thoughtSignature !== undefined && { thoughtSignature }),
});
const response = (id: string, result: string, name = 'look') => ({
  functionResponse: { id, name, response: { result } },
});
const asked = { role: 'user', parts: [{ text: 'Ahoy' }] };

test('results are a content of their own, with the names of their calls, and what else is said follows', () => {
  const turns = [
    ahoy,
    model(signed('sig', 'b'), callOf('a'), callOf('b', 'mcp__a.b')),
    user(resultOf('a', text('one'), text('two')), { ...resultOf('b'), isError: true }, text('Go on')),
  ];
  assert.deepEqual(contentsOf(turns, 'gemini-2.5-flash'), [
    asked,
    { role: 'model', parts: [call('a'), call('b', 'sig', wireToolName('mcp__a.b'))] },
    {
      role: 'user',
      parts: [
        response('a', 'one\ntwo'),
        { functionResponse: { id: 'b', name: wireToolName('mcp__a.b'), response: { error: 'Error' } } },
      ],
    },
    { role: 'user', parts: [{ text: 'Go on' }] },
  ]);
});

test('a signature stands on the part after it, or on the call that it names, or on an empty part', () => {
  const partsOf = (...blocks: readonly AssistantBlock[]) => contentsOf([ahoy, model(...blocks), ahoy])[1].parts;
  assert.deepEqual(partsOf(signed('s1'), text('a'), signed('s2', 'c'), callOf('c')), [
    { text: 'a', thoughtSignature: 's1' },
    call('c', 's2'),
  ]);
  // As a format without an order gives them back.
  assert.deepEqual(partsOf(signed('s2', 'c'), signed('s1'), text('a'), callOf('c')), [
    { text: 'a', thoughtSignature: 's1' },
    call('c', 's2'),
  ]);
  assert.deepEqual(partsOf(text('a'), signed('s1')), [{ text: 'a' }, { text: '', thoughtSignature: 's1' }]);
  assert.deepEqual(partsOf(signed('s1'), signed('s2'), text('a')), [
    { text: '', thoughtSignature: 's1' },
    { text: 'a', thoughtSignature: 's2' },
  ]);
  const thought = {
    type: 'reasoning',
    text: 'Hm.',
    signature: 's0',
    encrypted: null,
    origin: 'google-gemini-v1',
  } as const;
  assert.deepEqual(partsOf(thought, text('a')), [
    { text: 'Hm.', thought: true, thoughtSignature: 's0' },
    { text: 'a' },
  ]);
});

test('the first call of each step since the question has a signature, if need be the documented one', () => {
  const step = (id: string, ...before: readonly AssistantBlock[]) => [
    model(...before, callOf(id), callOf(`${id}2`)),
    user(resultOf(id, text('x')), resultOf(`${id}2`, text('y'))),
  ];
  const turns = [ahoy, ...step('old'), ahoy, ...step('a'), ...step('b', signed('sig', 'b'))];
  const { body, warnings } = write({ turns });
  const signatures = body.contents.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.functionCall === undefined ? [] : [part.thoughtSignature ?? null])),
  );
  assert.deepEqual(signatures, [null, null, NO_SIGNATURE, null, 'sig', null]);
  assert.match(warnings.join(), /without its thought signature/);
  assert.ok(!JSON.stringify(contentsOf(turns, 'gemini-2.5-pro')).includes(NO_SIGNATURE));
});

test('thoughts of other vendors are left out and reported', () => {
  const foreign = {
    type: 'reasoning',
    text: 'Hm.',
    signature: 's',
    encrypted: null,
    origin: 'anthropic-claude-v1',
  } as const;
  const { body, warnings } = write({ turns: [ahoy, model(foreign, text('Hi')), ahoy] });
  assert.deepEqual(body.contents[1], { role: 'model', parts: [{ text: 'Hi' }] });
  assert.deepEqual(warnings, ['reasoning from other providers was left out of earlier turns']);
});

test('instructions in the middle are the user’s, after the results that are due', () => {
  const be = { role: 'system', blocks: [text('Be kind.')] } as const;
  const reminder = { text: '<system-reminder>\nBe kind.\n</system-reminder>' };
  assert.deepEqual(contentsOf([ahoy, be, model(text('Hi'))]), [
    { role: 'user', parts: [{ text: 'Ahoy' }, reminder] },
    { role: 'model', parts: [{ text: 'Hi' }] },
  ]);
  assert.deepEqual(
    contentsOf([ahoy, model(callOf('a')), be, user(resultOf('a', text('x')))], 'gemini-2.5-pro').slice(2),
    [
      { role: 'user', parts: [response('a', 'x')] },
      { role: 'user', parts: [reminder] },
    ],
  );
  assert.deepEqual(contentsOf([]), [{ role: 'user', parts: [{ text: '.' }] }]);
});

test('images in a result are its parts, for older models they follow it', () => {
  const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } } as const;
  const turns = [ahoy, model(callOf('a')), user(resultOf('a', { ...image, detail: null, cache: null }))];
  const inlineData = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
  assert.deepEqual(contentsOf(turns)[2].parts, [
    { functionResponse: { id: 'a', name: 'look', response: { result: '' }, parts: [inlineData] } },
  ]);
  assert.deepEqual(contentsOf(turns, 'gemini-2.5-pro').slice(2), [
    { role: 'user', parts: [response('a', 'The result follows the results.')] },
    { role: 'user', parts: [{ text: 'From the result of look (a):' }, inlineData] },
  ]);
});
