/** What each database does itself for the contents of files: chunks by the file they are of and their number. */
import type { FileChunk } from '../../../files/ports.ts';

export interface ChunkLength {
  readonly number: number;
  readonly bytes: number;
}

/** `file`: the 16 bytes of its id. */
export interface FileChunks {
  /** Durable when it resolves; a chunk that is there stays as it is. */
  write(file: Uint8Array, number: number, sealed: Uint8Array): Promise<void>;
  /** Of up to `limit` chunks from a number on, in order, without reading them. */
  lengths(file: Uint8Array, from: number, limit: number): Promise<readonly ChunkLength[]>;
  /** From one number to another, both included, in order. */
  read(file: Uint8Array, from: number, to: number): Promise<readonly FileChunk[]>;
  /** Deletes those up to a number. */
  deleteTo(file: Uint8Array, to: number): Promise<void>;
  /** The next file in order that has chunks; null after the last. */
  fileAfter(file: Uint8Array | null): Promise<Uint8Array | null>;
  /** The next beginning of sealed chunks in order, without those of the same key; null after the last. */
  headAfter(head: Uint8Array | null): Promise<Uint8Array | null>;
}

/** The part of a sealed value that identifies its key: version and key id. */
export const HEAD_BYTES = 9;

export function headOf(sealed: Uint8Array): Uint8Array {
  return sealed.subarray(0, HEAD_BYTES);
}
