/**
 * The plaintext that is sealed for a call: a length (4 bytes), a JSON head of that length, the request, the response; all of it
 * deflated, which reduces a stream to a tenth.
 */
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { KeptBody } from './ports.ts';

export interface Bodies {
  readonly request: KeptBody | null;
  readonly response: KeptBody | null;
}

interface Head {
  readonly request: Part | null;
  readonly response: Part | null;
}

interface Part {
  readonly bytes: number;
  readonly isTruncated: boolean;
}

const LENGTH_BYTES = 4;
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Compresses on a thread of Node's pool. */
export async function packBodies({ request, response }: Bodies): Promise<Buffer> {
  const [first, second] = [bytesOf(request), bytesOf(response)];
  const head = Buffer.from(
    JSON.stringify({ request: partOf(request, first), response: partOf(response, second) } satisfies Head),
  );
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return deflate(Buffer.concat([length, head, first, second]));
}

export async function unpackBodies(packed: Uint8Array): Promise<Bodies> {
  const bytes = await inflate(packed);
  const headEnd = LENGTH_BYTES + bytes.readUInt32BE(0);
  const { request, response } = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, headEnd)) as Head;
  const responseAt = headEnd + (request?.bytes ?? 0);
  return { request: read(bytes, headEnd, request), response: read(bytes, responseAt, response) };
}

function bytesOf(body: KeptBody | null): Buffer {
  return Buffer.from(body?.text ?? '');
}

function partOf(body: KeptBody | null, bytes: Buffer): Part | null {
  return body === null ? null : { bytes: bytes.length, isTruncated: body.isTruncated };
}

function read(bytes: Buffer, at: number, part: Part | null): KeptBody | null {
  return part === null ? null : { text: bytes.toString('utf8', at, at + part.bytes), isTruncated: part.isTruncated };
}
