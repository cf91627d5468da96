/**
 * Goal: a body has the same parts however it is cut, and what is not multipart is refused, with bounded memory. Method: forms that `FormWriter`
 * writes, with bytes that look like boundaries, cut everywhere and at random; hostile bodies by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GatewayError } from '../../core/errors.ts';
import { FormWriter, LINE_BREAK } from './form-writer.ts';
import { MultipartReader } from './multipart-reader.ts';
import { type PartHead, readPartHead } from './part-head.ts';

const BOUNDARY = 'x-y';

interface Part extends PartHead {
  readonly bytes: string;
}

function read(body: Buffer, cuts: readonly number[] = [], boundary = BOUNDARY): readonly Part[] {
  const parts: Part[] = [];
  let head: PartHead | null = null;
  let bytes: Buffer[] = [];
  const reader = new MultipartReader(boundary, {
    begin(lines) {
      assert.equal(head, null);
      head = readPartHead(lines);
      bytes = [];
    },
    data: (piece) => void bytes.push(Buffer.from(piece)),
    end() {
      parts.push({ ...(head as PartHead), bytes: Buffer.concat(bytes).toString('latin1') });
      head = null;
    },
  });
  let from = 0;
  for (const cut of [...cuts, body.length]) {
    reader.feed(body.subarray(from, cut));
    from = cut;
  }
  reader.finish();
  return parts;
}

function written(parts: readonly Part[]): Buffer {
  const writer = new FormWriter(BOUNDARY);
  return Buffer.concat([
    ...parts.flatMap((part) => [writer.file(part), Buffer.from(part.bytes, 'latin1'), LINE_BREAK]),
    writer.end(),
  ]);
}

/** Bytes of the boundary and other ones. */
const bytes = fc
  .array(fc.constantFrom('\r', '\n', '-', '--', '\r\n', '\r\n--', '\r\n--x', '\r\n--x-', 'x', 'y', 'a', '\0', '\xff'), {
    maxLength: 30,
  })
  .map((texts) => texts.join(''))
  .filter((text) => !text.includes('\r\n--x-y') && !`${text}\r\n--x-y`.slice(0, -7).includes('\r\n--x-y'));
const part: fc.Arbitrary<Part> = fc.record({
  name: fc.constantFrom('model', 'file', 'timestamp_granularities[]'),
  fileName: fc.constantFrom(null, 'a.mp3', 'über "x".wav', 'C:\\a.mp3'),
  contentType: fc.constantFrom(null, 'audio/mpeg'),
  bytes,
});

test('any parts, cut at any places, are the same parts', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), fc.array(fc.nat(2_000), { maxLength: 20 }), (parts, places) => {
      const body = written(parts);
      const cuts = places.map((place) => place % (body.length + 1)).toSorted((left, right) => left - right);
      const expected = parts.map((each) => ({ ...each, fileName: each.fileName?.replaceAll('"', '%22') ?? null }));
      assert.deepEqual(read(body, cuts), expected);
    }),
    { numRuns: 500 },
  );
});

test('a form that is cut at each place, and one that arrives byte by byte, is read alike', () => {
  const parts: Part[] = [
    { name: 'model', fileName: null, contentType: null, bytes: '' },
    { name: 'file', fileName: 'a', contentType: 'audio/mpeg', bytes: '\r\n--x-\r\r\n\r\n--x--y--\r\n--' },
    { name: 'language', fileName: null, contentType: null, bytes: '\r\n' },
  ];
  const body = written(parts);
  for (let cut = 0; cut <= body.length; cut += 1) assert.deepEqual(read(body, [cut]), parts);
  assert.deepEqual(
    read(
      body,
      Array.from(body, (_, at) => at),
    ),
    parts,
  );
});

test('a line break may come before the first boundary, and none after the last', () => {
  const one: Part = { name: 'model', fileName: null, contentType: null, bytes: 'x' };
  const body = written([one]);
  assert.deepEqual(read(Buffer.concat([LINE_BREAK, body.subarray(0, -2)])), [one]);
});

const HEAD = 'Content-Disposition: form-data; name="model"\r\n\r\n';
const refused: Readonly<Record<string, string>> = {
  nothing: '',
  'another boundary': `--x-z\r\n${HEAD}a\r\n--x-z--`,
  'text before the first boundary': `hello\r\n--x-y\r\n${HEAD}a\r\n--x-y--`,
  'no last boundary': `--x-y\r\n${HEAD}a\r\n--x-y`,
  'half a last boundary': `--x-y\r\n${HEAD}a\r\n--x-y-`,
  'a boundary within a part': `--x-y\r\n${HEAD}a\r\n--x-yz\r\n--x-y--`,
  'a boundary that ends with a line feed': `--x-y\n${HEAD}a\r\n--x-y--`,
  'text after the last boundary': `--x-y\r\n${HEAD}a\r\n--x-y--\r\n--x-y\r\n${HEAD}b\r\n--x-y--`,
  'line breaks without end': `--x-y\r\n${HEAD}a\r\n--x-y--${'\r\n'.repeat(100)}`,
  'headers without end': `--x-y\r\n${'a: b\r\n'.repeat(10_000)}`,
  'one endless header': `--x-y\r\na: ${'b'.repeat(100_000)}`,
  'a part without headers': '--x-y\r\n\r\na\r\n--x-y--',
  'a part without a name': '--x-y\r\nContent-Disposition: form-data\r\n\r\na\r\n--x-y--',
  'an attachment': '--x-y\r\nContent-Disposition: attachment; name="model"\r\n\r\na\r\n--x-y--',
  'a header twice': `--x-y\r\nContent-Disposition: form-data; name="a"\r\n${HEAD}a\r\n--x-y--`,
  'a name twice': '--x-y\r\nContent-Disposition: form-data; name="a"; name="b"\r\n\r\na\r\n--x-y--',
  'an open quote': '--x-y\r\nContent-Disposition: form-data; name="a\r\n\r\na\r\n--x-y--',
  'a name with a quote': '--x-y\r\nContent-Disposition: form-data; name="a\\"b"\r\n\r\na\r\n--x-y--',
  'a folded line': '--x-y\r\nContent-Disposition: form-data;\r\n name="a"\r\n\r\na\r\n--x-y--',
  'a line feed in a header': '--x-y\r\nContent-Disposition: form-data; name="a"\nb: c\r\n\r\na\r\n--x-y--',
  'a nested multipart': `--x-y\r\nContent-Type: multipart/mixed; boundary=z\r\n${HEAD}a\r\n--x-y--`,
  'base 64': `--x-y\r\nContent-Transfer-Encoding: base64\r\n${HEAD}a\r\n--x-y--`,
  'headers that are not UTF-8':
    '--x-y\r\nContent-Disposition: form-data; name="a"; filename="\xff"\r\n\r\na\r\n--x-y--',
};

for (const [what, body] of Object.entries(refused))
  test(`refuses ${what}, whole and byte by byte`, () => {
    const sent = Buffer.from(body, 'latin1');
    for (const cuts of [[], Array.from(sent, (_, at) => at)])
      assert.throws(
        () => read(sent, cuts),
        (error) => error instanceof GatewayError && error.status === 400 && /multipart\/form-data/.test(error.message),
      );
  });
