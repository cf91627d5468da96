/** Reads a form with files in small steps, as `readBody` does; of the files, only lengths and first bytes are kept. */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../core/errors.ts';
import { MultipartReader } from '../wire/multipart/multipart-reader.ts';
import { type PartHead, readPartHead } from '../wire/multipart/part-head.ts';
import { readBoundary } from '../wire/multipart/read-boundary.ts';
import { badRequest } from './refusal.ts';

export interface DemoForm {
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly DemoFile[];
}

export interface DemoFile {
  readonly name: string;
  bytes: number;
  /** Its first bytes. */
  head: Buffer;
}

const HEAD_BYTES = 64;

/** Of a field. */
const VALUE_BYTES_MAX = 64 * 1024;

export function isForm(request: IncomingMessage): boolean {
  return request.headers['content-type']?.toLowerCase().startsWith('multipart/') === true;
}

/** Throws a `Refusal`. */
export async function readForm(request: IncomingMessage): Promise<DemoForm> {
  const boundary = readBoundary(request.headers['content-type']);
  if (boundary === null) throw badRequest('The body must be multipart/form-data.');
  const fields = new Map<string, string>();
  let head: PartHead | null = null;
  let value = '';
  const files: DemoFile[] = [];
  const reader = new MultipartReader(boundary, {
    begin(lines) {
      head = readPartHead(lines);
      value = '';
      if (head.fileName !== null) files.push({ name: head.name, bytes: 0, head: Buffer.alloc(0) });
    },
    data(bytes) {
      const file = files.at(-1);
      if (head?.fileName !== null && file !== undefined) add(file, bytes);
      else value = (value + bytes.toString('latin1')).slice(0, VALUE_BYTES_MAX);
    },
    end() {
      if (head?.fileName === null) fields.set(head.name, Buffer.from(value, 'latin1').toString());
    },
  });
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) reader.feed(chunk);
    reader.finish();
  } catch (error) {
    if (error instanceof GatewayError) throw badRequest(error.message);
    throw error;
  }
  return { fields, files };
}

function add(file: DemoFile, bytes: Buffer): void {
  const more = bytes.subarray(0, Math.max(0, HEAD_BYTES - file.head.length));
  file.head = Buffer.concat([file.head, more]);
  file.bytes += bytes.length;
}
