/** Goal: what says the cost of a kept answer says 0, and every other byte stays. Method: answers by hand, then any answer cut anywhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callerDialects } from '../../dialects/index.ts';
import { withoutCost } from './without-cost.ts';

const CHAT = callerDialects['openai-chat'].caching.costPaths ?? [];
const RESPONSES = callerDialects['openai-responses'].caching.costPaths ?? [];
const whole = (text: string, paths = CHAT) => withoutCost(Buffer.from(text), false, paths).toString();
const events = (text: string, paths = CHAT) => withoutCost(Buffer.from(text), true, paths).toString();

test('the cost of a whole answer, whatever it is and wherever it stands', () => {
  for (const cost of ['0.000015', '1e-7', 'null', '12', '"0.5"', '{"total":1}']) {
    assert.equal(whole(`{"usage":{"cost":${cost},"total_tokens":3}}`), '{"usage":{"cost":0,"total_tokens":3}}');
    assert.equal(
      whole(` { "usage" : {"a":1, "cost" : ${cost} } ,"id":"x"}\n`),
      ' { "usage" : {"a":1, "cost" : 0 } ,"id":"x"}\n',
    );
    assert.equal(whole(`{"usage":{"cost":${cost}}}`, RESPONSES), '{"usage":{"cost":0}}');
  }
});

test('nothing else that is called so', () => {
  for (const text of [
    '{"cost":1,"choices":[{"message":{"content":"{\\"usage\\":{\\"cost\\":5}}"}}]}',
    '{"response":{"usage":{"cost":5}}}',
    '{"usage":{"details":{"cost":5}}}',
    '{"usage":[{"cost":5}]}',
    '{"usage":null}',
    '{"usage":{}}',
    '[{"usage":{"cost":5}}]',
    'not JSON, "usage":{"cost":5}',
    '',
  ]) {
    assert.equal(whole(text), text);
    assert.equal(events(`data: ${text}\n\n`), `data: ${text}\n\n`);
  }
  assert.equal(whole('{"usage":{"cost":5}}', []), '{"usage":{"cost":5}}');
});

test('in a stream, of each event that has one', () => {
  const end = '"response":{"id":"r","usage":{"total_tokens":7,"cost":0.000015}}';
  assert.equal(
    events(`: ping\n\nevent: a\ndata: {${end}}\n\ndata: [DONE]\n\n`, RESPONSES),
    `: ping\n\nevent: a\ndata: {${end.replace('0.000015', '0')}}\n\ndata: [DONE]\n\n`,
  );
  assert.equal(events('data: {"usage":\ndata: {"cost":5}}\n\n'), 'data: {"usage":\ndata: {"cost":0}}\n\n');
  assert.equal(events('data: {"usage":{"cost":5}}\r\n\r\ndata: x'), 'data: {"usage":{"cost":0}}\r\n\r\ndata: x');
  const long = `data: {"text":"${'x'.repeat(2_000_000)}","usage":{"cost":0.5}}\n\n`;
  assert.equal(events(long), long.replace('0.5', '0'));
});

test('any stream keeps its other bytes', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('data: {"usage":{"cost":0.1}}', 'data: {"usage":{"cost":5', 'event: a', ': c', '', '\r', 'data:'),
  );
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
      const text = lines.join(end + end);
      const cost = /"cost":0\.1(?=\}\})/g;
      assert.equal(
        events(text).replaceAll('"cost":0}}', '"cost":0.1}}'),
        text.replaceAll('"cost":0}}', '"cost":0.1}}'),
      );
      assert.ok((events(text).match(cost) ?? []).length <= (text.match(cost) ?? []).length);
    }),
  );
});
