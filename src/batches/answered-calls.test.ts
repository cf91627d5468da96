/** Goal: the calls of a file of results are found however the file is cut into chunks, and what is no result is not taken for one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCallId } from '../core/ids.ts';
import { answeredCalls } from './answered-calls.ts';
import { answeredLine, skippedLine } from './result-line.ts';

const CALLS = [1, 2, 3].map((at) => newCallId(at));
const LINES = await Promise.all(
  CALLS.map((callId, at) =>
    answeredLine(Buffer.from(`"${at}"`), { status: 200, callId, body: Buffer.from('{"id":"batch_req_x","a":"ü"}') }),
  ),
);
const FILE = Buffer.concat(LINES.flat());

test('in chunks of any length each line gives its call, in order, in groups', async () => {
  for (let length = 1; length <= FILE.length; length += 1) {
    const chunks = Array.from({ length: Math.ceil(FILE.length / length) }, (_, at) =>
      FILE.subarray(at * length, (at + 1) * length),
    );
    assert.deepEqual(await groupsOf(chunks, 2), [CALLS.slice(0, 2), CALLS.slice(2)], String(length));
  }
});

test('a line that never ran, or is something else, has no call', async () => {
  const skipped = skippedLine('0_7', Buffer.from('"a"'), { code: 'batch_expired', message: 'over' });
  assert.deepEqual(await groupsOf([skipped, Buffer.from('{}\n'), FILE], 9), [[null, null, ...CALLS]]);
  assert.deepEqual(await groupsOf([], 9), []);
});

async function groupsOf(chunks: readonly Buffer[], size: number) {
  return Array.fromAsync(answeredCalls(streamed(chunks), size));
}

async function* streamed(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}
