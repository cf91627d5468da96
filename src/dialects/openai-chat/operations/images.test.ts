/** Goal: what a request for images may be charged is bounded by how many it asks for, also of the frames of moving ones. Method: a table of requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { inboundOf } from '../../contract.ts';
import { openaiChat } from '../openai-chat.ts';
import { images } from './images.ts';

function peeked(fields: object) {
  return images.peek(inboundOf(openaiChat, JSON.stringify({ model: 'vendor/x', prompt: 'a cat', ...fields })));
}

test('each image, and each frame of a moving one, is held for', () => {
  const rows: readonly (readonly [object, choices: number, images: number])[] = [
    [{}, 1, 1],
    [{ n: 3 }, 3, 3],
    [{ n: 2, frame_count: 4, output_format: 'gif' }, 8, 2],
    [{ frame_count: 16 }, 16, 1],
    [{ output_format: 'gif' }, 9, 1],
    [{ output_format: 'png', frame_count: null }, 1, 1],
  ];
  for (const [fields, choices, most] of rows) {
    const read = peeked(fields);
    assert.deepEqual([read.choices, read.units?.most], [choices, most], JSON.stringify(fields));
  }
  for (const wrong of [0, 17, 1.5, 'many'])
    assert.throws(() => peeked({ frame_count: wrong }), GatewayError, String(wrong));
});
