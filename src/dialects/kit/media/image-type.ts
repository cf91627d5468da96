/** The image formats that models read, by how a file begins: https://platform.claude.com/docs/en/build-with-claude/vision */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** As much of a file as `imageTypeOf` looks at. */
export const IMAGE_HEAD_BYTES = 12;

/** `head` has a character for each byte (latin1). Null where a file that begins so is no image of these formats. */
export function imageTypeOf(head: string): ImageType | null {
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image/webp';
  return null;
}
