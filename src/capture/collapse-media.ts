/**
 * Replaces media in JSON text by a note of their length: pictures, audio and files as base64, in a data:
 * URL or bare. Most of a body with a picture is the picture, and only the beginning of a body is stored.
 *
 * A body may have many megabytes, so it is probed at intervals shorter than any media to be replaced: if the bytes
 * at a probe may be base64, the string around it is examined.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Shorter strings are left unchanged. */
const MEDIA_BYTES_MIN = 2048;
const PROBE_EVERY = 1024;
const PROBE_BYTES = 64;
/** In a long string, one byte in this many is checked. */
const SAMPLE_EVERY = 31;

/** Byte → whether it may be part of base64, of a slash with an escape, or of the beginning of a data: URL. */
const IS_MEDIA = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_\\:;,.')
  IS_MEDIA[character.charCodeAt(0)] = 1;

/** The text with media replaced, about `bytesMax` bytes of it at most; `isCut` says whether there was more. */
export function collapseMedia(bytes: Buffer, bytesMax: number): { readonly bytes: Buffer; readonly isCut: boolean } {
  const pieces: Buffer[] = [];
  let length = 0;
  let from = 0;
  let at = 0;
  // Media that begin within the limit contain a probe within this distance.
  while (at + PROBE_BYTES <= bytes.length && length + at - from < bytesMax + PROBE_EVERY) {
    if (!mayBeMedia(bytes, at)) {
      at += PROBE_EVERY;
      continue;
    }
    const start = bytes.lastIndexOf(QUOTE, at) + 1;
    const end = endOfText(bytes, at);
    if (isMedia(bytes, start, end)) {
      const note = Buffer.from(`[${mediaName(bytes, start)}${end - start} bytes]`);
      pieces.push(bytes.subarray(from, start), note);
      length += start - from + note.length;
      from = end;
    }
    // A string that is not media is not examined again for each probe in it.
    at = end + 1;
  }
  const rest = bytes.subarray(from, from + Math.max(0, bytesMax - length));
  const isCut = from + rest.length < bytes.length;
  return { bytes: pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]), isCut };
}

function mayBeMedia(bytes: Buffer, at: number): boolean {
  for (let index = at; index < at + PROBE_BYTES; index += 1) if (IS_MEDIA[bytes[index] as number] === 0) return false;
  return true;
}

/** The position of the closing quote, or of the backslash before it: the string may be in JSON within JSON. */
function endOfText(bytes: Buffer, at: number): number {
  const quote = bytes.indexOf(QUOTE, at);
  if (quote === -1) return bytes.length;
  return bytes[quote - 1] === BACKSLASH ? quote - 1 : quote;
}

function isMedia(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < MEDIA_BYTES_MIN) return false;
  for (let index = start; index < end; index += SAMPLE_EVERY) if (IS_MEDIA[bytes[index] as number] === 0) return false;
  return true;
}

/** `image/png, ` if the data: URL has a type, otherwise `media, `. */
function mediaName(bytes: Buffer, start: number): string {
  const head = bytes.toString('latin1', start, start + 100);
  const type = /^data:([\w.+-]+\\?\/[\w.+-]+)[;,]/.exec(head)?.[1];
  return type === undefined ? 'media, ' : `${type.replace('\\', '')}, `;
}
