/** Sends what is in a file, as fast as its caller takes it. */
import { GatewayError } from '../../core/errors.ts';
import type { FileContents } from '../../files/file-contents.ts';
import { fileNotFound } from '../../files/file-errors.ts';
import type { FileRow } from '../../files/ports.ts';
import { type MemoryBudget, memoryOf } from '../capacity/memory-budget.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import type { Identified } from '../phases.ts';
import { CallerPace, type CallerPacePorts } from './caller-pace.ts';

export type ContentPorts = CallerPacePorts & {
  readonly memory: MemoryBudget;
  readonly files: { readonly contents: Pick<FileContents, 'read'> };
};

/** What is read at a time, sealed and opened. */
const MEMORY_BYTES = 2 * 1024 * 1024;
/** A write is counted as taken when all of it was, and a small one costs as much as this. */
const PIECE_BYTES = 64 * 1024;

/**
 * Resolves when all of it was given to the connection. Rejects with `GatewayError` 404 if what was in it is lost, as after a restore, and with
 * `cutReason` if the call is cut off; an answer that has begun is then broken.
 */
export async function sendContent(ports: ContentPorts, call: Identified, file: FileRow): Promise<void> {
  memoryOf(call, ports.memory).takeForAnswer(MEMORY_BYTES);
  const chunks = ports.files.contents.read(file.id)[Symbol.asyncIterator]();
  const first = await chunks.next();
  checkGoesOn(call);
  if (first.done === true && file.bytes > 0) throw fileNotFound(file.id);
  const { response } = call;
  call.status = 200;
  response.writeHead(200, [
    ...call.idHeaders(),
    ...['content-type', 'application/octet-stream', 'content-length', String(file.bytes)],
    ...['content-disposition', `attachment; filename*=UTF-8''${encodeName(file.name)}`],
    ...['x-content-type-options', 'nosniff'],
  ]);
  const pace = new CallerPace(ports, call);
  try {
    let sent = 0;
    for await (const piece of inPieces(first, chunks)) {
      sent += piece.length;
      call.countSent(piece);
      if (!response.write(piece)) await pace.taken();
      checkGoesOn(call);
    }
    if (sent !== file.bytes)
      throw new GatewayError('internal_error', { cause: new Error(`a file has ${sent} bytes of ${file.bytes}`) });
    response.end();
  } finally {
    pace.close();
    await chunks.return?.();
  }
}

/** Small chunks together, large ones cut. */
async function* inPieces(first: IteratorResult<Buffer>, chunks: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for (let next = first; next.done !== true; next = await chunks.next()) {
    waiting.push(next.value);
    bytes += next.value.length;
    if (bytes < PIECE_BYTES) continue;
    const joined = waiting.length === 1 ? next.value : Buffer.concat(waiting);
    for (let at = 0; at < joined.length; at += PIECE_BYTES) yield joined.subarray(at, at + PIECE_BYTES);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/** https://www.rfc-editor.org/rfc/rfc8187#section-3.2 */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
