/** Reads a form with a file in small steps, as `readBody` does; of the file, only its length is kept. */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../core/errors.ts';
import { MultipartReader } from '../wire/multipart/multipart-reader.ts';
import { type PartHead, readPartHead } from '../wire/multipart/part-head.ts';
import { readBoundary } from '../wire/multipart/read-boundary.ts';
import { badRequest } from './refusal.ts';

export interface DemoForm {
  readonly fields: ReadonlyMap<string, string>;
  readonly fileBytes: number;
}

/** Of a field. */
const VALUE_BYTES_MAX = 64 * 1024;

/** Throws a `Refusal`. */
export async function readForm(request: IncomingMessage): Promise<DemoForm> {
  const boundary = readBoundary(request.headers['content-type']);
  if (boundary === null) throw badRequest('The body must be multipart/form-data.');
  const fields = new Map<string, string>();
  let head: PartHead | null = null;
  let value = '';
  let fileBytes = 0;
  const reader = new MultipartReader(boundary, {
    begin(lines) {
      head = readPartHead(lines);
      value = '';
    },
    data(bytes) {
      if (head?.fileName !== null) fileBytes += bytes.length;
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
  return { fields, fileBytes };
}
