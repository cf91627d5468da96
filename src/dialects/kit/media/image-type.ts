/** The image formats that models read, by the first bytes of a file: https://platform.claude.com/docs/en/build-with-claude/vision */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** How much of a file `imageTypeOf` reads. */
export const IMAGE_HEAD_BYTES = 12;

/** The format of an image in base 64, by its bytes: callers often guess the type, and vendors refuse a wrong one. */
export function imageTypeInBase64(data: string): ImageType | null {
  return imageTypeOf(Buffer.from(data.slice(0, HEAD_CHARACTERS), 'base64').toString('latin1'));
}

const HEAD_CHARACTERS = (IMAGE_HEAD_BYTES / 3) * 4;

/** `head` has one character per byte (latin1). Null if it is not an image of these formats. */
export function imageTypeOf(head: string): ImageType | null {
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image/webp';
  return null;
}
