/**
 * Goal: a whole answer gets the caller's model in the same way whether its position is found by a short search or a full scan. Method:
 * answers made of parts that could mislead a search, patched as they are, and as if they were too long for a search.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf } from '../../../core/body.ts';
import { placeOfModel } from '../../kit/relay/place-of-model.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { AnswerPatcher } from './patcher.ts';

test('the search and the scan edit every answer alike', () => {
  let searched = 0;
  const property = fc.property(answers, fc.constantFrom('mine', 'up', '"灯"'), (answer, name) => {
    assert.equal(patched(answer, name, true), patched(answer, name, false));
    if (placeOfModel(answer) !== null) searched += 1;
  });
  fc.assert(property, { numRuns: 3000, seed: 20261121 });
  assert.ok(searched > 300, `the model of only ${searched} answers was found by the search`);
});

test('a name that is nested, or in a string, is not taken for the model', () => {
  const inner = '{"content":[{"input":{"model":"up"}}],"usage":{"input_tokens":1}}';
  assert.equal(patched(inner, 'mine', true), inner);
  const text = '{"id":"{\\"model\\":\\"up\\"","content":[],"model":"up"}';
  assert.equal(patched(text, 'mine', true), text.replace(',"model":"up"', ',"model":"mine"'));
});

const name = fc.constantFrom('"model"', '"mod\\u0065l"', '"x"', '"content"', '"a model"', '"\\"model"');
const space = fc.constantFrom('', '', '', ' ', '\n');
const value = fc.constantFrom(
  '"up"',
  '"mine"',
  '"u\\/p"',
  '"\\\\"',
  '",\\"model\\":\\"up\\""',
  '"灯"',
  '"model"',
  '7',
  '[]',
  '[{"model":"up"}]',
  '{"model":"up","b":[1]}',
);
const field = fc.tuple(name, space, value).map(([key, gap, content]) => [key, `${key}${gap}:${content}`] as const);
const usual = fc
  .constantFrom('"id":"a"', '"model":"up"', '"content":[{"type":"text","text":"{"}]', '"stop_reason":"end_turn"')
  .map((text) => [text.slice(0, text.indexOf(':')), text] as const);
/** Without duplicate names, however they are escaped: the scan refuses those, and such an answer passes unedited. */
const fields = fc.uniqueArray(fc.oneof({ weight: 2, arbitrary: usual }, field), {
  maxLength: 6,
  selector: ([key]) => JSON.parse(key),
});
const answers = fc
  .tuple(fields, space, space)
  .map(([list, before, between]) => `${before}{${list.map(([, text]) => text).join(`${between},`)}}${between}`);

class LongAnswer extends WholeAnswer {
  override get isShort(): boolean {
    return false;
  }
}

function patched(answer: string, callerModel: string, isShort: boolean): string {
  const body = Buffer.from(answer);
  return bytesOf(new AnswerPatcher(callerModel).body(new (isShort ? WholeAnswer : LongAnswer)(body))).toString();
}
