/** Goal: an edit changes what it should and not one byte more. Method: undo every edit and compare. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonField } from './json-document.ts';
import { scanInside, scanJson } from './json-scan.ts';
import { type Edit, insertField, removeField, removeFields, replaceValue, splice, spliceParts } from './json-splice.ts';

test('without edits the very same buffer comes back', () => {
  const bytes = Buffer.from('{}');
  assert.equal(splice(bytes, []), bytes);
});

test('undoing random edits gives back the original bytes', () => {
  const edits = fc.array(fc.record({ gap: fc.nat(20), length: fc.nat(20), insert: fc.uint8Array({ maxLength: 30 }) }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), edits, (source, steps) => {
      const bytes = Buffer.from(source);
      const made: Edit[] = [];
      const undone: Edit[] = [];
      let at = 0;
      let shift = 0;
      for (const { gap, length, insert } of steps) {
        const start = Math.min(at + gap, bytes.length);
        const end = Math.min(start + length, bytes.length);
        made.push({ start, end, insert: Buffer.from(insert) });
        undone.push({ start: start + shift, end: start + shift + insert.length, insert: bytes.subarray(start, end) });
        shift += insert.length - (end - start);
        at = end;
      }
      const edited = splice(bytes, made);
      assert.equal(edited.length, bytes.length + shift);
      assert.ok(splice(edited, undone).equals(bytes));
    }),
  );
});

test('the parts of a large body equal a copy, and share its memory', () => {
  const bytes = Buffer.alloc(100_000, '0123456789abcdef');
  const gapped = fc.record({ gap: fc.nat(40_000), length: fc.nat(9), insert: fc.string({ maxLength: 5 }) });
  fc.assert(
    fc.property(fc.array(gapped, { minLength: 1, maxLength: 4 }), (steps) => {
      const edits: Edit[] = [];
      let at = 0;
      for (const { gap, length, insert } of steps) {
        const start = Math.min(at + gap, bytes.length);
        at = Math.min(start + length, bytes.length);
        edits.push({ start, end: at, insert: Buffer.from(insert) });
      }
      const parts = spliceParts(bytes, edits);
      assert.ok(!Buffer.isBuffer(parts));
      assert.ok(Buffer.concat(parts).equals(splice(bytes, edits)));
      const inserts = edits.map(({ insert }) => insert);
      assert.ok(parts.every((part) => part.length > 0 && (part.buffer === bytes.buffer || inserts.includes(part))));
    }),
  );
});

test('a small body, and one without edits, comes in one piece', () => {
  const insert = Buffer.from('x');
  assert.deepEqual(spliceParts(Buffer.from('ab'), [{ start: 1, end: 1, insert }]), Buffer.from('axb'));
  const large = Buffer.alloc(100_000);
  assert.equal(spliceParts(large, []), large);
});

test('edits that overlap, run backwards or reach outside are a programming error', () => {
  const bytes = Buffer.from('abcdef');
  const insert = Buffer.from('x');
  const wrong: Edit[][] = [
    [
      { start: 2, end: 4, insert },
      { start: 3, end: 5, insert },
    ],
    [
      { start: 4, end: 5, insert },
      { start: 0, end: 1, insert },
    ],
    [{ start: 3, end: 2, insert }],
    [{ start: 5, end: 7, insert }],
    [{ start: -99_995, end: 2, insert }],
  ];
  const large = Buffer.alloc(100_000);
  for (const edits of wrong) {
    assert.throws(() => splice(bytes, edits), { name: 'AssertionFailed' });
    const moved = edits.map(({ start, end, insert: same }) => ({
      start: start + 99_994,
      end: end + 99_994,
      insert: same,
    }));
    assert.throws(() => spliceParts(large, moved), { name: 'AssertionFailed' });
  }
});

const removals: readonly [text: string, name: string, expected: string][] = [
  ['{"a":1,"b":2,"c":3}', 'a', '{"b":2,"c":3}'],
  ['{"a":1,"b":2,"c":3}', 'b', '{"a":1,"c":3}'],
  ['{"a":1,"b":2,"c":3}', 'c', '{"a":1,"b":2}'],
  ['{"a":1}', 'a', '{}'],
  ['{ "a" : 1 }', 'a', '{  }'],
  ['{ "a" : 1 , "b" : 2 }', 'a', '{ "b" : 2 }'],
  ['{ "a" : 1 , "b" : 2 }', 'b', '{ "a" : 1  }'],
  ['{\n  "a": [1,2],\n  "b": {}\n}', 'b', '{\n  "a": [1,2]\n}'],
];

for (const [text, name, expected] of removals) {
  test(`removing ${name} from ${JSON.stringify(text)} also removes one comma`, () => {
    const document = scanJson(Buffer.from(text));
    const edited = splice(document.bytes, [removeField(document, field(document.fields, name))]).toString();
    assert.equal(edited, expected);
    assert.deepEqual(scanJson(Buffer.from(edited)).fields.has(name), false);
  });
}

test('removing any fields leaves an object of the others, in any spacing', () => {
  const space = fc.constantFrom('', ' ', '\n  ', '\t');
  const member = fc.record({ before: space, between: space, after: space, isRemoved: fc.boolean() });
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 9 }), (members) => {
      const texts = members.map(
        ({ before, between, after }, index) => `${before}"f${index}"${between}:${index}${after}`,
      );
      const document = scanJson(Buffer.from(`{${texts.join(',')}}`));
      const named = (isRemoved: boolean) =>
        members.flatMap((each, index) => (each.isRemoved === isRemoved ? [`f${index}`] : []));
      const removed = named(true).map((name) => field(document.fields, name));
      const edited = splice(document.bytes, removeFields(document, removed.toReversed())).toString();
      assert.deepEqual(Object.keys(JSON.parse(edited)), named(false));
      const commas = Math.max(0, named(false).length - 1);
      assert.equal(edited.split(',').length - 1, commas);
    }),
    { numRuns: 1000 },
  );
});

test('a field is added as the first, with a comma only where others follow', () => {
  const add = (text: string) => {
    const document = scanJson(Buffer.from(text));
    return splice(document.bytes, [insertField(document, 'n"', '[1]')]).toString();
  };
  assert.equal(add('{}'), '{"n\\"":[1]}');
  assert.equal(add(' {\n} '), ' {"n\\"":[1]\n} ');
  assert.equal(add('{ "a":1}'), '{"n\\"":[1], "a":1}');
});

test('a field is added to an object inside, from text or from bytes', () => {
  const document = scanJson(Buffer.from('{"o":{"x":1},"e":{ }}'));
  const edits = [
    insertField(scanInside(document, field(document.fields, 'o')), 'y', Buffer.from('"ü"')),
    insertField(scanInside(document, field(document.fields, 'e')), 'z', 'null'),
  ];
  assert.equal(splice(document.bytes, edits).toString(), '{"o":{"y":"ü","x":1},"e":{"z":null }}');
});

test('a field that exists is not added again', () => {
  const document = scanJson(Buffer.from('{"a":1}'));
  assert.throws(() => insertField(document, 'a', '2'), { name: 'AssertionFailed' });
});

test('a value is replaced and the rest stays, for any object', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, maxKeys: 6 });
  fc.assert(
    fc.property(object, fc.nat(), fc.jsonValue(), (value, pick, replacement) => {
      const document = scanJson(Buffer.from(JSON.stringify(value, null, 1)));
      const [name, place] = [...document.fields][pick % document.fields.size] ?? assert.fail();
      const json = JSON.stringify(replacement);
      const edited = splice(document.bytes, [replaceValue(place, json)]);
      const parsed = new Map(Object.entries(JSON.parse(document.bytes.toString()) as object));
      parsed.set(name, JSON.parse(json));
      assert.deepEqual(new Map(Object.entries(JSON.parse(edited.toString()) as object)), parsed);
      const end = place.valueStart + Buffer.byteLength(json);
      const original = document.bytes.subarray(place.valueStart, place.valueEnd);
      assert.ok(splice(edited, [{ start: place.valueStart, end, insert: original }]).equals(document.bytes));
    }),
  );
});

function field(fields: ReadonlyMap<string, JsonField>, name: string): JsonField {
  return fields.get(name) ?? assert.fail(`no field ${name}`);
}
