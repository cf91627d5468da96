/**
 * Goal: tool calls arrive one after the other and complete, however a vendor numbers, interleaves and writes them. Method: short streams
 * and their events in short notation.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCKS_WAITING_MAX } from '../../../chat/hold-event.ts';
import { gatherBlocks } from '../../kit/answer/gather-blocks.ts';
import { brief, call, calls, DONE, delta, eventsOf, finish, more, reads, streamOf, written } from './answer-fixture.ts';

test('"stop" after tool calls means tool calls, and tool calls without any mean the end', () => {
  reads(
    [call({ index: 0, id: 'c', ...calls('f', '{}') }), finish('stop'), DONE],
    'start +f(c) {} - finish:tool_calls end',
  );
  reads([delta({ content: 'x' }), finish('tool_calls'), DONE], 'start +text "x" - finish:end end');
  reads(
    [call({ index: 0, id: 'c', ...calls('f', '{"a') }), finish('length'), DONE],
    'start +f(c) {"a - finish:output_cap end',
  );
});

test('a new id on a used index opens a new call', () => {
  reads(
    [
      call({ index: 0, id: 'c1', ...calls('f', '{"x":1}') }),
      call({ index: 0, id: 'c2', ...calls('f', '{"x":2}') }),
      finish('stop'),
      DONE,
    ],
    'start +f(c1) {"x":1} - +f(c2) {"x":2} - finish:tool_calls end',
  );
});

test('a missing index opens a new call, but a piece without id and name continues the last one', () => {
  reads(
    [
      call({ id: 'c1', ...calls('f', '{}') }),
      call({ id: 'c2', ...calls('g', '') }),
      call({ function: { arguments: '{"y":2}' } }),
      finish('tool_calls'),
      DONE,
    ],
    'start +f(c1) {} - +g(c2) {"y":2} - finish:tool_calls end',
  );
});

test('an id and a name that a vendor repeats on every chunk open nothing', () => {
  reads(
    [
      call({ index: 0, id: 'c1', ...calls('f', '{"x"') }),
      call({ index: 0, id: 'c1', ...calls('f', ':1}') }),
      call({ index: 0, id: '', ...calls('', '') }),
      finish('tool_calls'),
      DONE,
    ],
    'start +f(c1) {"x" :1} - finish:tool_calls end',
  );
});

test('calls without ids get new ones', () => {
  const events = eventsOf(
    streamOf(
      call({ index: 0, ...calls('f', '{"x":1}') }),
      call({ index: 0, ...calls('f', '{"x":2}') }),
      call({ index: 1, id: '', ...calls('g', '{}') }),
      finish('stop'),
      DONE,
    ),
  );
  const ids = events.flatMap((event) =>
    event.type === 'block_start' && event.block.type === 'tool_call' ? [event.block.id] : [],
  );
  assert.equal(new Set(ids).size, 3);
  for (const id of ids) assert.match(id, /^call_[0-9a-f]{24}$/);
});

test('an id that was used before is replaced, so that each result finds its call', () => {
  const events = eventsOf(
    streamOf(
      call({ index: 0, id: 'same', ...calls('f', '{}') }),
      call({ index: 1, id: 'same', ...calls('f', '{"x":') }),
      call({ index: 1, id: 'same', function: { arguments: '1}' } }),
      finish('stop'),
      DONE,
    ),
  );
  assert.match(brief(events), /^start \+f\(same\) \{\} - \+f\(call_\w+\) \{"x": 1\} - finish:tool_calls end$/);
});

test('of interleaved calls the later one waits until the earlier has ended', () => {
  reads(
    [
      call({ index: 0, id: 'c1', ...calls('f', '{"a":') }),
      call({ index: 1, id: 'c2', ...calls('g', '{"b":') }),
      more(0, '"}{"'),
      more(1, '2'),
      more(0, '}'),
      more(1, '}'),
      delta({ content: 'after' }),
      finish('tool_calls'),
      DONE,
    ],
    'start +f(c1) {"a": "}{" } - +g(c2) {"b":2 } - +text "after" - finish:tool_calls end',
  );
});

test('an answer fails if thousands of blocks wait for a call that does not end', () => {
  const begun = call({ index: 0, id: 'c0', ...calls('f', '{') });
  const waiting = (count: number) =>
    Array.from({ length: count }, (_, index) => call({ index: index + 1, id: `c${index + 1}`, ...calls('f', '{}') }));
  const lastOf = (count: number) =>
    eventsOf(streamOf(begun, ...waiting(count), finish('tool_calls'), DONE)).at(-1)?.type;
  assert.equal(lastOf(BLOCKS_WAITING_MAX - 1), 'end');
  assert.equal(lastOf(BLOCKS_WAITING_MAX), 'error');
});

test('a call without arguments delays what follows, and loses none of it', () => {
  reads(
    [
      call({ index: 0, id: 'c1', ...calls('f', '') }),
      call({ index: 1, id: 'c2', ...calls('g', '{}') }),
      delta({ content: 'x' }),
      finish('tool_calls'),
      DONE,
    ],
    'start +f(c1) - +g(c2) {} - +text "x" - finish:tool_calls end',
  );
});

test('more arguments for a call that has ended are an error, white space is not', () => {
  const begun = [call({ index: 0, id: 'c1', ...calls('f', '{}') }), call({ index: 1, id: 'c2', ...calls('g', '{}') })];
  reads([...begun, more(0, ' \n'), finish('stop'), DONE], 'start +f(c1) {} - +g(c2) {} - finish:tool_calls end');
  reads([...begun, more(0, '{"x":1}'), finish('stop'), DONE], 'start +f(c1) {} - +g(c2) {} error:bad_gateway');
});

test('a call that never gets a name is an error, an empty entry is not', () => {
  reads([call({ index: 0, id: 'c1', function: { arguments: '{}' } }), finish('stop'), DONE], 'start error:bad_gateway');
  reads([call({ index: 0, function: { arguments: '' } }), finish('stop'), DONE], 'start finish:end end');
  reads(
    [call({ index: 0, id: 'c1' }), more(0, '{'), call({ index: 0, ...calls('f', '}') }), finish('stop'), DONE],
    'start +f(c1) { } - finish:tool_calls end',
  );
});

test('arguments that are an object are written as JSON', () => {
  reads(
    [call({ index: 0, id: 'c', function: { name: 'f', arguments: { x: 1 } } }), finish('stop'), DONE],
    'start +f(c) {"x":1} - finish:tool_calls end',
  );
});

test('the pieces of arguments are an object or nothing: any other value is sent as one text', () => {
  const rows: readonly (readonly [readonly string[], string])[] = [
    [[' ', '\n', ' {"x"', ':1} '], '{"x" :1} '],
    [['{}'], '{}'],
    [[' '], ''],
    [['nu', 'll'], ''],
    [['[1,', '2]'], '{"_raw":"[1,2]"}'],
    [['plain ', 'words'], '{"_raw":"plain words"}'],
  ];
  for (const [pieces, expected] of rows) {
    const stream = streamOf(
      call({ index: 0, id: 'c', ...calls('f', '') }),
      ...pieces.map((json) => more(0, json)),
      finish('stop'),
      DONE,
    );
    assert.equal(
      brief(eventsOf(stream)).replace(/ +/g, ' '),
      `start +f(c) ${expected} - finish:tool_calls end`.replace(/ +/g, ' '),
    );
  }
});

test('the legacy function call is a tool call', () => {
  const stream = streamOf(
    delta({ function_call: { name: 'f', arguments: '' } }),
    delta({ function_call: { arguments: '{"x":1}' } }),
    finish('function_call'),
    DONE,
  );
  assert.match(brief(eventsOf(stream)), /^start \+f\(call_\w+\) \{"x":1\} - finish:tool_calls end$/);
});

test('calls cut and interleaved at random keep their arguments, and are the same when written and read again', () => {
  const random = seeded(7);
  const pick = (below: number) => Math.floor(random() * below);
  const values = ['}', '{', '"', '\\', '\\"}', '[{', 'é👋', ''];
  for (let round = 0; round < 300; round += 1) {
    const sent = Array.from({ length: 1 + pick(4) }, (_, index) => ({
      index,
      json:
        pick(6) === 0 ? '' : JSON.stringify({ [values[pick(8)] as string]: [values[pick(8)], { x: values[pick(8)] }] }),
    }));
    const chunks: object[] = sent.map(({ index }) => call({ index, id: `c${index}`, ...calls(`f${index}`, '') }));
    const left = sent.map(({ index, json }) => ({ index, json }));
    while (left.some(({ json }) => json !== '')) {
      const next = left[pick(left.length)];
      if (next === undefined || next.json === '') continue;
      const length = 1 + pick(next.json.length);
      chunks.push(more(next.index, next.json.slice(0, length)));
      next.json = next.json.slice(length);
      if (pick(9) === 0) chunks.push(delta({ content: 't' }));
    }
    const events = eventsOf(streamOf(...chunks, finish('stop'), DONE));
    const blocks = gatherBlocks(events);
    assert.deepEqual(
      blocks.filter((block) => block.type === 'tool_call').map(({ id, name, input }) => ({ id, name, input })),
      sent.map(({ index, json }) => ({ id: `c${index}`, name: `f${index}`, input: JSON.parse(json || '{}') })),
    );
    assert.deepEqual(gatherBlocks(eventsOf(written(events))), blocks);
  }
});

/** A small seeded generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
