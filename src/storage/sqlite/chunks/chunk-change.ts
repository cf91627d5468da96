import type { Synchronous } from '../engine/open-database.ts';

export type ChunkChange =
  | { readonly type: 'write'; readonly file: Uint8Array; readonly number: number; readonly sealed: Uint8Array }
  /** Those up to a number. */
  | { readonly type: 'delete'; readonly file: Uint8Array; readonly to: number };

export interface ChunkWorkerData {
  readonly path: string;
  readonly synchronous: Synchronous;
}
