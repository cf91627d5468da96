/** What is in files, as their readers and writers see it; the store has it sealed. */
import type { Body } from '../core/body.ts';
import type { FileId } from '../core/ids.ts';
import type { SharedSealer } from '../core/sealing/sealer.ts';
import type { FileStore } from './ports.ts';

export interface FileContentsParts {
  readonly store: Pick<FileStore, 'writeChunk' | 'chunks'>;
  readonly sealer: SharedSealer;
}

export class FileContents {
  readonly #parts: FileContentsParts;

  constructor(parts: FileContentsParts) {
    this.#parts = parts;
  }

  /** Durable when it resolves; a chunk that is there already stays as it is. */
  async write(id: FileId, number: number, bytes: Body): Promise<void> {
    const { store, sealer } = this.#parts;
    await store.writeChunk(id, number, await sealer.sealInTurns(bytes, sealName(id, number)));
  }

  /** The chunks in order, from a number on; together they are the file. Throws if one cannot be opened. */
  async *read(id: FileId, from = 0): AsyncIterable<Buffer> {
    const { store, sealer } = this.#parts;
    for await (const { number, sealed } of store.chunks(id, from))
      yield await sealer.openStored(sealed, sealName(id, number));
  }
}

/** What is sealed for one place in a file cannot be opened at another one. */
function sealName(id: FileId, number: number): string {
  return `file:${id}:${number}`;
}
