/**
 * Goal: a relayed answer shows whose its encrypted thoughts are, unless they are OpenAI's, and nothing else in it changes. Method: a stream and
 * a whole answer with such thoughts in every place, also in the model's words, compared with the same ones without the marks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '../../../core/body.ts';
import { SseSplitter } from '../../../wire/frames/sse-splitter.ts';
import { PEEK, plainContext } from '../../contract-fixture.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { openThought } from '../answer/thought-seal.ts';
import { openaiResponses } from '../openai-responses.ts';
import { usualQuirks } from '../quirks.ts';

const MARK = 'tp1.encrypted.xai-responses-v1...';
const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VhbGVk' };
const words = 'It is "encrypted_content": "x", with {"encrypted_content":"y"} \\"encrypted_content\\":"z".';
const message = {
  type: 'message',
  role: 'assistant',
  content: [
    { type: 'output_text', text: words, annotations: [{ encrypted_content: null, title: 'encrypted_content' }] },
  ],
};
const response = { id: 'resp_1', model: 'm', output: [thought, message, { ...thought, encrypted_content: '' }] };
const EVENTS = [
  { type: 'response.created', response: { ...response, output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: thought },
  { type: 'response.output_item.done', output_index: 0, item: thought },
  { type: 'response.output_text.delta', delta: words },
  { type: 'response.output_item.done', output_index: 1, item: message },
  { type: 'response.completed', response },
];
const STREAM = EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

function relayOf(thoughtOrigin: string) {
  const quirks = { ...usualQuirks, thoughtOrigin };
  return openaiResponses.openRelay(PEEK, { callerModel: 'm', quirks, cost: () => null });
}

function streamed(thoughtOrigin: string): string {
  const relay = relayOf(thoughtOrigin);
  return new SseSplitter()
    .push(Buffer.from(STREAM))
    .map((frame) => relay.frame(frame)?.toString() ?? '')
    .join('');
}

function whole(thoughtOrigin: string): string {
  const answer = new WholeAnswer(Buffer.from(JSON.stringify(response, null, 1)));
  return bytesOf(relayOf(thoughtOrigin).editBody(answer)).toString();
}

test('each encrypted thought of another vendor is marked, and nothing else', () => {
  const marked = (text: string) => text.replaceAll('c2VhbGVk', `${MARK}c2VhbGVk`);
  assert.equal(streamed('xai-responses-v1'), marked(STREAM));
  assert.equal(whole('xai-responses-v1'), marked(JSON.stringify(response, null, 1)));
  assert.equal(marked(STREAM).split(MARK).length, 4);
});

test('OpenAI’s own pass unchanged', () => {
  assert.equal(streamed('openai-responses-v1'), STREAM);
  assert.equal(whole('openai-responses-v1'), JSON.stringify(response, null, 1));
  assert.equal(
    openaiResponses.openRelay(PEEK, plainContext('m')).frame(frameOf(STREAM))?.toString(),
    STREAM.slice(0, STREAM.indexOf('event: response.output')),
  );
});

test('a mark is read as the vendor’s encrypted thought', () => {
  const [block, ...more] = openThought(`${MARK}a.b=`)?.restore('') ?? [];
  assert.deepEqual([block?.origin, block?.encrypted, more.length], ['xai-responses-v1', 'a.b=', 0]);
});

function frameOf(stream: string) {
  const [frame] = new SseSplitter().push(Buffer.from(stream));
  assert.ok(frame !== undefined);
  return frame;
}
