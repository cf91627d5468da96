/** Converts the bytes of a body to the text to store: media collapsed, secrets redacted, truncated at the limit. */
import { BODY_BYTES_MAX, CUT_BYTES } from './call-capture.ts';
import { collapseMedia } from './collapse-media.ts';
import type { KeptBody } from './ports.ts';
import { redact } from './redact.ts';

/** `isCut` says that `bytes` is already truncated. Returns null for an empty body. */
export async function prepareBody(bytes: Buffer, isCut: boolean, isRedacted: boolean): Promise<KeptBody | null> {
  if (bytes.length === 0) return null;
  const collapsed = collapseMedia(bytes, BODY_BYTES_MAX + CUT_BYTES);
  const whole = collapsed.bytes.toString('utf8');
  const text = isRedacted ? await redact(whole) : whole;
  const cut = cutText(text, BODY_BYTES_MAX);
  return { text: cut, isTruncated: isCut || collapsed.isCut || cut.length < text.length };
}

/** At most `bytesMax` bytes of UTF-8, without splitting a character. */
function cutText(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
