import type { FileContents } from './file-contents.ts';
import type { FileRow, FileStore } from './ports.ts';

export interface NewFileParts {
  readonly store: Pick<FileStore, 'complete' | 'delete'>;
  readonly contents: Pick<FileContents, 'write'>;
}

/** A file that is being uploaded: nobody sees it before it is complete. */
export class NewFile {
  /** `bytes`: the most that it may have. */
  readonly row: FileRow;
  readonly #parts: NewFileParts;
  #chunks = 0;
  #bytes = 0;

  constructor(parts: NewFileParts, row: FileRow) {
    this.#parts = parts;
    this.row = row;
  }

  /** One chunk after the other; the next one once this resolves. */
  async write(chunk: Buffer): Promise<void> {
    await this.#parts.contents.write(this.row.id, this.#chunks, chunk);
    this.#chunks += 1;
    this.#bytes += chunk.length;
  }

  /** Throws if it was deleted meanwhile. */
  async complete(expiresAt: number): Promise<FileRow> {
    await this.#parts.store.complete(this.row.id, this.#bytes, expiresAt);
    return { ...this.row, bytes: this.#bytes, expiresAt, isComplete: true };
  }

  /** Nothing of it stays. */
  async discard(): Promise<void> {
    await this.#parts.store.delete(this.row.projectId, this.row.id);
  }
}
