/** Reads the size of an image from the header of its file: without a possible size it is not an image. */
import type { ImageType } from './image-type.ts';

/** `count` bytes of the file from `offset`; fewer at its end. */
export type ReadBytes = (offset: number, count: number) => Buffer;

/** Bytes of a file that are read next; none lie before those read before. Fewer are given at its end. */
export interface BytesAsked {
  readonly offset: number;
  readonly count: number;
}

/** A reading of a file that asks for a few bytes at a time, so that the file may still be arriving. */
export type FileReading<T> = Generator<BytesAsked, T, Buffer>;

/** Whether the header of the file has a width and a height that an image can have. */
export function hasSize(type: ImageType, read: ReadBytes): boolean {
  const reading = readSized(type);
  let step = reading.next();
  while (step.done !== true) step = reading.next(read(step.value.offset, step.value.count));
  return step.value;
}

/** The same as a reading. */
export function* readSized(type: ImageType): FileReading<boolean> {
  const size = yield* SIZES[type]();
  return size?.every((side) => side > 0 && side <= SIDE_MAX) === true;
}

/** The most that JPEG, GIF and WebP can state; vendors already refuse an eighth of it. */
const SIDE_MAX = 65_535;

type Size = readonly [width: number, height: number];

const SIZES: Readonly<Record<ImageType, () => FileReading<Size | null>>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/gif': gifSize,
  'image/webp': webpSize,
};

/** The header is the first chunk: https://www.w3.org/TR/png-3/#11IHDR */
function* pngSize(): FileReading<Size | null> {
  const head = yield { offset: 0, count: 24 };
  if (head.length < 24 || head.toString('latin1', 12, 16) !== 'IHDR') return null;
  return [head.readUInt32BE(16), head.readUInt32BE(20)];
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt (logical screen descriptor) */
function* gifSize(): FileReading<Size | null> {
  const head = yield { offset: 0, count: 10 };
  return head.length < 10 ? null : [head.readUInt16LE(6), head.readUInt16LE(8)];
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function* webpSize(): FileReading<Size | null> {
  const head = yield { offset: 0, count: 30 };
  if (head.length < 30) return null;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1];
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return head[20] === 0x2f ? [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1] : null;
    }
    case 'VP8 ':
      if (head.readUIntBE(23, 3) !== 0x9d012a) return null;
      return [head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff];
    default:
      return null;
  }
}

/** Segments before the frame: metadata of cameras and editors. A colour profile takes one per 64 KiB. */
const SEGMENTS_MAX = 256;

/** https://www.w3.org/Graphics/JPEG/itu-t81.pdf (B.2): segments, each with its length, up to the header of the frame. */
function* jpegSize(): FileReading<Size | null> {
  let at = 2;
  for (let segments = 0; segments < SEGMENTS_MAX; segments += 1) {
    const head = yield { offset: at, count: 9 };
    if (head.length < 9 || head[0] !== 0xff) return null;
    const marker = head[1] as number;
    // A marker may be padded with 0xff bytes.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) return [head.readUInt16BE(7), head.readUInt16BE(5)];
    else if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda)) return null;
    else at += 2 + Math.max(2, head.readUInt16BE(2));
  }
  return null;
}

/** The frame markers, without those of tables in the same range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
