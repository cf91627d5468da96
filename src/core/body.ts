import type { Readable } from 'node:stream';

/** Bytes to be sent: one buffer, or, if they are large, parts that are not copied into one. */
export type Body = Buffer | readonly Buffer[];

/** A body that is sent as it arrives. */
export interface StreamedBody {
  /** Bytes; null if not known before all of it has arrived. */
  readonly length: number | null;
  /** Its bytes from the beginning; to be called once. */
  open(): Readable;
}

export function isStreamed(body: Body | StreamedBody): body is StreamedBody {
  return 'open' in body;
}

/** Bytes as a string with one character per byte (latin1): Node can send it in one write with the head of an answer. */
export type ByteText = string & { readonly __type__: 'ByteText' };

/** A whole answer; in both forms `length` is its number of bytes. */
export type WholeBody = Buffer | ByteText;

/** The body as bytes; a buffer is returned as it is. */
export function bytesOf(body: WholeBody): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}

/** The body as text; a buffer is converted. */
export function textOf(body: WholeBody): ByteText {
  return typeof body === 'string' ? body : (body.toString('latin1') as ByteText);
}

/** How many bytes a body has. */
export function bodyLength(body: Body): number {
  if (Buffer.isBuffer(body)) return body.length;
  let length = 0;
  for (const part of body) length += part.length;
  return length;
}
