/** Bytes on their way out: in one piece, or, where they are many, in parts that nobody copied together. */
export type Body = Buffer | readonly Buffer[];

/** Bytes as a text of one character each: what Node can send in one piece with the head of an answer. */
export type ByteText = string & { readonly __type__: 'ByteText' };

/** A whole answer; either way its `length` is what it has of bytes. */
export type WholeBody = Buffer | ByteText;

/** The same body as bytes; for a buffer, that buffer. */
export function bytesOf(body: WholeBody): Buffer {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}

/** The same body as text; a buffer's is made anew. */
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
