/** Heads of files for tests, made byte by byte. */

const ZEROS = Buffer.alloc(64);

export const PNG = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  Buffer.from([0, 0, 2, 128, 0, 0, 1, 224, 8, 6, 0, 0, 0]),
  ZEROS,
]);

/** With `notes` bytes of camera metadata before the picture. */
export function jpeg(notes = 16): Buffer {
  const segments: Buffer[] = [];
  for (let left = notes; left > 0; left -= 60_000) {
    const length = Math.min(left, 60_000);
    segments.push(Buffer.from([0xff, 0xe1, (length + 2) >> 8, (length + 2) & 0xff]), Buffer.alloc(length, 0xff));
  }
  const frame = Buffer.from([0xff, 0xff, 0xc2, 0, 17, 8, 1, 224, 2, 128, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, frame, ZEROS]);
}

export const GIF = Buffer.concat([Buffer.from('GIF89a', 'latin1'), Buffer.from([128, 2, 224, 1, 0, 0, 0]), ZEROS]);

const riff = (kind: string, ...rest: readonly number[]) =>
  Buffer.concat([Buffer.from(`RIFF\x40\0\0\0WEBP${kind}\x30\0\0\0`, 'latin1'), Buffer.from(rest), ZEROS]);

export const WEBP_LOSSY = riff('VP8 ', 0x30, 1, 0, 0x9d, 0x01, 0x2a, 128, 2, 224, 1);
export const WEBP_LOSSLESS = riff('VP8L', 0x2f, 0x7f, 0xc2, 0x77, 0);
export const WEBP_EXTENDED = riff('VP8X', 0x10, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0);

/** One of each format that models read, by its media type. */
export const IMAGES: readonly (readonly [type: string, file: Buffer])[] = [
  ['image/png', PNG],
  ['image/jpeg', jpeg()],
  ['image/jpeg', jpeg(700_000)],
  ['image/gif', GIF],
  ['image/webp', WEBP_LOSSY],
  ['image/webp', WEBP_LOSSLESS],
  ['image/webp', WEBP_EXTENDED],
];

export const PDF = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n');

/** A PDF whose header follows that of an image: PDF readers search for it in the first 1,024 bytes. */
export const pdfAfter = (file: Buffer): Buffer => Buffer.concat([file.subarray(0, 40), PDF]);

export const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x44]), Buffer.alloc(6200)]);

export function wav(format: number, sampleRate: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF0000WAVEfmt ', 'latin1');
  head.writeUInt16LE(format, 20);
  head.writeUInt32LE(sampleRate, 24);
  return head;
}
