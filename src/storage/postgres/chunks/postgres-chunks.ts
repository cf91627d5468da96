/** Chunks of files in a table. They are written and read on the connection of records, so that uploads keep no person waiting. */
import type { FileChunk } from '../../../files/ports.ts';
import { type ChunkLength, type FileChunks, headOf } from '../../sql/files/file-chunks.ts';
import type { Role } from '../engine/role.ts';

const NONE = new Uint8Array(0);

export class PostgresChunks implements FileChunks {
  readonly #role: Role;

  constructor(role: Role) {
    this.#role = role;
  }

  async write(file: Uint8Array, number: number, sealed: Uint8Array): Promise<void> {
    await this.#role.query(
      'insert into captures.file_chunks (file, number, head, sealed) values ($1, $2, $3, $4) on conflict do nothing',
      [file, number, headOf(sealed), sealed],
    );
  }

  async lengths(file: Uint8Array, from: number, limit: number): Promise<readonly ChunkLength[]> {
    const { rows } = await this.#role.query<{ number: number; bytes: number }>(
      'select number, octet_length(sealed) as bytes from captures.file_chunks where file = $1 and number >= $2::bigint order by number limit $3',
      [file, from, limit],
    );
    return rows;
  }

  async read(file: Uint8Array, from: number, to: number): Promise<readonly FileChunk[]> {
    const { rows } = await this.#role.query<{ number: number; sealed: Uint8Array }>(
      'select number, sealed from captures.file_chunks where file = $1 and number between $2 and $3 order by number',
      [file, from, to],
    );
    return rows;
  }

  async deleteTo(file: Uint8Array, to: number): Promise<void> {
    await this.#role.query('delete from captures.file_chunks where file = $1 and number <= $2', [file, to]);
  }

  async fileAfter(file: Uint8Array | null): Promise<Uint8Array | null> {
    const { rows } = await this.#role.query<{ file: Uint8Array }>(
      'select file from captures.file_chunks where file > $1 order by file limit 1',
      [file ?? NONE],
    );
    return rows[0]?.file ?? null;
  }

  async headAfter(head: Uint8Array | null): Promise<Uint8Array | null> {
    const { rows } = await this.#role.query<{ head: Uint8Array }>(
      'select head from captures.file_chunks where head > $1 order by head limit 1',
      [head ?? NONE],
    );
    return rows[0]?.head ?? null;
  }
}
