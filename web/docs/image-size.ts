/** The size of a picture in pixels, so that the layout does not shift when it loads. Null if the file does not state it. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const PNG_SIGNATURE = '89504e470d0a1a0a';

export function imageSize(bytes: Buffer): ImageSize | null {
  // https://www.w3.org/TR/png-3/#11IHDR: width and height are the first fields of the first chunk.
  if (bytes.subarray(0, 8).toString('hex') === PNG_SIGNATURE)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const tag = /<svg\b[^>]*>/.exec(bytes.subarray(0, 2000).toString('utf8'))?.[0] ?? '';
  const [width, height] = ['width', 'height'].map((name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(tag)?.[1]));
  return width && height ? { width, height } : null;
}
