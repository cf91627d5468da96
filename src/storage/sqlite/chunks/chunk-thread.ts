/** Writes chunks on a thread: overwriting what was deleted takes long, and so may a disk. */
import { WriteThread } from '../../threads/write-thread.ts';
import type { Synchronous } from '../engine/open-database.ts';

export type ChunkChange =
  | { readonly type: 'write'; readonly file: Uint8Array; readonly number: number; readonly sealed: Uint8Array }
  /** Those up to a number. */
  | { readonly type: 'delete'; readonly file: Uint8Array; readonly to: number };

export interface ChunkWorkerData {
  readonly path: string;
  readonly synchronous: Synchronous;
}

/** The changes of one request are one transaction. */
export class ChunkThread extends WriteThread<readonly ChunkChange[]> {
  constructor(data: ChunkWorkerData) {
    super(new URL('./chunk-worker.ts', import.meta.url), data);
  }
}
