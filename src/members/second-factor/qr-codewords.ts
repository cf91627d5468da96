/** The codewords of a QR code: text in bytes, level M, versions 1 to 10. ISO/IEC 18004; https://www.thonky.com/qr-code-tutorial/ */

/** How a version's codewords are divided into blocks. */
interface BlockTable {
  /** Error correction codewords of each block. */
  readonly correction: number;
  /** Data codewords of each block. */
  readonly data: readonly number[];
}

const TABLES: readonly BlockTable[] = [
  { correction: 10, data: [16] },
  { correction: 16, data: [28] },
  { correction: 26, data: [44] },
  { correction: 18, data: [32, 32] },
  { correction: 24, data: [43, 43] },
  { correction: 16, data: [27, 27, 27, 27] },
  { correction: 18, data: [31, 31, 31, 31] },
  { correction: 22, data: [38, 38, 39, 39] },
  { correction: 22, data: [36, 36, 36, 37, 37] },
  { correction: 26, data: [43, 43, 43, 43, 44] },
];

/** Byte mode, four bits. */
const BYTE_MODE = 4;
const PADDING = [0xec, 0x11];

export interface Codewords {
  /** 1 to 10. */
  readonly version: number;
  /** Data and error correction, interleaved in drawing order. */
  readonly bytes: Uint8Array;
}

/** The smallest version that holds the text. Throws a `RangeError` for more than 213 bytes. */
export function qrCodewords(text: string): Codewords {
  const bytes = Buffer.from(text);
  const index = TABLES.findIndex(({ data }, at) => sum(data) >= bytes.length + headBytes(at + 1));
  const table = TABLES[index];
  if (table === undefined) throw new RangeError('the text is too long for a QR code of version 10');
  const version = index + 1;
  const message = withHead(bytes, version, sum(table.data));
  const blocks: Uint8Array[] = [];
  let from = 0;
  for (const length of table.data) {
    blocks.push(message.subarray(from, from + length));
    from += length;
  }
  const corrections = blocks.map((block) => correctionOf(block, table.correction));
  return { version, bytes: Uint8Array.from([...interleaved(blocks), ...interleaved(corrections)]) };
}

/** Reed–Solomon: the remainder of a block, over the field of 256 with the polynomial 0x11d. */
export function correctionOf(block: Uint8Array, length: number): Uint8Array {
  const generator = generatorOf(length);
  const remainder = new Uint8Array(length);
  for (const byte of block) {
    const factor = byte ^ (remainder[0] ?? 0);
    remainder.copyWithin(0, 1);
    remainder[length - 1] = 0;
    for (let at = 0; at < length; at += 1) remainder[at] = (remainder[at] ?? 0) ^ multiply(generator[at] ?? 0, factor);
  }
  return remainder;
}

/** Mode and length are 12 bits, or 20 from version 10 on; the four bits of the terminator fill the last byte. */
function headBytes(version: number): number {
  return version < 10 ? 2 : 3;
}

/** Mode, length, text, terminator and padding. */
function withHead(bytes: Buffer, version: number, length: number): Uint8Array {
  const lengthDigits = version < 10 ? 2 : 4;
  const head = BYTE_MODE.toString(16) + bytes.length.toString(16).padStart(lengthDigits, '0');
  const written = Buffer.from(`${head}${bytes.toString('hex')}0`, 'hex');
  return Uint8Array.from({ length }, (_, at) => written[at] ?? PADDING[(at - written.length) % 2] ?? 0);
}

/** The first byte of each block, the second of each, … */
function interleaved(blocks: readonly Uint8Array[]): number[] {
  const longest = Math.max(...blocks.map((block) => block.length));
  return Array.from({ length: longest }, (_, at) => blocks.flatMap((block) => block[at] ?? [])).flat();
}

/** Coefficients of (x − 2⁰)(x − 2¹)…, highest first, without the leading 1. */
function generatorOf(length: number): Uint8Array {
  const generator = new Uint8Array(length);
  generator[length - 1] = 1;
  let root = 1;
  for (let factor = 0; factor < length; factor += 1) {
    for (let at = 0; at < length; at += 1)
      generator[at] = multiply(generator[at] ?? 0, root) ^ (generator[at + 1] ?? 0);
    root = multiply(root, 2);
  }
  return generator;
}

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    if ((b >>> bit) & 1) product ^= a;
  }
  return product;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
