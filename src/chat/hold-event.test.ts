/** Goal: what waits takes no more than its text. Method: events held, and what is held then. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdEvent } from './hold-event.ts';
import type { ChatEvent } from './response.ts';

test('pieces of one text that wait become one, and nothing changes its place', () => {
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
