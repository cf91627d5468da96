/**
 * Goal: the scan accepts exactly the JSON objects, finds their fields, and has the same result however the body was cut. Method: tables for
 * the rules, `JSON.parse` as the oracle for the rest.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { GatewayError } from '../core/errors.ts';
import { FIELDS_MAX } from './entered-objects.ts';
import type { JsonDocument } from './json-document.ts';
import { readValue } from './json-read.ts';
import { DEPTH_MAX, JsonScan, scanInside, scanJson } from './json-scan.ts';

const chatBody =
  ' {"model" : "demo/echo","stream":true,\r\n\t"max_tokens":-1.5e+3,"messages":[{"role":"user","content":"a \\"quoted\\" w\\u00f6rd \\\\"}],' +
  '"stop":null,"logprobs":false,"metadata":{},"tools":[],"né":[0,-0,1e5,0.25,[[]],{"a":{}}]} \n';

test('every top-level field is found with its range and its type', () => {
  const document = scan(chatBody);
  const seen = [...document.fields].map(([name, field]) => [
    name,
    field.type,
    slice(document, field.valueStart, field.valueEnd),
  ]);
  assert.deepEqual(seen.slice(0, 3), [
    ['model', 'string', '"demo/echo"'],
    ['stream', 'true', 'true'],
    ['max_tokens', 'number', '-1.5e+3'],
  ]);
  assert.deepEqual(seen.map(([name, type]) => `${name}:${type}`).slice(3), [
    'messages:array',
    'stop:null',
    'logprobs:false',
    'metadata:object',
    'tools:array',
    'né:array',
  ]);
  const model = document.fields.get('model');
  assert.equal(slice(document, model?.keyStart ?? -1, (model?.keyStart ?? -1) + 7), '"model"');
  assert.equal(document.objectStart, 1);
});

test('a body cut anywhere, in growing buffers with other bytes after it, is read the same', () => {
  const bytes = Buffer.from(chatBody);
  const whole = scanJson(bytes);
  for (let cut = 0; cut <= bytes.length; cut++) assert.deepEqual(scanInPieces(bytes, [cut]), whole, `cut at ${cut}`);
  const everyByte = Array.from(bytes, (_, index) => index);
  assert.deepEqual(scanInPieces(bytes, everyByte), whole);
});

const broken: readonly [text: string, message: RegExp][] = [
  ['', /empty/],
  ['  ', /ends at byte 2/],
  ['[]', /must be a JSON object; expected '\{' at byte 0/],
  ['"a"', /must be a JSON object/],
  ['null', /must be a JSON object/],
  ['\ufeff{}', /byte order mark/],
  ['{', /ends at byte 1 before/],
  ['{}{}', /nothing after the end of the object at byte 2/],
  ['{} x', /at byte 3/],
  ['{}\u0000', /at byte 2/],
  ['{,}', /a name at byte 1/],
  ['{"a"}', /a colon at byte 4/],
  ['{"a":}', /a value at byte 5/],
  ['{"a"::1}', /a value at byte 5/],
  ['{"a":1,}', /a name at byte 7/],
  ['{"a":1 "b":2}', /a comma or the end of the object at byte 7/],
  ["{'a':1}", /a name at byte 1/],
  ['{a:1}', /a name at byte 1/],
  ['{"a":1]', /end of the object at byte 6/],
  ['{"a":[1}', /end of the array at byte 7/],
  ['{"a":[1,]}', /a value at byte 8/],
  ['{"a":[,1]}', /a value at byte 6/],
  ['{"a":[1 2]}', /end of the array at byte 8/],
  ['{"a":]}', /a value at byte 5/],
  ['{"a":01}', /end of the object at byte 6/],
  ['{"a":-}', /a digit at byte 6/],
  ['{"a":+1}', /a value at byte 5/],
  ['{"a":.5}', /a value at byte 5/],
  ['{"a":1.}', /a digit at byte 7/],
  ['{"a":1.e5}', /a digit at byte 7/],
  ['{"a":1e}', /a digit at byte 7/],
  ['{"a":1e+}', /a digit at byte 8/],
  ['{"a":1e5.5}', /end of the object at byte 8/],
  ['{"a":0x1}', /at byte 6/],
  ['{"a":tru}', /'true' at byte 8/],
  ['{"a":True}', /a value at byte 5/],
  ['{"a":nul', /ends at byte 8/],
  ['{"a":nullx}', /at byte 9/],
  ['{"a":NaN}', /a value at byte 5/],
  ['{"a":"b}', /ends at byte 8/],
  ['{"a":"b\\"}', /ends at byte 10/],
  ['{"a":"b\\', /ends at byte 8/],
  ['{"a', /ends at byte 3/],
  ['{"a\\', /ends at byte 4/],
  ['{"a":1/**/}', /at byte 6/],
  ['{"a\\q":1}', /name at byte 1 has an escape/],
  ['{"a\\u12":1}', /name at byte 1 has an escape/],
  ['{"a\tb":1}', /name at byte 1 has an escape or a byte/],
  ['{"a":1\u00a0}', /at byte 6/],
];

for (const [text, message] of broken) {
  test(`${JSON.stringify(text)} is refused wherever it is cut`, () => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut++) refused(() => scanInPieces(bytes, [cut]), 'invalid_json', message);
  });
}

test('nesting is accepted up to the limit and refused one level beyond', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  assert.equal(scan(nested(DEPTH_MAX)).fields.size, 1);
  refused(() => scan(nested(DEPTH_MAX + 1)), 'json_too_deep', /more than 128 levels/);
  const three = new JsonScan({ depthMax: 3 });
  assert.equal(three.finish(Buffer.from('{"a":{"b":[1]}}'), 15).fields.size, 1);
  const bytes = Buffer.from('{"a":{"b":[{}]}}');
  refused(() => three.reset().finish(bytes, bytes.length), 'json_too_deep', /more than 3 levels/);
});

test('a million levels are refused at the first one too many, not at the end', () => {
  const bytes = Buffer.from(`{"a":${'['.repeat(1_000_000)}`);
  refused(() => new JsonScan().feed(bytes, 5 + DEPTH_MAX), 'json_too_deep', /nested/);
  new JsonScan().feed(bytes, 5 + DEPTH_MAX - 1);
});

test('a top-level name given twice is refused and named, also when it is spelled with escapes', () => {
  for (const second of ['model', 'm\\u006fdel', '\\u006D\\u006F\\u0064\\u0065\\u006C']) {
    const error = refused(() => scan(`{"model":"a","n":1,"${second}":"b"}`), 'duplicate_key', /"model" twice/);
    assert.equal(error.param, 'model');
  }
  assert.equal(scan('{"Model":1,"model":2,"model ":3,"a":{"x":1,"x":2}}').fields.size, 4);
});

test('names on the object prototype are names like any other', () => {
  const { fields } = scan('{"__proto__":{"model":1},"constructor":2,"toString":3}');
  assert.deepEqual([...fields.keys()], ['__proto__', 'constructor', 'toString']);
  refused(() => scan('{"__proto__":1,"\\u005f_proto__":2}'), 'duplicate_key', /__proto__/);
});

test('bytes that are not UTF-8 are refused, unpaired surrogates in escapes are not', () => {
  const template = Buffer.from('{"a":"xx","b":[""]}');
  for (const bad of [
    [0xff, 0x41],
    [0xc0, 0xaf],
    [0xed, 0xa0],
    [0x80, 0x41],
  ]) {
    const bytes = Buffer.from(template);
    bytes.set(bad, 6);
    refused(() => scanJson(bytes), 'invalid_utf8', /UTF-8/);
  }
  assert.equal(scan('{"a":"\\ud800","\\udc00":"😀"}').fields.size, 2);
});

test('the encoding of a large body is checked as it arrives, with characters cut anywhere', () => {
  const bytes = Buffer.from(`{"a":"${'x1é2€3😀'.repeat(20_000)}"}`);
  for (const step of [65_536, 65_537, 65_538, 65_539, 70_001]) {
    const cuts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) => index * step);
    assert.equal(scanInPieces(bytes, cuts).fields.size, 1, `steps of ${step}`);
  }
});

test('a byte that is not UTF-8 is refused wherever a large body is cut, and before its end', () => {
  const text = `{"a":"${'x1é2€3😀'.repeat(10_000)}"}`;
  for (const at of [70_000, 65_535, 65_536, 120_000]) {
    for (const bad of [[0xff], [0x80, 0x80, 0x80, 0x80], [0xc0, 0xaf]]) {
      const bytes = Buffer.from(text);
      bytes.set(bad, at);
      for (const cut of [65_533, 65_536, 70_001, 131_000])
        refused(() => scanInPieces(bytes, [cut]), 'invalid_utf8', /UTF-8/);
    }
  }
  const early = Buffer.from(text);
  early[1000] = 0xff;
  refused(() => new JsonScan().feed(early, 80_000), 'invalid_utf8', /UTF-8/);
});

test('the number and the length of top-level names are bounded', () => {
  const many = (count: number) => `{${Array.from({ length: count }, (_, index) => `"f${index}":${index}`).join(',')}}`;
  assert.equal(scan(many(FIELDS_MAX)).fields.size, FIELDS_MAX);
  refused(() => scan(many(FIELDS_MAX + 1)), 'invalid_value', /more than 1024 fields/);
  refused(() => scan(`{"${'x'.repeat(1025)}":1}`), 'invalid_value', /name of more than 1024 bytes/);
  assert.equal(scan(`{"a":{"${'x'.repeat(1025)}":1}}`).fields.size, 1);
});

test('a scan that threw cannot continue', () => {
  const scanner = new JsonScan();
  const bytes = Buffer.from('{,"model":"a"}');
  refused(() => scanner.feed(bytes, 2), 'invalid_json', /byte 1/);
  assert.throws(() => scanner.finish(bytes, bytes.length), /must be reset/);
  assert.equal(scanner.reset().finish(Buffer.from('{"b":1}'), 7).fields.size, 1);
});

test('a document does not change when its scan is used again', () => {
  const scanner = new JsonScan();
  const first = scanner.finish(Buffer.from('{"a":1}'), 7);
  scanner.reset().finish(Buffer.from('{"b":1}'), 7);
  assert.deepEqual([...first.fields.keys()], ['a']);
});

test('an object inside a document is scanned in place, with the offsets of the whole', () => {
  const document = scan('{"message": { "model":"m","usage":{"x":1} },"z":0}');
  const message = document.fields.get('message');
  assert.ok(message);
  const inside = scanInside(document, message);
  const usage = inside.fields.get('usage');
  assert.ok(usage);
  assert.equal(slice(document, usage.valueStart, usage.valueEnd), '{"x":1}');
  assert.equal(slice(document, inside.objectStart, inside.objectStart + 3), '{ "');
  assert.deepEqual([...scanInside(inside, usage).fields.keys()], ['x']);
});

test('the ends of long strings are found, whatever runs of backslashes and quotes are in them', () => {
  const piece = fc.oneof(
    fc.constantFrom('\\\\', '\\"', '\\n', 'é', '😀', '{', '['),
    fc.integer({ min: 1, max: 140 }).map((length) => 'x'.repeat(length)),
    fc.integer({ min: 1, max: 70 }).map((length) => '\\\\'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(2000), { maxLength: 6 }), (pieces, cuts) => {
      const bytes = Buffer.from(`{"a":"${pieces.join('')}","b":[]}`);
      const document = scanInPieces(bytes, cuts);
      const field = document.fields.get('a');
      assert.ok(field);
      assert.equal(slice(document, field.valueStart, field.valueEnd), `"${pieces.join('')}"`);
      assert.equal(document.fields.get('b')?.type, 'array');
    }),
  );
});

test('what JSON.parse reads in an object, the scan finds field by field, however cut', () => {
  const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 8 });
  fc.assert(
    fc.property(
      object,
      fc.constantFrom(undefined, 1, '\t'),
      fc.array(fc.nat(500), { maxLength: 5 }),
      (value, indent, cuts) => {
        const text = JSON.stringify(value, null, indent);
        const document = scanInPieces(Buffer.from(text), cuts);
        const parsed = new Map(Object.entries(JSON.parse(text) as Record<string, unknown>));
        assert.equal(document.fields.size, parsed.size);
        for (const [name, field] of document.fields) assert.deepEqual(readValue(document, field), parsed.get(name));
      },
    ),
  );
});

test('on damaged bodies scan and JSON.parse agree, except for the contents of strings', () => {
  const damage = fc.record({
    at: fc.nat(400),
    remove: fc.nat(2),
    insert: fc.constantFrom(
      '',
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      '0',
      '-',
      '.',
      'e',
      't',
      ' ',
      '\n',
      '\u0001',
      '//',
    ),
  });
  let accepted = 0;
  let refusals = 0;
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 2 }), (damages) => {
      let text = chatBody;
      for (const { at, remove, insert } of damages) {
        const position = at % text.length;
        text = text.slice(0, position) + insert + text.slice(position + remove);
      }
      const error = failure(() => scan(text));
      if (error === null) accepted++;
      else refusals++;
      if (error?.code === 'duplicate_key') return;
      const strings = /"(?:[^"\\]|\\.)*"/gs;
      let index = 0;
      const skeleton = text.replace(strings, () => `"${index++}"`);
      const expected = isObjectText(text) || (error === null && isObjectText(skeleton));
      assert.equal(error === null, expected, text);
    }),
    { numRuns: 3000 },
  );
  assert.ok(accepted > 100 && refusals > 100, `${accepted} accepted, ${refusals} refused`);
});

const recordings = process.env['TURNPIKE_RECORDINGS'] ?? join(import.meta.dirname, '../../../shared/data/recorded');

test('recorded answers are found as JSON.parse reads them', {
  skip: existsSync(recordings) ? false : `no recordings at ${recordings}`,
}, () => {
  let scanned = 0;
  for (const path of readdirSync(recordings, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.json')) continue;
    const bytes = readFileSync(join(recordings, path));
    const parsed: unknown = JSON.parse(bytes.toString());
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) continue;
    const document = scanInPieces(bytes, [bytes.length >> 2, bytes.length >> 1]);
    assert.deepEqual([...document.fields.keys()].sort(), Object.keys(parsed).sort(), path);
    for (const [name, field] of document.fields) {
      assert.deepEqual(readValue(document, field), (parsed as Record<string, unknown>)[name], `${path} ${name}`);
    }
    scanned++;
  }
  assert.ok(scanned > 10, `only ${scanned} recordings`);
});

test('values and names are counted, however the body is cut', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['{}', 1],
    ['{"a":1}', 3],
    ['{"a":[],"b":{}, "c":[1,"x",null,true,{"d":[[]]}]}', 15],
    ['{"a":"{\\"not\\":[1,2,3]}"}', 3],
    [`{"x":[${Array.from({ length: 1000 }, () => '[]').join(',')}]}`, 1003],
  ];
  for (const [text, expected] of cases) {
    const bytes = Buffer.from(text);
    assert.equal(scan(text).values, expected, text.slice(0, 60));
    for (let cut = 0; cut < Math.min(bytes.length, 60); cut += 1) {
      assert.equal(scanInPieces(bytes, [cut]).values, expected, `cut at ${cut}`);
    }
  }
});

function scan(text: string): JsonDocument {
  return scanJson(Buffer.from(text));
}

/** Feeds the bytes up to each cut, every time in another buffer with structural characters after the cut. */
function scanInPieces(bytes: Buffer, cuts: readonly number[]): JsonDocument {
  const scanner = new JsonScan();
  for (const cut of [...cuts].sort((left, right) => left - right)) {
    const filled = Math.min(cut, bytes.length);
    const buffer = Buffer.alloc(filled + 40, '"]}\\,');
    bytes.copy(buffer, 0, 0, filled);
    scanner.feed(buffer, filled);
  }
  const { bytes: view, ...found } = scanner.finish(Buffer.concat([bytes, Buffer.from('"]}')]), bytes.length);
  assert.ok(view.equals(bytes));
  return { bytes, ...found };
}

function slice(document: JsonDocument, start: number, end: number): string {
  return document.bytes.toString('utf8', start, end);
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function failure(action: () => unknown): GatewayError | null {
  try {
    action();
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

function refused(action: () => unknown, code: string, message: RegExp): GatewayError {
  const error = failure(action);
  assert.ok(error, 'nothing was refused');
  assert.equal(error.code, code);
  assert.match(error.message, message);
  assert.equal(error.status, 400);
  return error;
}
