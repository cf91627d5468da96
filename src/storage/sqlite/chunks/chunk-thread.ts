/** Writes chunks on a thread: overwriting what was deleted takes long, and so may a disk. */
import { WriteThread } from '../../threads/write-thread.ts';
import type { ChunkChange, ChunkWorkerData } from './chunk-change.ts';

/** The changes of one request are one transaction. */
export class ChunkThread extends WriteThread<readonly ChunkChange[]> {
  constructor(data: ChunkWorkerData) {
    super(new URL('./chunk-worker.ts', import.meta.url), data);
  }
}
