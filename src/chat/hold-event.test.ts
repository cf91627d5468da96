/** Goal: waiting events take no more memory than their text. Method: hold events, check the list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdEvent } from './hold-event.ts';
import type { ChatEvent } from './response.ts';

test('waiting pieces of one text become one, and the order stays', () => {
  const events: ChatEvent[] = [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
    { type: 'block_end' },
    { type: 'arguments', json: '{' },
    { type: 'arguments', json: '}' },
    { type: 'reasoning', text: 'c' },
    { type: 'text', text: 'd' },
  ];
  const held: ChatEvent[] = [];
  for (const event of events) holdEvent(held, event);
  assert.deepEqual(held, [
    { type: 'text', text: 'ab' },
    { type: 'block_end' },
    { type: 'arguments', json: '{}' },
    { type: 'reasoning', text: 'c' },
    { type: 'text', text: 'd' },
  ]);
});
