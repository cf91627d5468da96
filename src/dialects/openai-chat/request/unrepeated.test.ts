/** Goal: a repeated text is recognised. Method: texts once and several times over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unrepeated } from './unrepeated.ts';

test('the shortest text is found, and how often it is repeated', () => {
  for (const unit of ['', 'a', 'ab', 'aab', 'anthropic-claude-v1', 'openai-responses-v1', 'unknown']) {
    assert.deepEqual(unrepeated(unit), { unit, times: 1 });
    if (unit === '') continue;
    for (const times of [2, 3, 100]) assert.deepEqual(unrepeated(unit.repeat(times)), { unit, times });
    for (const text of [`${unit.repeat(3)}-`, `-${unit.repeat(3)}`]) assert.equal(unrepeated(text).times, 1);
  }
  for (const text of ['abab-abab-x', 'aba', 'abcab']) assert.deepEqual(unrepeated(text), { unit: text, times: 1 });
});
