/** What a thread does that writes for a `WriteThread`. */
import { parentPort } from 'node:worker_threads';
import { assert } from '../../core/assert.ts';
import type { WriteReply, WriteRequest } from './write-thread.ts';

export interface Writes<Work> {
  write(work: Work): void;
  probe(): void;
  close(): void;
}

/** Answers the requests of the thread that started this one, until it is asked to close. */
export function serveWrites<Work>(writes: Writes<Work>): void {
  const port = parentPort;
  assert(port !== null, 'this file runs as a thread');
  port.on('message', (request: WriteRequest<Work>) => {
    port.postMessage(replyTo(request, writes));
    if (request.type === 'close') port.close();
  });
}

function replyTo<Work>(request: WriteRequest<Work>, writes: Writes<Work>): WriteReply {
  try {
    if (request.type === 'write') writes.write(request.work);
    else if (request.type === 'probe') writes.probe();
    else writes.close();
    return { error: null };
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null;
    return { error: error instanceof Error ? error.message : String(error), errcode };
  }
}
