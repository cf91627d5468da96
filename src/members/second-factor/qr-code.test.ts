/**
 * Goal: a drawn code can be read. Method: published vectors for the parts, and an independent reader: it reads the format from the picture,
 * removes the mask, deinterleaves the blocks, checks the error correction and decodes the text.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBits, qrCode, versionBits } from './qr-code.ts';
import { correctionOf } from './qr-codewords.ts';

test('a published block has the published error correction', () => {
  // "HELLO WORLD" at level M: https://www.thonky.com/qr-code-tutorial/error-correction-coding
  const block = Uint8Array.of(32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17);
  assert.deepEqual([...correctionOf(block, 10)], [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
});

test('format and version have the published bits', () => {
  // https://www.thonky.com/qr-code-tutorial/format-version-tables
  const bits = (number: number, length: number) => number.toString(2).padStart(length, '0');
  assert.equal(bits(formatBits(0), 15), '101010000010010');
  assert.equal(bits(formatBits(5), 15), '100000011001110');
  assert.equal(bits(versionBits(7), 18), '000111110010010100');
  assert.equal(bits(versionBits(10), 18), '001010010011010011');
});

// The capacity of each version, and one byte more.
for (const [index, length] of [14, 26, 42, 62, 84, 106, 122, 152, 180, 213].entries()) {
  test(`${length} bytes are read from version ${index + 1}`, () => {
    const text = Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 7 + length) % 90))).join('');
    assert.equal(qrCode(text).length, (index + 1) * 4 + 17);
    assert.equal(read(qrCode(text)), text);
    if (length < 213) assert.equal(read(qrCode(`${text}!`)), `${text}!`);
    else assert.throws(() => qrCode(`${text}!`), RangeError);
  });
}

test('one byte, no bytes and multi-byte characters are read', () => {
  for (const text of ['', 'x', 'Grüße, 世界 🌍']) assert.equal(read(qrCode(text)), text);
});

/** Data codewords of each block, and error correction codewords per block, by version: ISO/IEC 18004, table 9. */
const BLOCKS: readonly (readonly [readonly number[], number])[] = [
  [[16], 10],
  [[28], 16],
  [[44], 26],
  [[32, 32], 18],
  [[43, 43], 24],
  [[27, 27, 27, 27], 16],
  [[31, 31, 31, 31], 18],
  [[38, 38, 39, 39], 22],
  [[36, 36, 36, 37, 37], 22],
  [[43, 43, 43, 43, 44], 26],
];

function read(rows: readonly string[]): string {
  const size = rows.length;
  const version = (size - 17) / 4;
  const dark = (row: number, column: number) => rows[row]?.[column] === '1';
  assert.ok(dark(size - 8, 8), 'the dark module');
  const format = readFormat(dark, size);
  const mask = (format ^ 0x5412) >>> 10;
  assert.equal(format, formatBits(mask));
  const bits = walk(size, version)
    .map(([row, column]) => (dark(row, column) !== isMasked(mask, row, column) ? '1' : '0'))
    .join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const [data, correction] = BLOCKS[version - 1] ?? [[], 0];
  const blocks: number[][] = data.map(() => []);
  let at = 0;
  for (let round = 0; round < Math.max(...data); round += 1)
    for (const [index, length] of data.entries()) if (round < length) blocks[index]?.push(bytes[at++] ?? -1);
  for (let round = 0; round < correction; round += 1) for (const block of blocks) block.push(bytes[at++] ?? -1);
  for (const block of blocks) assert.ok(isIntact(block, correction));
  const message = blocks.flatMap((block, index) => block.slice(0, data[index]));
  return readMessage(message, version);
}

function readFormat(dark: (row: number, column: number) => boolean, size: number): number {
  // From the highest bit: along the row to the corner of the finder pattern, then up the column.
  const around: [number, number][] = [
    ...[0, 1, 2, 3, 4, 5, 7, 8].map((column): [number, number] => [8, column]),
    ...[7, 5, 4, 3, 2, 1, 0].map((row): [number, number] => [row, 8]),
  ];
  const split: [number, number][] = [
    ...[1, 2, 3, 4, 5, 6, 7].map((up): [number, number] => [size - up, 8]),
    ...[8, 7, 6, 5, 4, 3, 2, 1].map((left): [number, number] => [8, size - left]),
  ];
  const [first, second] = [around, split].map((places) =>
    places.reduce((bits, [row, column]) => bits * 2 + (dark(row, column) ? 1 : 0), 0),
  );
  assert.equal(first, second);
  return first ?? -1;
}

/** The positions of data modules, in order. */
function walk(size: number, version: number): [number, number][] {
  const columns = Array.from({ length: size }, (_, at) => size - 1 - at).filter((column) => column !== 6);
  const places: [number, number][] = [];
  for (let pair = 0; pair < columns.length; pair += 2) {
    for (let step = 0; step < size; step += 1) {
      const row = pair % 4 === 0 ? size - 1 - step : step;
      for (const column of columns.slice(pair, pair + 2))
        if (!isReserved(row, column, size, version)) places.push([row, column]);
    }
  }
  return places;
}

function isReserved(row: number, column: number, size: number, version: number): boolean {
  if (row === 6 || column === 6) return true;
  if (row < 9 && (column < 9 || column >= size - 8)) return true;
  if (row >= size - 8 && column < 9) return true;
  if (version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))) return true;
  const last = size - 7;
  const centres = version === 1 ? [] : version < 7 ? [6, last] : [6, (6 + last) / 2, last];
  return centres.some((down) =>
    centres.some(
      (right) =>
        !(down === 6 && right === 6) &&
        !(down === 6 && right === last) &&
        !(down === last && right === 6) &&
        Math.abs(row - down) <= 2 &&
        Math.abs(column - right) <= 2,
    ),
  );
}

function isMasked(mask: number, i: number, j: number): boolean {
  const conditions = [
    (i + j) % 2,
    i % 2,
    j % 3,
    (i + j) % 3,
    (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
    ((i * j) % 2) + ((i * j) % 3),
    (((i * j) % 2) + ((i * j) % 3)) % 2,
    (((i * j) % 3) + ((i + j) % 2)) % 2,
  ];
  return conditions[mask] === 0;
}

/** An intact block is zero at every root of the generator. */
function isIntact(block: readonly number[], correction: number): boolean {
  const powers = [1];
  for (let at = 1; at < 255; at += 1) {
    const doubled = (powers[at - 1] ?? 0) * 2;
    powers.push(doubled > 255 ? doubled ^ 0x11d : doubled);
  }
  const times = (a: number, b: number) =>
    a === 0 || b === 0 ? 0 : (powers[(powers.indexOf(a) + powers.indexOf(b)) % 255] ?? 0);
  return Array.from({ length: correction }, (_, root) =>
    block.reduce((value, byte) => times(value, powers[root] ?? 0) ^ byte, 0),
  ).every((value) => value === 0);
}

function readMessage(message: readonly number[], version: number): string {
  const hexadecimal = Buffer.from(message).toString('hex');
  assert.equal(hexadecimal[0], '4', 'bytes');
  const digits = version < 10 ? 2 : 4;
  const length = Number.parseInt(hexadecimal.slice(1, 1 + digits), 16);
  const end = 1 + digits + length * 2;
  const rest = hexadecimal.slice(end + 1);
  assert.match(rest, /^(ec11)*(ec)?$/);
  assert.match(hexadecimal.slice(end, end + 1), /^0?$/);
  return Buffer.from(hexadecimal.slice(1 + digits, end), 'hex').toString();
}
