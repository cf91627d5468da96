/**
 * Goal: a thought that this gateway tagged is removed from a relayed request, and nothing else is. Method: bodies as clients write them,
 * odd spacing and texts that look like thoughts, compared as JSON and byte for byte.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splice } from '../../../wire/json-splice.ts';
import { MarkSearch } from '../../../wire/mark-search.ts';
import { foreignThoughts, MARK } from './foreign-thoughts.ts';

const own = { type: 'thinking', thinking: 'mine {', signature: 'EqQBCgIYAhIM' };
const foreign = { type: 'thinking', thinking: 'a { brace } and a "quote"', signature: 'tp1.unknown.' };
const hidden = { type: 'redacted_thinking', data: 'tp1.openai-responses-v1.abc' };
const said = { type: 'text', text: 'I said "tp1.x" and {"type":"thinking","signature":"tp1.unknown."}' };
const call = { type: 'tool_use', id: 'c1', name: 'look', input: { type: 'thinking', note: { signature: 'x' } } };

function body(content: readonly object[], spaces = 0): Buffer {
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content },
  ];
  return Buffer.from(JSON.stringify({ model: 'm', messages }, null, spaces));
}

function contentOf(bytes: Buffer): unknown {
  return JSON.parse(splice(bytes, foreignThoughts({ bytes })).toString()).messages[1].content;
}

for (const spaces of [0, 2]) {
  test(`wherever they stand, with ${spaces} spaces`, () => {
    assert.deepEqual(contentOf(body([foreign, said], spaces)), [said]);
    assert.deepEqual(contentOf(body([said, foreign], spaces)), [said]);
    assert.deepEqual(contentOf(body([foreign, own, hidden, foreign, call], spaces)), [own, call]);
    assert.deepEqual(contentOf(body([said, hidden, foreign], spaces)), [said]);
    assert.deepEqual(contentOf(body([foreign], spaces)), []);
  });
}

test('what only looks like one stays, byte for byte', () => {
  for (const content of [
    [own, said, call],
    [{ type: 'text', text: '"tp1.' }],
    [{ type: 'text', text: '{', note: 'tp1.x' }],
  ])
    assert.deepEqual(foreignThoughts({ bytes: body(content) }), []);
});

test('the order of the fields does not matter', () => {
  const turned = { signature: 'tp1.unknown.', thinking: 'x', type: 'thinking' };
  assert.deepEqual(contentOf(body([turned, said])), [said]);
});

test('a text that begins like a signature hides nothing, and a block with another signature stays', () => {
  const quoted = { type: 'thinking', thinking: '"tp1.', signature: 'tp1.unknown.' };
  const begins = { type: 'thinking', thinking: 'tp1.', signature: 'tp1.unknown.' };
  const odd = { type: 'thinking', thinking: 'ends with a backslash \\', signature: 'tp1.unknown.' };
  const others = { type: 'thinking', thinking: 'tp1.unknown.', signature: 'EqQBCgIYAhIM' };
  assert.deepEqual(contentOf(body([quoted, said, begins, others, odd, said])), [said, others, said]);
});

test('what is not an element of a list is not removed', () => {
  const input = { type: 'tool_use', id: 'c1', name: 'look', input: foreign };
  assert.deepEqual(foreignThoughts({ bytes: body([input]) }), []);
  assert.deepEqual(foreignThoughts({ bytes: body([{ ...foreign, citations: [] }]) }), []);
});

test('marks found while the body arrived give the same result', () => {
  const bytes = body([foreign, own, said, hidden, call, foreign]);
  const search = new MarkSearch(MARK);
  for (let filled = 100; filled < bytes.length; filled += 100) search.feed(bytes, filled);
  search.feed(bytes, bytes.length);
  assert.deepEqual(foreignThoughts({ bytes, marks: new Map([[MARK, search.found]]) }), foreignThoughts({ bytes }));
});

/** Bodies of `size` with only false marks. Values that are read once per mark would make the work quadratic. */
const HOSTILE: readonly [string, (size: number) => string][] = [
  ['elements that look like an object that was torn apart', (size) => `["{",${'":1 ",'.repeat(size)}"tp1.x"]`],
  ['braces in texts before them', (size) => `[${'"{",'.repeat(size)}${'"tp1.x",'.repeat(size)}1]`],
  ['braces before them', (size) => `[${'{},'.repeat(size)}${'"tp1.x",'.repeat(size)}1]`],
  ['an object full of signatures', (size) => `[{"a":[],${'"signature":"tp1.x",'.repeat(size)}"b":1}]`],
  [
    'an object full of numbers',
    (size) => `[{"a":[],${`"a":${'1'.repeat(50)},"signature":"tp1.x",`.repeat(size)}"b":1}]`,
  ],
  ['signatures in each other', (size) => `[${'{"signature":"tp1.x","a":'.repeat(60)}1${'}'.repeat(60)},${size}]`],
  ['spaces around marks', (size) => `[${`${' '.repeat(50)}"tp1.x"${' '.repeat(50)},`.repeat(size)}1]`],
  ['quotes that backslashes escape', (size) => `[{"a":"${'\\"'.repeat(size)}","signature":"tp1.x"}]`],
];

for (const [name, write] of HOSTILE) {
  test(`the work is linear in the body: ${name}`, () => {
    const small = readsOf(write(1_000));
    const large = readsOf(write(4_000));
    assert.ok(large.reads <= 4.5 * small.reads + 1_000, `${small.reads} reads, of four times the body ${large.reads}`);
    assert.ok(large.reads <= 6 * large.length, `${large.reads} reads of ${large.length} bytes`);
  });
}

/** How many bytes were read one by one, and how far native searches went. */
function readsOf(json: string): { readonly reads: number; readonly length: number } {
  JSON.parse(json);
  const bytes = Buffer.from(json);
  let reads = 0;
  const counted = new Proxy(bytes, {
    get(target, name) {
      if (name === 'indexOf' || name === 'lastIndexOf') {
        return (value: number | Buffer, from = 0) => {
          const found = target[name](value, from);
          reads += found === -1 ? Math.abs((name === 'indexOf' ? target.length : 0) - from) : Math.abs(found - from);
          return found;
        };
      }
      reads += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  foreignThoughts({ bytes: counted });
  return { reads, length: bytes.length };
}
