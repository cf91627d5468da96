/** The demo's images: https://www.w3.org/TR/png-3/ */
import { crc32, deflateSync } from 'node:zlib';
import { hashOf } from './vector-of.ts';

/** The demo's model for images. */
export const IMAGE_MODEL = 'image';

/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [red: number, green: number, blue: number];

export function colourOf(text: string): Colour {
  const hash = hashOf(text);
  return [hash >>> 24, (hash >>> 16) & 0xff, (hash >>> 8) & 0xff];
}

/** A square of one colour, `pixels` wide. */
export function pngOf(colour: Colour, pixels: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  // 8 bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  // Each row begins with its filter, 0 for none.
  const row = Buffer.alloc(1 + 3 * pixels);
  for (let at = 1; at < row.length; at += 3) row.set(colour, at);
  const rows = Buffer.concat(Array.from({ length: pixels }, () => row));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
