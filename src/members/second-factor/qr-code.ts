/** Draws QR codes for authenticator apps: level M, versions 1 to 10. ISO/IEC 18004; https://www.thonky.com/qr-code-tutorial/ */
import { qrCodewords } from './qr-codewords.ts';
import { qrPenalty } from './qr-penalty.ts';

/** Centres of the alignment patterns, by version. */
const ALIGNMENTS: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

/** Which modules a mask inverts. */
const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** Rows of `0` (light) and `1` (dark), without a margin. Throws a `RangeError` for more than 213 bytes of text. */
export function qrCode(text: string): string[] {
  const { version, bytes } = qrCodewords(text);
  const drawn = MASKS.map((_, mask) => draw(version, bytes, mask));
  const penalties = drawn.map(qrPenalty);
  return drawn[penalties.indexOf(Math.min(...penalties))] ?? [];
}

/** Level M and the mask, with their error correction: 15 bits. */
export function formatBits(mask: number): number {
  // Level M is 00, so the data is the mask alone.
  return ((mask << 10) | remainder(mask << 10, 0x537)) ^ 0x5412;
}

/** 18 bits, drawn from version 7 on. */
export function versionBits(version: number): number {
  return (version << 12) | remainder(version << 12, 0x1f25);
}

function remainder(bits: number, polynomial: number): number {
  let rest = bits;
  while (rest !== 0 && Math.clz32(rest) <= Math.clz32(polynomial))
    rest ^= polynomial << (Math.clz32(polynomial) - Math.clz32(rest));
  return rest;
}

function draw(version: number, bytes: Uint8Array, mask: number): string[] {
  const canvas = new Canvas(version * 4 + 17);
  drawFinders(canvas);
  drawAlignments(canvas, ALIGNMENTS[version - 1] ?? []);
  drawTiming(canvas);
  drawFormat(canvas, formatBits(mask));
  if (version >= 7) drawVersion(canvas, versionBits(version));
  drawData(canvas, bytes, MASKS[mask] ?? (() => false));
  return canvas.rows();
}

/** A grid of modules, each dark, light, or not drawn yet. */
class Canvas {
  readonly size: number;
  readonly #modules: (boolean | null)[];

  constructor(size: number) {
    this.size = size;
    this.#modules = Array<boolean | null>(size * size).fill(null);
  }

  isFree(row: number, column: number): boolean {
    return this.#modules[row * this.size + column] === null;
  }

  set(row: number, column: number, isDark: boolean): void {
    if (row < 0 || column < 0 || row >= this.size || column >= this.size) return;
    this.#modules[row * this.size + column] = isDark;
  }

  rows(): string[] {
    return Array.from({ length: this.size }, (_, row) =>
      this.#modules
        .slice(row * this.size, (row + 1) * this.size)
        .map((isDark) => (isDark === true ? '1' : '0'))
        .join(''),
    );
  }
}

/** The three finder patterns, each with a light border. */
function drawFinders(canvas: Canvas): void {
  const far = canvas.size - 4;
  for (const [row, column] of [
    [3, 3],
    [3, far],
    [far, 3],
  ] as const)
    drawSquares(canvas, row, column, 4, (distance) => distance !== 2 && distance !== 4);
}

function drawAlignments(canvas: Canvas, centres: readonly number[]): void {
  const [first] = centres;
  const last = centres.at(-1);
  for (const row of centres) {
    for (const column of centres) {
      const isFinder = (row === first && (column === first || column === last)) || (row === last && column === first);
      if (!isFinder) drawSquares(canvas, row, column, 2, (distance) => distance !== 1);
    }
  }
}

/** Concentric squares, dark at the distances for which `isDark` is true. */
function drawSquares(
  canvas: Canvas,
  row: number,
  column: number,
  reach: number,
  isDark: (distance: number) => boolean,
): void {
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1)
      canvas.set(row + down, column + right, isDark(Math.max(Math.abs(down), Math.abs(right))));
  }
}

function drawTiming(canvas: Canvas): void {
  for (let at = 8; at < canvas.size - 8; at += 1) {
    canvas.set(6, at, at % 2 === 0);
    canvas.set(at, 6, at % 2 === 0);
  }
}

/** Twice: around the upper left finder pattern, and split between the two others. */
function drawFormat(canvas: Canvas, bits: number): void {
  const { size } = canvas;
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((bits >>> bit) & 1) === 1;
    // The timing patterns are skipped.
    canvas.set(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, isDark);
    canvas.set(8, bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit, isDark);
  }
  canvas.set(size - 8, 8, true);
}

function drawVersion(canvas: Canvas, bits: number): void {
  for (let bit = 0; bit < 18; bit += 1) {
    const isDark = ((bits >>> bit) & 1) === 1;
    const [long, short] = [Math.floor(bit / 3), canvas.size - 11 + (bit % 3)];
    canvas.set(long, short, isDark);
    canvas.set(short, long, isDark);
  }
}

/** Two columns at a time from the right, alternately up and down; modules left at the end are light. */
function drawData(canvas: Canvas, bytes: Uint8Array, isMasked: (row: number, column: number) => boolean): void {
  const { size } = canvas;
  let bit = 0;
  let isUpwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    // The column of the timing pattern is not part of a pair.
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const row = isUpwards ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (!canvas.isFree(row, column)) continue;
        const isDark = (((bytes[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1;
        canvas.set(row, column, isDark !== isMasked(row, column));
        bit += 1;
      }
    }
    isUpwards = !isUpwards;
  }
}
