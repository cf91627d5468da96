/** Bytes on their way out: in one piece, or, where they are many, in parts that nobody copied together. */
export type Body = Buffer | readonly Buffer[];

/** How many bytes a body has. */
export function bodyLength(body: Body): number {
  if (Buffer.isBuffer(body)) return body.length;
  let length = 0;
  for (const part of body) length += part.length;
  return length;
}
